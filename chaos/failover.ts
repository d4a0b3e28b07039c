/** The node that holds the lock dies: under Sentinel a replica without the key takes over, under Redlock the majority remembers. */
import { defineScenario } from '../src/index.ts';

export default defineScenario({
  name: 'failover',
  sentence: 'The node that holds the lock dies, and another takes its place.',
  story:
    'Sentinel: the lock is taken on the primary while replication is cut, the primary is killed, and the replica that is promoted has never ' +
    'heard of the lock. Redlock: one of five nodes, then a second, is killed under a holder that has their votes; the others remember.',
  sources: [
    'https://redis.io/docs/latest/develop/use/patterns/distributed-locks/#why-failover-based-implementations-are-not-enough',
    'https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html',
    'https://antirez.com/news/101',
  ],
  locks: ['sentinel', 'redlock'],
  stories: {
    sentinel: {
      workload: { contenders: 3, ttl: 6_000, hold: [80, 160], think: [20, 60], retry: [20, 60] },
      steps: [
        { name: 'cut', when: { on: 'gate', gate: 'acquire', after: 2 }, inject: { kind: 'cut-replication' } },
        {
          name: 'kill',
          when: { on: 'event', type: 'enter' },
          detain: { gate: 'exit', until: 'another-exit', atMost: 5_000 },
          inject: { kind: 'kill', node: 'primary' },
        },
        { name: 'promotion', when: { on: 'previous' }, await: 'promotion', limit: 15_000 },
      ],
      recovery: { grants: 2, within: 10_000 },
      coverage: { faultsMeetLiveLock: true },
      expect: {
        kind: 'violations',
        required: [{ check: 'mutual-exclusion', class: 'split-brain' }],
        allowed: [],
        why: 'replication is asynchronous, so a promoted replica may lack the key',
      },
    },
    independent: {
      workload: { contenders: 3, ttl: 1_500, hold: [80, 160], think: [20, 60], retry: [20, 60] },
      steps: [
        {
          name: 'first',
          when: { on: 'event', type: 'enter' },
          detain: { gate: 'exit', until: 'another-exit', atMost: 900 },
          inject: { kind: 'kill', node: 'a vote' },
        },
        { name: 'second', when: { on: 'previous' }, inject: { kind: 'kill', node: 'a vote' } },
        // Empty nodes must stay away until every lease that they gave has ended.
        { name: 'return', when: { on: 'previous', plus: 'ttl' }, heal: ['first', 'second'] },
      ],
      recovery: { grants: 2, within: 5_000 },
      coverage: { faultsMeetLiveLock: true },
      expect: { kind: 'violations', required: [], allowed: [], why: 'three of five nodes remember the lock' },
    },
  },
});
