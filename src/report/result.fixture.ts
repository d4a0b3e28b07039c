/** Results of runs as reports get them, made by hand. */
import type { CheckResult, RunResult } from '../model/verdict.ts';

export const check = (
  name: CheckResult['name'],
  verdict: CheckResult['verdict'],
  what: string,
  value: string,
  findings: CheckResult['findings'] = [],
): CheckResult => ({ name, verdict, measured: { what, value }, values: {}, findings });

/** The failover of the house style: a split brain, as expected of a lock on Sentinel. */
export const result = (more: Partial<RunResult> = {}): RunResult => ({
  scenario: 'failover',
  lock: 'sentinel',
  topology: 'sentinel',
  infra: 'docker',
  seed: '7f3a',
  verdict: 'violated',
  expected: 'violated:mutual-exclusion:split-brain',
  asExpected: true,
  exitCode: 0,
  checks: [
    check('mutual-exclusion', 'fail', 'split-brain 1, overrun 0', 'two holders for 1.6 s', [
      {
        check: 'mutual-exclusion',
        class: 'split-brain',
        text: 'c1 and c3 were both inside lock:orders for 1.6 s: both leases were running.',
        contenders: ['c1', 'c3'],
        lines: [14, 33, 36],
        counts: true,
      },
    ]),
    check('ledger', 'fail', '4 writes acknowledged', '3 stored, 1 lost'),
    check('grant', 'pass', 'least time left', '5.93 s'),
    check('liveness', 'pass', 'first grant after promotion', '0.1 s'),
    check('lost-signal', 'info', 'told of the loss', 'never'),
    check('coverage', 'pass', 'faults that met a live lock', '2 of 2'),
  ],
  outcome: [
    'c1 got lock:orders on redis-6 at 0.7 s, with its lease to run to 6.7 s.',
    'Its write never reached redis-7: replication was cut at 0.5 s.',
    'redis-6 was killed at 1.1 s; redis-7 was promoted at 3.3 s without the key; c3 got the lock there at 3.4 s.',
  ],
  doubts: [],
  phases: [
    { name: 'topology', ok: true, summary: '1 primary, 2 replicas, 3 sentinels, 7 links', took: 2_100 },
    { name: 'workload', ok: true, summary: '3 contenders, 4 grants, ttl 6 s', took: 6_000 },
    { name: 'faults', ok: true, summary: '2 injected, 2 proved, 2 healed', took: 400 },
  ],
  versions: {},
  images: {},
  events: 58,
  folder: '/work/.redlock-chaos/1201-0412-failover-sentinel-7f3a',
  ...more,
});
