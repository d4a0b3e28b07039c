/**
 * Our reference Redlock: the five steps as published, with the validity check and release on every node.
 * https://redis.io/docs/latest/develop/use/patterns/distributed-locks/#the-redlock-algorithm
 */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type { NodeAnswer } from '../model/event.ts';
import type { AfterGrant, Granted, Lock, LockContext, LockDefinition, Refused } from '../model/lock.ts';
import { type Millis, nanos } from '../model/time.ts';
import { choiceOption, numberOption } from './options.ts';
import { LOCK_CONNECTION, RedisNode } from './redis-node.ts';

const DRIFT_FACTOR = 0.01;
const DRIFT_CONSTANT: Millis = 2;

/** Clocks may drift: so much of the ttl is never counted on. */
const driftOf = (ttl: Millis, options: LockContext['options']): Millis =>
  ttl * numberOption(options, 'driftFactor', DRIFT_FACTOR) + DRIFT_CONSTANT;

const connect = async (context: LockContext): Promise<Lock> => {
  const { clock, ttl, options, servers } = context;
  const timeout = numberOption(options, 'nodeTimeout', 50);
  const order = choiceOption(options, 'order', ['parallel', 'sequential']);
  const drift = driftOf(ttl, options);
  const majority = Math.floor(servers.nodes.length / 2) + 1;
  const nodes = servers.nodes.map(
    ({ name, address }) => new RedisNode(new Redis({ ...address, ...LOCK_CONNECTION }), { clock, timeout, nameNow: () => name }),
  );
  await Promise.all(nodes.map((node) => node.connected()));

  const everyNode = async (ask: (node: RedisNode) => Promise<NodeAnswer>): Promise<NodeAnswer[]> => {
    if (order === 'parallel') return Promise.all(nodes.map(ask));
    const answers: NodeAnswer[] = [];
    for (const node of nodes) answers.push(await ask(node));
    return answers;
  };
  // On all nodes, also on those that did not grant: a SET whose answer was lost may have been applied.
  const releaseEverywhere = (key: string, token: string): Promise<NodeAnswer[]> => everyNode((node) => node.compareAndDelete(key, token));
  const count = (answers: readonly NodeAnswer[], said: NodeAnswer['said']): number =>
    answers.filter((answer) => answer.said === said).length;

  return {
    async acquire(key): Promise<Granted | Refused> {
      const token = randomBytes(16).toString('hex');
      const start = clock.now();
      const answers = await everyNode((node) => node.set(key, token, ttl));
      const until = start + nanos(ttl - drift);
      const grants = count(answers, 'granted');
      if (grants >= majority && clock.now() < until) return { outcome: 'granted', token, until, answers };
      await releaseEverywhere(key, token);
      const reason = grants >= majority ? 'no validity left after the quorum' : `${grants} of ${nodes.length} granted, ${majority} needed`;
      return { outcome: 'refused', reason, answers };
    },

    async release(key, token): Promise<AfterGrant> {
      const answers = await releaseEverywhere(key, token);
      const done = count(answers, '1');
      if (done > 0) return { outcome: 'done', answers };
      if (count(answers, 'timeout') + count(answers, 'error') > 0) return { outcome: 'unknown', reason: 'no node confirmed', answers };
      return { outcome: 'refused', reason: 'no longer held', answers };
    },

    async [Symbol.asyncDispose]() {
      for (const node of nodes) node.close();
    },
  };
};

export const redlock: LockDefinition = {
  name: 'redlock',
  sentence: 'Redlock as published, on independent Redis: a majority of grants, time left after the quorum, release on all.',
  topologies: ['independent'],
  lease: true,
  options: {
    order: 'parallel (default) or sequential requests',
    nodeTimeout: 'milliseconds to wait for each node (50)',
    driftFactor: 'share of the ttl not counted on, beside 2 ms (0.01)',
  },
  leastTtl: (options) => DRIFT_CONSTANT / (1 - numberOption(options, 'driftFactor', DRIFT_FACTOR)),
  keys: (resource) => [`lock:${resource}`],
  connect,
};
