/** Each fault on real servers: proved when it landed, not proved when it was made not to, and healed. */
import { describe, expect, it } from 'vitest';
import { MODES, withCluster } from '../infra/cluster.fixture.ts';
import type { Cluster } from '../infra/cluster.ts';
import { UsageError } from '../model/errors.ts';
import type { FaultSpec } from '../model/scenario.ts';
import { checkFault } from './catalogue.ts';
import type { AimedFault } from './fault.ts';

const aim = (cluster: Cluster, spec: FaultSpec): Promise<AimedFault> =>
  checkFault(spec).aim({ cluster, signal: AbortSignal.timeout(30_000), votes: ['redis-4'] });

describe.each(MODES)('faults in %s mode', (mode) => {
  const on = (topology: 'independent' | 'sentinel', use: (cluster: Cluster) => Promise<void>): Promise<void> =>
    withCluster(mode, { topologies: [topology], apart: [] }, use);

  it('kill: proved, healed, and the node comes back empty', async () => {
    await on('independent', async (cluster) => {
      await cluster.node('redis-2').admin.call('SET', 'key', 'value');
      const fault = await aim(cluster, { kind: 'kill', node: 'redis-2' });
      await fault.inject();
      expect(await fault.prove()).toMatchObject({ proved: true });
      await fault.heal();
      const proof = await fault.proveHealed();
      expect(proof).toMatchObject({ proved: true });
      expect(proof.detail).toContain('a new run_id, 0 keys');
    });
  });

  it('kill: takes a node that granted the holder, and the next of them once that is dead', async () => {
    await on('independent', async (cluster) => {
      const fault = await aim(cluster, { kind: 'kill', node: 'a vote' });
      expect(fault.targets).toEqual(['redis-4']);
      await fault.inject();
      await expect(aim(cluster, { kind: 'kill', node: 'a vote' })).rejects.toThrow(/no running node/);
    });
  });

  it('kill: not proved where something starts the node again', async () => {
    await on('independent', async (cluster) => {
      const fault = await aim(cluster, { kind: 'kill', node: 'redis-2' });
      await fault.inject();
      await cluster.runtime.start('redis-2');
      await cluster.node('redis-2').admin.answered(10_000);
      expect(await fault.prove()).toMatchObject({ proved: false });
    });
  });

  it.each(['upstream', 'downstream', 'both'] as const)('cut %s: proved by what the probe did, and healed', async (direction) => {
    await on('independent', async (cluster) => {
      const fault = await aim(cluster, { kind: 'cut', node: 'redis-3', direction });
      await fault.inject();
      const proof = await fault.prove();
      expect(proof).toMatchObject({ proved: true });
      expect(proof.detail).toContain(direction === 'downstream' ? 'its command arrived' : 'did not arrive');
      await fault.heal();
      expect(await fault.proveHealed()).toMatchObject({ proved: true });
    });
  });

  it('cut: not proved where the link was not cut, or in the other direction', async () => {
    await on('independent', async (cluster) => {
      const untouched = await aim(cluster, { kind: 'cut', node: 'redis-3', direction: 'both' });
      expect(await untouched.prove()).toMatchObject({ proved: false });
      const link = cluster.links.find(({ to }) => to === 'redis-3');
      await link?.blackHole('other-way', 'downstream');
      expect(await untouched.prove()).toMatchObject({ proved: false });
      await link?.remove('other-way');
      await untouched.proveHealed(); // closes its probe
    });
  });

  it('cut-replication: proved by a marker, and healed', async () => {
    await on('sentinel', async (cluster) => {
      const fault = await aim(cluster, { kind: 'cut-replication' });
      await fault.inject();
      expect(await fault.prove()).toMatchObject({ proved: true });
      await fault.heal();
      expect(await fault.proveHealed()).toMatchObject({ proved: true });
    });
  });

  it('cut-replication: not proved where a replica goes around the proxy', async () => {
    await on('sentinel', async (cluster) => {
      const host = mode === 'local' ? cluster.runtime.address('nodes', 16406).host : '127.0.0.1';
      const replica = cluster.node('redis-7');
      await replica.admin.call('REPLICAOF', host, '16406');
      const fault = await aim(cluster, { kind: 'cut-replication' });
      await fault.inject();
      const proof = await fault.prove();
      expect(proof).toMatchObject({ proved: false });
      await fault.heal();
    });
  });

  it('refuses a target that the topology does not have, and parameters that it does not know', async () => {
    await on('independent', async (cluster) => {
      await expect(aim(cluster, { kind: 'kill', node: 'redis-9' })).rejects.toThrow(UsageError);
      expect(() => checkFault({ kind: 'kill', node: 'redis-1', when: 'now' })).toThrow(/fault kill/);
      expect(() => checkFault({ kind: 'kil' })).toThrow(/unknown fault: kil/);
    });
  });
});
