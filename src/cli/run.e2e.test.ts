/** The command as a user runs it, on real servers, in both modes. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MODES } from '../infra/cluster.fixture.ts';
import type { RunResult } from '../model/verdict.ts';
import { Command, leftBehind, redlockChaos } from './command.fixture.ts';

const runsOf = (stdout: string): RunResult[] => (JSON.parse(stdout) as { runs: RunResult[] }).runs;

afterEach(async () => {
  expect(await leftBehind()).toEqual([]);
});

describe.each(MODES)('run in %s mode', (mode) => {
  it('failover: Sentinel is violated as split-brain, Redlock holds, and that is what was expected', async () => {
    using command = new Command(['run', '--scenario', 'failover', '--infra', mode, '--json']);
    const { code, stdout } = await command.finished;
    const [sentinel, redlock] = runsOf(stdout);
    expect(sentinel).toMatchObject({ lock: 'sentinel', verdict: 'violated', asExpected: true, exitCode: 0, infra: mode, doubts: [] });
    expect(sentinel?.checks.find(({ name }) => name === 'mutual-exclusion')?.findings[0]).toMatchObject({
      class: 'split-brain',
      counts: true,
    });
    expect(sentinel?.checks.find(({ name }) => name === 'ledger')?.verdict).toBe('fail');
    expect(sentinel?.outcome.join(' ')).toMatch(/never reached redis-[78]: replication was cut .* was promoted at .* without the key/);
    expect(redlock).toMatchObject({ lock: 'redlock', verdict: 'holds', asExpected: true, doubts: [] });
    expect(redlock?.checks.find(({ name }) => name === 'coverage')?.values).toMatchObject({ faults: 2, met: 2 });
    expect(code).toBe(0);
    for (const run of [sentinel, redlock]) {
      const folder = run?.folder ?? '';
      expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toEqual(run);
      expect(existsSync(join(folder, 'logs', 'toxiproxy-nodes.log'))).toBe(true);
      const again = await redlockChaos('check', folder);
      expect(JSON.parse(again.stdout)).toMatchObject({ verdict: run?.verdict, checks: run?.checks, outcome: run?.outcome });
      expect(again.code).toBe(0);
    }
  });

  it.each(['single', 'sentinel', 'redlock'])('baseline: %s holds', async (lock) => {
    const { code, stdout } = await redlockChaos('run', '--scenario', 'baseline', '--lock', lock, '--infra', mode, '--json');
    expect(runsOf(stdout)).toMatchObject([{ lock, verdict: 'holds', asExpected: true }]);
    expect(code).toBe(0);
  });

  it('exits with 1 where the violation was not expected, and with 3 where what was expected did not appear', async () => {
    const unexpected = await redlockChaos('run', '-s', 'failover', '-l', 'sentinel', '--infra', mode, '--expect', 'holds', '--json');
    expect(runsOf(unexpected.stdout)).toMatchObject([{ verdict: 'violated', asExpected: false }]);
    expect(unexpected.code).toBe(1);
    const missing = await redlockChaos(
      'run',
      '-s',
      'baseline',
      '-l',
      'single',
      '--infra',
      mode,
      '--expect',
      'violated:mutual-exclusion',
      '--json',
    );
    expect(runsOf(missing.stdout)).toMatchObject([{ verdict: 'holds', asExpected: false }]);
    expect(missing.code).toBe(3);
  });

  it.each([
    ['SIGINT', 130, 'servers starting'],
    ['SIGINT', 130, 'waiting for promotion'],
    ['SIGTERM', 143, 'contenders connecting'],
    ['SIGTERM', 143, 'waiting for kill'],
  ] as const)('%s leaves nothing, and exits with %i: while %s', async (signal, exit, moment) => {
    using command = new Command(['run', '--scenario', 'failover', '--lock', 'sentinel', '--infra', mode]);
    await command.says(moment);
    command.child.kill(signal);
    const { code, stdout } = await command.finished;
    expect(code).toBe(exit);
    expect(stdout).toContain('Verdict'); // a partial report
    expect(stdout).not.toContain('HOLDS');
  });

  it('a second Ctrl-C changes nothing', async () => {
    using command = new Command(['run', '--scenario', 'failover', '--lock', 'sentinel', '--infra', mode]);
    await command.says('waiting for kill');
    command.child.kill('SIGINT');
    command.child.kill('SIGINT');
    expect((await command.finished).code).toBe(130);
  });

  it('--keep leaves the servers, and down removes them', async () => {
    using command = new Command(['run', '--scenario', 'baseline', '--lock', 'single', '--infra', mode, '--keep']);
    const { code, stderr } = await command.finished;
    expect(code).toBe(0);
    const project = /redlock-chaos down (\S+)/.exec(stderr)?.[1] ?? '';
    expect((await leftBehind()).join('\n')).toContain(project);
    const down = await redlockChaos('down', project);
    expect(down).toMatchObject({ code: 0, stdout: `Removed ${project}.\n` });
  });

  it('--keep=on-failure leaves nothing where all came out as expected', async () => {
    const { code } = await redlockChaos('run', '--scenario', 'baseline', '--lock', 'single', '--infra', mode, '--keep', 'on-failure');
    expect(code).toBe(0);
  });

  it('up tells how to reach every node, and down removes it', async () => {
    const up = await redlockChaos('up', '--infra', mode);
    expect(up.code).toBe(0);
    const row = /redis-3 +independent +(\S+):(\d+) +(\S+):(\d+)/.exec(up.stdout);
    for (const [host = '', port = ''] of [row?.slice(1, 3) ?? [], row?.slice(3, 5) ?? []]) {
      expect(execFileSync('redis-cli', ['-h', host, '-p', port, 'ping']).toString()).toBe('PONG\n');
    }
    expect((await redlockChaos('down')).code).toBe(0);
  });
});
