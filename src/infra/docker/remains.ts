/** Finds and removes everything of one project by its label: containers first, thawed, then the network. */
import type Docker from 'dockerode';
import { within } from '../../model/deadline.ts';
import { InfrastructureError } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';
import { call, callUnlessGone } from './call.ts';
import { KEPT_LABEL, RUN_LABEL } from './labels.ts';

const LIMIT: Millis = 60_000;
const ROUNDS = 5;

const filters = (project: string): { label: string[] } => ({ label: [`${RUN_LABEL}=${project}`] });

/** Projects that were left running on purpose. */
export const listKeptProjects = async (docker: Docker): Promise<string[]> => {
  const containers = await call('listing containers', docker.listContainers({ all: true, filters: { label: [`${KEPT_LABEL}=true`] } }));
  return [...new Set(containers.map(({ Labels }) => Labels[RUN_LABEL] ?? ''))].filter((project) => project !== '');
};

const removeContainers = async (docker: Docker, project: string): Promise<number> => {
  const containers = await call('listing containers', docker.listContainers({ all: true, filters: filters(project) }));
  await Promise.all(
    containers.map(async ({ Id, State }) => {
      const container = docker.getContainer(Id);
      if (State === 'paused') await callUnlessGone(`thawing ${Id.slice(0, 12)}`, container.unpause());
      // v: the public Redis image declares a volume, which would be left behind.
      await callUnlessGone(`removing the container ${Id.slice(0, 12)}`, container.remove({ force: true, v: true }));
    }),
  );
  return containers.length;
};

const removeEverything = async (docker: Docker, project: string): Promise<void> => {
  // A container whose creation was under way may appear after the first look: look until there is none.
  for (let round = 0; round < ROUNDS && (await removeContainers(docker, project)) > 0; round += 1);
  const networks = await call('listing networks', docker.listNetworks({ filters: filters(project) }));
  await Promise.all(networks.map(({ Id }) => callUnlessGone(`removing the network ${project}`, docker.getNetwork(Id).remove())));
};

/** @throws InfrastructureError saying what is left, and the command that removes it. */
export const removeProject = async (docker: Docker, project: string): Promise<void> => {
  try {
    await within(LIMIT, `removing ${project}`, removeEverything(docker, project));
  } catch (cause) {
    throw new InfrastructureError(
      `not everything of ${project} could be removed: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        hint: `Remove the rest with: docker rm -fv $(docker ps -aq --filter label=${RUN_LABEL}=${project}); docker network rm ${project}`,
        cause,
      },
    );
  }
};
