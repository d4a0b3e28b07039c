/** Where the engine is looked for, and what is said when none answers there. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectEngine } from './engine.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rlc-test-'));
  vi.stubEnv('DOCKER_CONFIG', folder);
  vi.stubEnv('DOCKER_CONTEXT', '');
  vi.stubEnv('DOCKER_HOST', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const writeContext = (name: string, host: string): void => {
  const meta = join(folder, 'contexts', 'meta', createHash('sha256').update(name).digest('hex'));
  mkdirSync(meta, { recursive: true });
  writeFileSync(join(meta, 'meta.json'), JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }));
};

it('goes by DOCKER_HOST before the context', async () => {
  writeContext('mine', `unix://${folder}/context.sock`);
  vi.stubEnv('DOCKER_CONTEXT', 'mine');
  vi.stubEnv('DOCKER_HOST', `unix://${folder}/host.sock`);
  await expect(connectEngine()).rejects.toThrow(`no Docker engine answers at unix://${folder}/host.sock (ENOENT)`);
});

it('goes by the current context', async () => {
  writeContext('mine', `unix://${folder}/context.sock`);
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ currentContext: 'mine' }));
  await expect(connectEngine()).rejects.toThrow(`no Docker engine answers at unix://${folder}/context.sock (ENOENT)`);
});

it('does not fall back to the default socket when the context is not there', async () => {
  vi.stubEnv('DOCKER_CONTEXT', 'gone');
  await expect(connectEngine()).rejects.toMatchObject({
    message: `the Docker context gone has no endpoint in ${folder}`,
    hint: expect.stringContaining('DOCKER_HOST'),
  });
});

it('names an endpoint that makes no sense', async () => {
  vi.stubEnv('DOCKER_HOST', 'tcp://:::');
  await expect(connectEngine()).rejects.toThrow(/^no Docker engine answers at tcp:\/\/::: \(/);
});

it('gives up on an engine that takes the connection and says nothing, and lets go of it', async () => {
  const path = join(folder, 'silent.sock');
  let ended = (): void => {};
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const server = createServer((socket) =>
    socket
      .on('close', ended)
      .on('error', () => {})
      .resume(),
  ).listen(path);
  vi.stubEnv('DOCKER_HOST', `unix://${path}`);
  await expect(connectEngine(100)).rejects.toThrow(`no Docker engine answers at unix://${path} (the engine: no answer within 100 ms)`);
  await closed;
  server.close();
});
