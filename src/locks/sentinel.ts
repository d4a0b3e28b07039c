/** The lock on a Sentinel-managed primary: SET NX PX there, compare-and-delete. Lost when a replica without the key is promoted. */
import { Redis } from 'ioredis';
import { UsageError } from '../model/errors.ts';
import type { LockDefinition } from '../model/lock.ts';
import { onePrimaryLock } from './one-primary.ts';
import { numberOption } from './options.ts';
import { LOCK_CONNECTION, RedisNode } from './redis-node.ts';

export const sentinel: LockDefinition = {
  name: 'sentinel',
  sentence: 'SET NX PX on a primary that Sentinel watches over, released by compare-and-delete.',
  topologies: ['sentinel'],
  lease: true,
  options: { timeout: 'milliseconds to wait for an answer (500)' },
  keys: (resource) => [`lock:${resource}`],
  async connect(context) {
    const { nodes, sentinels, group, natMap } = context.servers;
    if (group === undefined || sentinels.length === 0) throw new UsageError('the lock sentinel needs a primary under Sentinel');
    const redis = new Redis({
      ...LOCK_CONNECTION,
      sentinels: [...sentinels],
      name: group,
      natMap: { ...natMap },
      // Sentinels tell each other's own addresses, which would lead around the links.
      updateSentinels: false,
      sentinelRetryStrategy: () => 50,
      // A primary that was demoted says READONLY to whoever stays connected (redis/ioredis #305).
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
    });
    const nameNow = (): string => nodes.find(({ address }) => address.port === redis.stream?.remotePort)?.name ?? 'primary';
    const timeout = numberOption(context.options, 'timeout', 500);
    return onePrimaryLock(new RedisNode(redis, { clock: context.clock, timeout, nameNow }), context);
  },
};
