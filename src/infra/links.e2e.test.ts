/** The bypass test: with all proxies off nobody but us reaches a node, before and after a node was killed and came back. */
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { until } from '../model/deadline.ts';
import { MODES, withCluster } from './cluster.fixture.ts';
import type { Cluster, Node } from './cluster.ts';

/** Connections to a node that are not the admin link, and a replica's link that is up: what must not be with all proxies off. */
const bypassing = async (cluster: Cluster): Promise<string[]> => {
  const ofNode = async ({ name, role, admin }: Node): Promise<string[]> => {
    const [list, own, info] = await Promise.all([
      admin.call('CLIENT', 'LIST'),
      admin.call('CLIENT', 'ID'),
      role === 'sentinel' ? '' : admin.call('INFO', 'replication'),
    ]);
    const foreign = String(list)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(`id=${String(own)} `));
    // Sentinels talk to each other inside their pod, and a replica lists its primary's link as a client of its own.
    const inward = foreign.filter((line) => !/ flags=M /.test(line) && role !== 'sentinel');
    const linkUp = String(info).includes('master_link_status:up') ? [`${name}: its link to the primary is up`] : [];
    return [...inward.map((line) => `${name}: ${line}`), ...linkUp];
  };
  return (await Promise.all([...cluster.nodes.values()].filter(({ role }) => role !== 'ledger').map(ofNode))).flat();
};

/** Everything that a run connects, through the contenders' links. */
const contenders = (cluster: Cluster): Redis[] => {
  const { nodes, sentinels, group, natMap } = cluster.servers;
  const options = { retryStrategy: () => 50, enableOfflineQueue: false, disableClientInfo: true } as const;
  const clients = [
    ...nodes.map(({ address }) => new Redis({ ...address, ...options })),
    new Redis({
      ...options,
      sentinels: [...sentinels],
      name: group ?? '',
      natMap: { ...natMap },
      updateSentinels: false,
      sentinelRetryStrategy: () => 50,
    }),
  ];
  for (const client of clients) client.on('error', () => {});
  return clients;
};

const allReady = (clients: readonly Redis[]): Promise<true> =>
  until(5_000, 'clients connected', async () => clients.every(({ status }) => status === 'ready') || undefined);
const settled = (cluster: Cluster, wanted: boolean): Promise<string[]> =>
  until(5_000, 'connections as expected', async () => {
    const found = await bypassing(cluster);
    return found.length > 0 === wanted ? found : undefined;
  });

describe.each(MODES)('links in %s mode', (mode) => {
  it('all lead through Toxiproxy, also after a node was killed and came back', async () => {
    await withCluster(mode, { topologies: ['independent', 'sentinel'], apart: [] }, async (cluster) => {
      const clients = contenders(cluster);
      try {
        await allReady(clients);
        expect((await bypassing(cluster)).length).toBeGreaterThan(clients.length); // with the proxies on there is traffic to be seen
        await cluster.runtime.kill('redis-7');
        await cluster.runtime.start('redis-7');
        await cluster.node('redis-7').admin.answered(10_000);
        await allReady(clients);
        await Promise.all(cluster.links.map((link) => link.disable()));
        expect(await settled(cluster, false)).toEqual([]);
        await Promise.all(cluster.links.map((link) => link.enable()));
        await allReady(clients);
      } finally {
        for (const client of clients) client.disconnect();
      }
    });
  });

  it('show when one goes around its proxy', async () => {
    await withCluster(mode, { topologies: ['sentinel'], apart: [] }, async (cluster) => {
      // The primary's own port, past the proxy on 6406.
      const primary = mode === 'local' ? cluster.runtime.address('nodes', 16406).host : '127.0.0.1';
      await cluster.node('redis-7').admin.call('REPLICAOF', primary, '16406');
      await Promise.all(cluster.links.map((link) => link.disable()));
      const found = await settled(cluster, true);
      expect(found.some((line) => line.startsWith('redis-7: its link') || line.startsWith('redis-6:'))).toBe(true);
    });
  });

  it('are told apart where the scenario needs it: a replica in a pod of its own has a link of its own', async () => {
    await withCluster(mode, { topologies: ['sentinel'], apart: ['pod-7'] }, async (cluster) => {
      expect(cluster.links.map(({ name }) => name)).toContain('redis-7>redis-6');
      await cluster.links.find(({ name }) => name === 'redis-7>redis-6')?.disable();
      const down = async (name: string): Promise<boolean> =>
        String(await cluster.node(name).admin.call('INFO', 'replication')).includes('master_link_status:down');
      await until(5_000, 'redis-7 cut off', async () => (await down('redis-7')) || undefined);
      expect(await down('redis-8')).toBe(false);
    });
  });
});
