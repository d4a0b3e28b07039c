/** SET NX PX on whichever one server a connection leads to: what `single` and `sentinel` have in common. */
import { randomBytes } from 'node:crypto';
import type { AfterGrant, Granted, Lock, LockContext, Refused, Unknown } from '../model/lock.ts';
import type { RedisNode } from './redis-node.ts';

export const onePrimaryLock = async (node: RedisNode, { ttl }: LockContext): Promise<Lock> => {
  await node.connected();
  return {
    async acquire(key): Promise<Granted | Refused | Unknown> {
      const token = randomBytes(16).toString('hex');
      const answer = await node.set(key, token, ttl);
      const answers = [answer];
      if (answer.said === 'granted') return { outcome: 'granted', token, answers };
      if (answer.said === 'refused') return { outcome: 'refused', reason: answer.detail ?? 'held by another', answers };
      if (answer.said === 'unsent') return { outcome: 'refused', reason: 'no connection', answers };
      // The SET may have been applied: take it back, or everybody waits for the ttl.
      await node.compareAndDelete(key, token);
      return { outcome: 'unknown', reason: answer.detail ?? answer.said, answers };
    },

    async release(key, token): Promise<AfterGrant> {
      const answer = await node.compareAndDelete(key, token);
      const answers = [answer];
      if (answer.said === '1') return { outcome: 'done', answers };
      if (answer.said === '0') return { outcome: 'refused', reason: 'no longer held', answers };
      if (answer.said === 'refused' || answer.said === 'unsent')
        return { outcome: 'refused', reason: answer.detail ?? answer.said, answers };
      return { outcome: 'unknown', reason: answer.detail ?? answer.said, answers };
    },

    async [Symbol.asyncDispose]() {
      node.close();
    },
  };
};
