/** `images build`: images made of this machine's own redis-server and toxiproxy-server, where no registry can be reached. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { InfrastructureError, UsageError } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';
import { findProgram } from '../programs.ts';
import { call, callUnlessGone } from './call.ts';
import { imageId, OWN_REPOSITORIES } from './images.ts';
import { followToEnd } from './progress-lines.ts';

const execute = promisify(execFile);

const IMPORT_LIMIT: Millis = 60_000;

/** The engine's names of architectures, from Node's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

interface Recipe {
  readonly repository: string;
  /** The program whose version is the image's. */
  readonly program: string;
  /** Where each program stands in the image, as in the public one. */
  readonly places: Readonly<Record<string, string>>;
}

const RECIPES: readonly Recipe[] = [
  {
    repository: OWN_REPOSITORIES['redis'] ?? '',
    program: 'redis-server',
    places: { 'redis-server': '/usr/bin/redis-server', sh: '/bin/sh', sleep: '/bin/sleep', cat: '/bin/cat' },
  },
  { repository: OWN_REPOSITORIES['toxiproxy'] ?? '', program: 'toxiproxy-server', places: { 'toxiproxy-server': '/toxiproxy' } },
];

/** @throws UsageError where programs of this machine cannot run in that engine's containers. */
const checkPlatform = async (docker: Docker): Promise<void> => {
  const info = await call('asking what it runs on', () => docker.info() as Promise<{ Architecture: string; OSType: string }>);
  const { Architecture, OSType } = info;
  if (process.platform !== 'linux' || OSType !== 'linux' || Architecture !== ARCHITECTURES[process.arch]) {
    throw new UsageError(
      `programs of this machine (${process.platform} ${process.arch}) do not run in containers of this engine (${OSType} ${Architecture})`,
      { hint: 'Pull the public images instead, or name your own with REDIS_IMAGE and TOXIPROXY_IMAGE.' },
    );
  }
};

const programFor = (name: string): string => {
  try {
    return findProgram(name);
  } catch (cause) {
    const hint = cause instanceof InfrastructureError ? cause.hint : undefined;
    throw new InfrastructureError(`${name} is not on the PATH, and an image is made of it`, { ...(hint && { hint }), cause });
  }
};

/** As the program itself says; toxiproxy-server built from source says `git`. */
const versionOf = async (program: string): Promise<string> => {
  const { stdout } = await execute(program, ['--version']);
  return /(?:v=|version )([\w.-]+)/.exec(stdout)?.[1] ?? 'unknown';
};

/** The shared libraries and the loader of a program; a static one has none. */
const librariesOf = async (program: string): Promise<string[]> => {
  const { stdout } = await execute('ldd', [program]).catch(() => ({ stdout: '' }));
  return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
};

const copyInto = (root: string, from: string, to: string): void => {
  mkdirSync(join(root, dirname(to)), { recursive: true });
  cpSync(realpathSync(from), join(root, to), { dereference: true });
};

const fillRoot = async (root: string, places: Recipe['places']): Promise<void> => {
  for (const [name, to] of Object.entries(places)) {
    const program = programFor(name);
    copyInto(root, program, to);
    for (const library of await librariesOf(program)) copyInto(root, library, library);
  }
  mkdirSync(join(root, 'etc'), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777); // mkdir's own mode is cut by the umask
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nredis:x:999:999::/tmp:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nredis:x:999:\n');
};

const importRoot = async (docker: Docker, root: string, repo: string, tag: string): Promise<void> => {
  const tar = spawn('tar', ['-C', root, '--owner=0', '--group=0', '--mode=u+rwX,go+rX', '-c', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const packed = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', resolve);
  });
  const what = `importing ${repo}:${tag}`;
  const changes = ['ENV PATH=/usr/bin:/bin', 'LABEL redlock-chaos.image=local'];
  const imported = async (): Promise<void> => {
    const stream = await call(what, (abortSignal) => docker.importImage(tar.stdout, { repo, tag, changes, abortSignal }), IMPORT_LIMIT);
    await followToEnd(what, stream as Readable, IMPORT_LIMIT);
  };
  const [code] = await Promise.all([packed, imported()]);
  // A tar cut short is imported all the same.
  if (code !== 0) throw new InfrastructureError(`Docker, ${what}: tar ended with ${code}`);
};

/** The image that the new one has taken the name of; one that a container still uses stays, without a name. */
const removeReplaced = async (docker: Docker, before: string | undefined, now: string | undefined): Promise<void> => {
  if (before === undefined || before === now) return;
  await callUnlessGone(`removing the image ${before}`, (abortSignal) => docker.getImage(before).remove({ abortSignal }));
};

const build = async (docker: Docker, { repository, program, places }: Recipe): Promise<string> => {
  const tag = `${await versionOf(programFor(program))}-local`;
  const name = `${repository}:${tag}`;
  const before = await imageId(docker, name);
  const root = mkdtempSync(join(tmpdir(), 'redlock-chaos-image-'));
  try {
    await fillRoot(root, places);
    await importRoot(docker, root, repository, tag);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  await removeReplaced(docker, before, await imageId(docker, name));
  return name;
};

/** Builds each image anew. @throws UsageError, InfrastructureError */
export const buildImages = async (docker: Docker, say: (line: string) => void): Promise<void> => {
  await checkPlatform(docker);
  for (const program of RECIPES.flatMap(({ places }) => Object.keys(places))) programFor(program);
  for (const recipe of RECIPES) say(`Built ${await build(docker, recipe)}.`);
};
