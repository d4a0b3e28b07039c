/** The package as it would be published: packed, installed into an empty folder, and run there; and npx in the project's own root. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { leftBehind } from './command.fixture.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'rlc-test-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (cwd: string, program: string, ...words: string[]): string =>
  execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

it('installs and runs in an empty folder', async () => {
  // The tests run beside the build: packing must not rebuild what they use.
  const packed = JSON.parse(run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)) as {
    filename: string;
    files: { path: string }[];
  }[];
  const names = packed[0]?.files.map(({ path }) => path) ?? [];
  expect(names).toEqual(
    expect.arrayContaining(['dist/bin/redlock-chaos.js', 'dist/src/contender/main.js', 'docker-compose.yml', 'LICENSE', 'README.md']),
  );
  expect(names.filter((name) => /\.test\.|\.fixture\.|^src\//.test(name))).toEqual([]);
  run(folder, 'npm', 'init', '--yes');
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', join(folder, packed[0]?.filename ?? ''));
  expect(run(folder, 'npx', 'redlock-chaos', '--version').trim()).toMatch(/^\d+\.\d+\.\d+$/);
  expect(run(folder, 'npx', 'redlock-chaos', 'list')).toMatch(/failover +The node that holds the lock dies/);
  expect(run(folder, 'npx', 'redlock-chaos', 'run', '--scenario', 'baseline', '--lock', 'single', '--infra', 'local')).toContain(
    'Verdict  HOLDS',
  );
  expect(await leftBehind()).toEqual([]);
});

it('runs by npx in the root of the project', () => {
  expect(run(ROOT, 'npx', 'redlock-chaos', 'list', 'failover')).toContain('cut-replication');
});
