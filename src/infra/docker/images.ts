/** Which image a service runs: the one the user named, the public one, or one made here of this machine's own programs. */
import type Docker from 'dockerode';
import { until } from '../../model/deadline.ts';
import { InfrastructureError } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';
import { interpolate, userEnvironment } from '../compose/interpolate.ts';
import { call, statusOf } from './call.ts';

/** A pull that brings nothing for so long has failed. */
const NO_PROGRESS: Millis = 30_000;

/** Ours, by the word that the public image's name holds. Never tagged as the public ones. */
export const OWN_IMAGES: Readonly<Record<string, string>> = {
  redis: 'redlock-chaos/redis:local',
  toxiproxy: 'redlock-chaos/toxiproxy:local',
};

const ownImageFor = (name: string): string | undefined => Object.entries(OWN_IMAGES).find(([word]) => name.includes(word))?.[1];

const idOf = async (docker: Docker, name: string): Promise<string | undefined> => {
  try {
    return (await docker.getImage(name).inspect()).Id;
  } catch (cause) {
    if (statusOf(cause) === 404) return undefined;
    return call(`looking for the image ${name}`, Promise.reject(cause));
  }
};

/** Errors come inside the stream, as lines of it; and `pull` resolves when the stream starts (apocas/dockerode #647). */
const pull = async (docker: Docker, name: string): Promise<void> => {
  const stream = await call(`pulling ${name}`, docker.pull(name), NO_PROGRESS);
  let moved = true;
  let ended: { error?: string } | undefined;
  docker.modem.followProgress(
    stream,
    (error: Error | null, lines: { error?: string }[] | undefined) => {
      const failed = lines?.find((line) => line.error !== undefined);
      ended = error ? { error: error.message } : failed?.error !== undefined ? { error: failed.error } : {};
    },
    () => {
      moved = true;
    },
  );
  while (!ended) {
    moved = false;
    await until(NO_PROGRESS, `pulling ${name}, anything at all`, async () => (ended || moved ? true : undefined), undefined, 50);
  }
  if (ended.error !== undefined) throw new InfrastructureError(`Docker, pulling ${name}: ${ended.error}`);
};

/** @returns the image's name and id. @throws InfrastructureError naming image and cause, and what to do instead. */
export const chooseImage = async (docker: Docker, template: string, say: (line: string) => void): Promise<{ name: string; id: string }> => {
  const name = interpolate(template, userEnvironment());
  const id = await idOf(docker, name);
  if (id !== undefined) return { name, id };
  const namedByUser = name !== interpolate(template, {});
  const own = namedByUser ? undefined : ownImageFor(name);
  const ownId = own === undefined ? undefined : await idOf(docker, own);
  if (own !== undefined && ownId !== undefined) {
    say(`The image ${name} is not here: using ${own}, made of this machine's own programs.`);
    return { name: own, id: ownId };
  }
  try {
    say(`Pulling ${name} …`);
    await pull(docker, name);
  } catch (cause) {
    throw new InfrastructureError(cause instanceof Error ? cause.message : String(cause), {
      hint: 'Without a registry: `redlock-chaos images build` makes images of your own redis-server and toxiproxy-server, or use --infra local.',
      cause,
    });
  }
  return { name, id: (await idOf(docker, name)) ?? '' };
};
