/** `images build`: images made of this machine's own redis-server and toxiproxy-server, where no registry can be reached. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { InfrastructureError, UsageError } from '../../model/errors.ts';
import { findProgram } from '../programs.ts';
import { call } from './call.ts';
import { OWN_IMAGES } from './images.ts';

const execute = promisify(execFile);

/** The engine's names of architectures, from Node's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** Where each program stands in its image, as in the public one. */
const RECIPES = [
  { image: OWN_IMAGES['redis'] ?? '', programs: { 'redis-server': '/usr/bin/redis-server', sh: '/bin/sh', sleep: '/bin/sleep' } },
  { image: OWN_IMAGES['toxiproxy'] ?? '', programs: { 'toxiproxy-server': '/toxiproxy' } },
] as const;

/** @throws UsageError where programs of this machine cannot run in that engine's containers. */
const checkPlatform = async (docker: Docker): Promise<void> => {
  const { Architecture, OSType } = await call('asking what it runs on', docker.info() as Promise<{ Architecture: string; OSType: string }>);
  if (process.platform !== 'linux' || OSType !== 'linux' || Architecture !== ARCHITECTURES[process.arch]) {
    throw new UsageError(
      `programs of this machine (${process.platform} ${process.arch}) do not run in containers of this engine (${OSType} ${Architecture})`,
      {
        hint: 'Pull the public images instead, or name your own with REDIS_IMAGE and TOXIPROXY_IMAGE.',
      },
    );
  }
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

const fillRoot = async (root: string, programs: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, to] of Object.entries(programs)) {
    const program = findProgram(name);
    copyInto(root, program, to);
    for (const library of await librariesOf(program)) copyInto(root, library, library);
  }
  mkdirSync(join(root, 'etc'), { recursive: true });
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777); // mkdir's own mode is cut by the umask
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nredis:x:999:999::/tmp:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nredis:x:999:\n');
};

const importRoot = async (docker: Docker, root: string, image: string): Promise<void> => {
  const tar = spawn('tar', ['-C', root, '--owner=0', '--group=0', '--mode=u+rwX,go+rX', '-c', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [repo = '', tag = ''] = image.split(':');
  const changes = ['ENV PATH=/usr/bin:/bin', 'LABEL redlock-chaos.image=local'];
  const stream = await call(`importing ${image}`, docker.importImage(tar.stdout, { repo, tag, changes }), 60_000);
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(stream as NodeJS.ReadableStream, (error: Error | null, lines?: { error?: string }[]) => {
      const failed = error?.message ?? lines?.find((line) => line.error)?.error;
      if (failed) reject(new InfrastructureError(`Docker, importing ${image}: ${failed}`));
      else resolve();
    });
  });
};

/** Builds each image anew. @throws UsageError, InfrastructureError */
export const buildImages = async (docker: Docker, say: (line: string) => void): Promise<void> => {
  await checkPlatform(docker);
  for (const { image, programs } of RECIPES) {
    const root = mkdtempSync(join(tmpdir(), 'redlock-chaos-image-'));
    try {
      await fillRoot(root, programs);
      await importRoot(docker, root, image);
      say(`Built ${image}.`);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
};
