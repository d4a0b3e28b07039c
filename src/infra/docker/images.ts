/** Which image a service runs: the one the user named, the public one, or one made here of this machine's own programs. */
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { InfrastructureError, messageOf } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';
import { interpolate, userEnvironment } from '../compose/interpolate.ts';
import { call, statusOf } from './call.ts';
import { followToEnd } from './progress-lines.ts';

/** A pull that brings nothing for so long has failed. */
const NO_PROGRESS: Millis = 30_000;

/** Where `images build` puts its own, by the last word of the public image's name; tagged `<version>-local`, never as a public one. */
export const OWN_REPOSITORIES: Readonly<Record<string, string>> = {
  redis: 'redlock-chaos/redis',
  toxiproxy: 'redlock-chaos/toxiproxy',
};

export interface ChosenImage {
  readonly name: string;
  readonly id: string;
}

/** `registry:5000/some/redis:7@sha256:…` → `redis`. */
const lastWord = (name: string): string => /([^/:@]+)(?::[^/@]*)?(?:@.*)?$/.exec(name)?.[1] ?? name;

const namedByUser = (template: string): boolean => {
  const environment = userEnvironment();
  return [...template.matchAll(/\$\{([A-Za-z_]\w*)/g)].some(([, variable = '']) => Boolean(environment[variable]));
};

export const imageId = async (docker: Docker, name: string): Promise<string | undefined> => {
  try {
    const { Id } = await call(`looking for the image ${name}`, () => docker.getImage(name).inspect());
    return Id;
  } catch (error) {
    if (error instanceof Error && statusOf(error.cause ?? {}) === 404) return undefined;
    throw error;
  }
};

/** The newest of our own images that can stand in for a public one. */
const findOwn = async (docker: Docker, publicName: string): Promise<ChosenImage | undefined> => {
  const repository = OWN_REPOSITORIES[lastWord(publicName)];
  if (repository === undefined) return undefined;
  const images = await call(`looking for images of ${repository}`, () => docker.listImages({ filters: { reference: [repository] } }));
  const [newest] = images.sort((one, other) => other.Created - one.Created);
  const name = newest?.RepoTags?.find((tag) => tag.startsWith(`${repository}:`));
  return newest && name !== undefined ? { name, id: newest.Id } : undefined;
};

const pull = async (docker: Docker, name: string): Promise<ChosenImage> => {
  const stream = await call(`pulling ${name}`, (abortSignal) => docker.pull(name, { abortSignal }), NO_PROGRESS);
  await followToEnd(`pulling ${name}`, stream as Readable, NO_PROGRESS);
  const id = await imageId(docker, name);
  if (id === undefined) throw new InfrastructureError(`Docker, pulling ${name}: it ended without an error, and the image is not there`);
  return { name, id };
};

/** @returns the image's name and id. @throws InfrastructureError naming image and cause, and what to do instead. */
export const chooseImage = async (docker: Docker, template: string, say: (line: string) => void): Promise<ChosenImage> => {
  const name = interpolate(template, userEnvironment());
  const id = await imageId(docker, name);
  if (id !== undefined) return { name, id };
  const own = namedByUser(template) ? undefined : await findOwn(docker, name);
  if (own) {
    say(`The image ${name} is not here: using ${own.name}, made of this machine's own programs.`);
    return own;
  }
  try {
    say(`Pulling ${name} …`);
    return await pull(docker, name);
  } catch (cause) {
    throw new InfrastructureError(messageOf(cause), {
      hint: 'Without a registry: `redlock-chaos images build` makes images of your own redis-server and toxiproxy-server, or use --infra local.',
      cause,
    });
  }
};
