/** What goes wrong in the middle of a run: the right exit code, what happened in words, a partial report, nothing left. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { MODES } from '../infra/cluster.fixture.ts';
import { connectEngine } from '../infra/docker/engine.ts';
import { Command, leftBehind } from './command.fixture.ts';

const BIN = new URL('../../dist/bin/redlock-chaos.js', import.meta.url).pathname;

afterEach(async () => {
  expect(await leftBehind()).toEqual([]);
});

it('a full disk under the log: exit 4, and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rlc-test-'));
  const script = 'mount -t tmpfs -o size=96k none "$0" && cd "$0" && exec "$@"';
  const child = spawn(
    'unshare',
    ['-rm', 'sh', '-c', script, folder, process.execPath, BIN, 'run', '-s', 'failover', '-l', 'redlock', '--infra', 'local'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true });
  expect(output).toMatch(/disk is full/i);
  expect(output).not.toContain('HOLDS');
  expect(code).toBe(4);
});

it.skipIf(!MODES.includes('docker'))('a container that somebody removes: exit 4, named, the rest removed', async () => {
  using command = new Command(['run', '-s', 'failover', '-l', 'sentinel', '--infra', 'docker']);
  await command.says('waiting for promotion');
  const docker = await connectEngine();
  const containers = await docker.listContainers({ filters: { label: ['com.docker.compose.service=ledger'] } });
  await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).remove({ force: true })));
  const { code, stdout } = await command.finished;
  expect(stdout).toMatch(/ledger/);
  expect(stdout).not.toContain('HOLDS');
  expect(code).toBe(4);
});

it('a contender that is killed from outside is recorded, and the rest goes on', async () => {
  using command = new Command(['run', '-s', 'baseline', '-l', 'single', '--infra', 'local', '--json']);
  await command.says('more grants');
  const contenders = execFileSync('pgrep', ['-P', String(command.child.pid), '-f', 'contender/main'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  process.kill(Number(contenders[0]), 'SIGKILL');
  const { code, stdout } = await command.finished;
  const [run] = (JSON.parse(stdout) as { runs: { folder: string; verdict: string }[] }).runs;
  const history = execFileSync('grep', ['"type":"death"', join(run?.folder ?? '', 'history.jsonl')], { encoding: 'utf8' });
  expect(history).toMatch(/"contender":"c\d","of":1,"code":null,"signal":"SIGKILL"/);
  expect(run?.verdict).toBe('holds');
  expect(code).toBe(0);
});

it('a contender that hangs is killed at the end, and that is recorded before it is done', async () => {
  using command = new Command(['run', '-s', 'baseline', '-l', 'single', '--infra', 'local', '--json']);
  await command.says('more grants');
  const [first] = execFileSync('pgrep', ['-P', String(command.child.pid), '-f', 'contender/main'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  process.kill(Number(first), 'SIGSTOP');
  const { code, stdout } = await command.finished;
  const [run] = (JSON.parse(stdout) as { runs: { folder: string }[] }).runs;
  const lines = execFileSync('grep', ['-E', '"type":"(kill|death)"', join(run?.folder ?? '', 'history.jsonl')], { encoding: 'utf8' }).split(
    '\n',
  );
  expect(lines[0]).toMatch(/"type":"kill","contender":"(c\d)","of":1,"reason":"did not end within/);
  expect(lines[1]).toMatch(/"type":"death"/);
  expect([0, 3]).toContain(code); // 3 where it was stopped inside: it then stayed past its lease, and nothing of ours had done that
});
