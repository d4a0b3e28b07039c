import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../model/errors.ts';
import { readComposeFile } from './file.ts';
import { interpolate } from './interpolate.ts';
import { planCluster } from './plan-cluster.ts';

const OURS = new URL('../../../docker-compose.yml', import.meta.url).pathname;

describe('interpolate', () => {
  it('fills in values, defaults and dollar signs as compose does', () => {
    const env = { SET: 'value', EMPTY: '' };
    expect(interpolate('${SET} ${EMPTY:-default} ${UNSET:-} $${SET} $$x', env)).toBe('value default  ${SET} $x');
  });

  it('refuses forms that it would treat differently', () => {
    for (const text of ['$NAME', '${NAME-default}', '${NAME:?error}', 'a $']) expect(() => interpolate(text, {}), text).toThrow(UsageError);
  });
});

describe('readComposeFile', () => {
  const reading = (yaml: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'rlc-test-'));
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(file, yaml);
    try {
      return readComposeFile(file);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const service = (extra: string): string =>
    `services:\n  a:\n    image: x\n    command: [x]\n    labels: { redlock-chaos.role: ledger }\n${extra}`;

  it('reads our own', () => {
    expect(Object.keys(readComposeFile(OURS).services)).toContain('redis-8');
  });

  it.each([
    [service('volumes:\n  data: {}\n'), /volumes: not supported/],
    [service('    restart: always\n'), /services\.a: Unrecognized key: "restart"/],
    [service('    ports: ["6379:6379"]\n'), /services\.a\.ports\.0: only 127\.0\.0\.1/],
    [service('    network_mode: host\n'), /services\.a\.network_mode: only service:/],
    ['services: [', /docker-compose\.yml: /],
    ['services:\n  a:\n    image: x\n    command: [x]\n', /services\.a\.labels/],
  ])('refuses what it cannot honour: %j', (yaml, message) => {
    expect(() => reading(yaml)).toThrow(message);
  });

  it('names a file that is not there', () => {
    expect(() => readComposeFile('/nowhere.yml')).toThrow(/\/nowhere\.yml/);
  });
});

describe('planCluster', () => {
  const file = readComposeFile(OURS);

  it('makes one pod of all nodes and one of the sentinels, with the links of each', () => {
    const { pods, nodes, sentinel } = planCluster(file, { topologies: ['sentinel'], apart: [] });
    expect(pods.map(({ name, aliases }) => [name, aliases])).toEqual([
      ['nodes', ['nodes', 'pod-6', 'pod-7', 'pod-8']],
      ['sentinels', ['sentinels']],
    ]);
    expect(pods[0]?.links.map(({ name }) => name).sort()).toEqual([
      'contenders>redis-6',
      'contenders>redis-7',
      'contenders>redis-8',
      'replicas>redis-6',
      'replicas>redis-7',
      'replicas>redis-8',
    ]);
    expect(nodes.map(({ name }) => name)).toEqual(['ledger', 'redis-6', 'redis-7', 'redis-8', 'sentinel-1', 'sentinel-2', 'sentinel-3']);
    expect(sentinel).toEqual({ group: 'locks', downAfter: 1_000 });
  });

  it('keeps a pod by itself where its links must be told apart', () => {
    const { pods } = planCluster(file, { topologies: ['sentinel'], apart: ['pod-7'] });
    const pod = pods.find(({ name }) => name === 'pod-7');
    expect(pod?.links.map(({ name }) => name)).toEqual(['contenders>redis-7', 'redis-7>redis-6', 'redis-7>redis-8']);
  });

  it('publishes only the ports that the run needs', () => {
    const { pods, nodes } = planCluster(file, { topologies: ['single'], apart: [] });
    expect(nodes.map(({ name }) => name)).toEqual(['ledger', 'redis-1']);
    expect(pods[0]?.ports).toEqual([8474, 16400, 16401, 17401]);
  });

  it('does not hand Toxiproxy a configuration of links that may have been merged', () => {
    const { pods } = planCluster(file, { topologies: ['independent'], apart: [] });
    expect(pods[0]?.toxiproxy.command.join(' ')).not.toContain('-config');
  });
});
