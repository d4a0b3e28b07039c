/** The lock on one Redis: SET NX PX, released by compare-and-delete. Lost when the server comes back empty. */
import { Redis } from 'ioredis';
import { UsageError } from '../model/errors.ts';
import type { LockDefinition } from '../model/lock.ts';
import { onePrimaryLock } from './one-primary.ts';
import { numberOption } from './options.ts';
import { LOCK_CONNECTION, RedisNode } from './redis-node.ts';

export const single: LockDefinition = {
  name: 'single',
  sentence: 'SET NX PX on one Redis, released by compare-and-delete.',
  topologies: ['single'],
  lease: true,
  options: { timeout: 'milliseconds to wait for an answer (1000)' },
  keys: (resource) => [`lock:${resource}`],
  async connect(context) {
    const [server] = context.servers.nodes;
    if (!server) throw new UsageError('the lock single needs one Redis');
    const redis = new Redis({ ...server.address, ...LOCK_CONNECTION });
    const timeout = numberOption(context.options, 'timeout', 1_000);
    return onePrimaryLock(new RedisNode(redis, { clock: context.clock, timeout, nameNow: () => server.name }), context);
  },
};
