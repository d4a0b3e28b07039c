/** Bad input: one clear line on standard error, the right exit code, nothing started. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Command, redlockChaos } from './command.fixture.ts';

const FAILOVER = ['run', '--scenario', 'failover'];

describe('bad input', () => {
  it.each([
    ['an unknown scenario', ['run', '--scenario', 'failovr'], /no scenario is called "failovr"\. Did you mean failover\?/],
    ['an unknown lock', [...FAILOVER, '--lock', 'redlok'], /no lock is called "redlok"\. Did you mean redlock\?/],
    [
      'a lock of another topology',
      [...FAILOVER, '--lock', 'single'],
      /single runs on single Redis, .*Locks that fit failover: sentinel, redlock/,
    ],
    ['no contenders', [...FAILOVER, '--contenders', '0'], /--contenders 0/],
    ['half a contender', [...FAILOVER, '--contenders', '1.5'], /--contenders 1\.5: not a whole number/],
    ['a ttl shorter than the drift', [...FAILOVER, '--lock', 'redlock', '--ttl', '2'], /--ttl 2: not longer than the drift/],
    ['a negative ttl', [...FAILOVER, '--ttl', '-5'], /--ttl -5/],
    ['an unknown place', [...FAILOVER, '--infra', 'cloud'], /--infra cloud: not known\. One of: auto, docker, local/],
    ['an unknown expectation', [...FAILOVER, '--expect', 'violated:mutual-exclusion:split'], /no class is called "split"/],
    ['an unknown lock option', [...FAILOVER, '--lock', 'redlock', '--lock-option', 'quorum=2'], /has no option "quorum"/],
    ['a seed that would be a path', [...FAILOVER, '--seed', '../x'], /not a seed/],
    ['an unknown flag', [...FAILOVER, '--fast'], /unknown option '--fast'/],
    ['a history that is not there', ['check', '/nowhere/history.jsonl'], /cannot read \/nowhere/],
    ['a cluster that is not there', ['down', 'redlock-chaos-nothing'], /nothing of the name/],
  ] as const)('%s', async (_, words, line) => {
    using command = new Command(words);
    const { code, stdout, stderr } = await command.finished;
    expect(stderr.trimEnd()).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(64);
    expect(stdout).toBe('');
    expect(() => command.runs).toThrow(); // not even a run folder
  });

  it('a compose file with something that cannot be honoured', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rlc-test-'));
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(
      file,
      'services:\n  redis-1:\n    image: redis:7\n    command: [redis-server]\n    restart: always\n    labels: { redlock-chaos.role: independent }\n',
    );
    const { code, stderr } = await redlockChaos(...FAILOVER, '--compose-file', file);
    rmSync(folder, { recursive: true });
    expect(stderr).toMatch(/services\.redis-1: Unrecognized key: "restart"/);
    expect(code).toBe(64);
  });

  it('no Docker engine: names the endpoint and what to do, exit 4', async () => {
    using command = new Command([...FAILOVER, '--infra', 'docker'], { DOCKER_HOST: 'unix:///nowhere/docker.sock' });
    const { code, stdout, stderr } = await command.finished;
    expect(stderr).toMatch(/^redlock-chaos: no Docker engine answers at unix:\/\/\/nowhere\/docker\.sock \(ENOENT\)\. .*\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(4);
    using asJson = new Command([...FAILOVER, '--infra', 'docker', '--json'], { DOCKER_HOST: 'unix:///nowhere/docker.sock' });
    expect(JSON.parse((await asJson.finished).stdout)).toMatchObject({ runs: [], failure: expect.stringContaining('no Docker engine') });
  });

  it('local mode without its programs: says how to install them, exit 4', async () => {
    using command = new Command([...FAILOVER, '--infra', 'local'], { PATH: '/nowhere', HOME: '/nowhere' });
    const { code, stderr } = await command.finished;
    expect(stderr).toMatch(/redis-server is not on the PATH.*apt-get install redis-server/);
    expect(code).toBe(4);
  });

  it('a folder that cannot be written to, exit 4', async () => {
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const command = new Command([...FAILOVER, '--infra', 'local', '--lock', 'redlock']);
      // The runs' folder is taken by a file before the command looks.
      writeFileSync(join(command.folder, '.redlock-chaos'), '');
      void command.finished.then((finished) => {
        command[Symbol.dispose]();
        resolve(finished);
      });
    });
    expect(stderr).toMatch(/cannot write .*\.redlock-chaos/);
    expect(code).toBe(4);
  });
});
