/** Finds what runs have left in the engine, by label, and removes one project: containers first, thawed, then the network. */
import type Docker from 'dockerode';
import { pause, within } from '../../model/deadline.ts';
import { InfrastructureError, messageOf } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';
import { call, callUnlessGone } from './call.ts';
import { KEPT_LABEL, OWNER_LABEL, RUN_LABEL } from './labels.ts';

const LIMIT: Millis = 20_000;
/** Looks before it gives up: on what the engine refuses to remove, and on what somebody else is already removing. */
const REFUSED_ROUNDS = 5;
const ROUNDS = 90;
const BETWEEN_ROUNDS: Millis = 200;

interface Thing {
  /** In words, for messages. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

const listContainers = async (docker: Docker, label: string): Promise<Thing[]> => {
  const found = await call('listing containers', (abortSignal) =>
    docker.listContainers({ all: true, filters: { label: [label] }, abortSignal }),
  );
  return found.map(({ Id, Names, Labels, State }): Thing => {
    const container = docker.getContainer(Id);
    const name = `the container ${Names[0]?.slice(1) ?? Id.slice(0, 12)}`;
    const remove = async (): Promise<void> => {
      // Removing by force thaws as well, but not in every engine.
      if (State === 'paused') await callUnlessGone(`thawing ${name}`, (abortSignal) => container.unpause({ abortSignal })).catch(() => {});
      // v: the public Redis image declares a volume, which would be left behind.
      await callUnlessGone(`removing ${name}`, (abortSignal) => container.remove({ force: true, v: true, abortSignal }));
    };
    return { name, labels: Labels, remove };
  });
};

const listNetworks = async (docker: Docker, label: string): Promise<Thing[]> => {
  const found = await call('listing networks', (abortSignal) => docker.listNetworks({ filters: { label: [label] }, abortSignal }));
  return found.map(({ Id, Name, Labels }): Thing => {
    const name = `the network ${Name}`;
    const remove = (): Promise<void> => callUnlessGone(`removing ${name}`, (abortSignal) => docker.getNetwork(Id).remove({ abortSignal }));
    return { name, labels: Labels ?? {}, remove };
  });
};

/** What a run has in the engine. `owner`: `host:pid:start` of the process that made it. */
export interface FoundRun {
  readonly project: string;
  readonly owner: string;
  readonly kept: boolean;
}

/** Every run that has a container or a network in this engine, also one whose process is gone. */
export const listRuns = async (docker: Docker): Promise<FoundRun[]> => {
  const things = (await Promise.all([listContainers(docker, RUN_LABEL), listNetworks(docker, RUN_LABEL)])).flat();
  const runs = things.map(({ labels }): [string, FoundRun] => {
    const project = labels[RUN_LABEL] ?? '';
    return [project, { project, owner: labels[OWNER_LABEL] ?? '', kept: labels[KEPT_LABEL] === 'true' }];
  });
  return [...new Map(runs).values()];
};

/** Projects that were left running on purpose. */
export const listKeptProjects = async (docker: Docker): Promise<string[]> =>
  (await listRuns(docker)).filter(({ kept }) => kept).map(({ project }) => project);

/** One look: removes what is there. One thing that will not go keeps no other from going. */
const removeOnce = async (list: (docker: Docker, label: string) => Promise<Thing[]>, docker: Docker, project: string): Promise<Look> => {
  const things = await list(docker, `${RUN_LABEL}=${project}`);
  const outcomes = await Promise.allSettled(things.map(({ remove }) => remove()));
  return {
    found: things.map(({ name }) => name),
    failures: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
  };
};

interface Look {
  readonly found: readonly string[];
  readonly failures: readonly unknown[];
}

/** Looks until there is nothing: a container whose creation was under way appears after the first look. */
const removeEverything = async (docker: Docker, project: string): Promise<void> => {
  for (let round = 1; ; round += 1) {
    const looks = [await removeOnce(listContainers, docker, project), await removeOnce(listNetworks, docker, project)];
    const found = looks.flatMap((look) => look.found);
    if (found.length === 0) return;
    const [cause] = looks.flatMap(({ failures }) => failures);
    if (round === ROUNDS || (cause !== undefined && round >= REFUSED_ROUNDS)) {
      throw new InfrastructureError(cause instanceof Error ? `${found.join(', ')} (${cause.message})` : found.join(', '), { cause });
    }
    if (round > 1 || cause !== undefined) await pause(BETWEEN_ROUNDS);
  }
};

/** @throws InfrastructureError saying what is left, and the command that removes it. */
export const removeProject = async (docker: Docker, project: string): Promise<void> => {
  try {
    await within(LIMIT, `removing ${project}`, removeEverything(docker, project));
  } catch (cause) {
    throw new InfrastructureError(`not everything of ${project} could be removed: ${messageOf(cause)}`, {
      hint: `Remove the rest with: docker rm -fv $(docker ps -aq --filter label=${RUN_LABEL}=${project}); docker network rm ${project}`,
      cause,
    });
  }
};
