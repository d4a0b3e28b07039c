import { describe, expect, it } from 'vitest';
import { Story } from '../history/story.fixture.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { Millis } from '../model/time.ts';
import type { RunResult } from '../model/verdict.ts';
import { widthOf } from './columns.ts';
import { check, result } from './result.fixture.ts';
import { renderTerminal } from './terminal.ts';
import { buildTimeline } from './timeline.ts';

const PLAIN = { width: 100, color: false, unicode: true, cwd: '/work' };

const render = (events: Iterable<HistoryEvent>, more: Partial<RunResult> = {}, options: Partial<typeof PLAIN> = {}): string =>
  renderTerminal(result(more), buildTimeline(events), { ...PLAIN, ...options });

const TOPOLOGY_UP: Millis = 2_100;

/** The house style's failover: replication is cut, c1 gets the lock, its node dies, and c3 gets it from the promoted replica. */
const failover = (): HistoryEvent[] => {
  const story = new Story({ ttl: 6_000 });
  const cut = { fault: 'cut-replication', detail: 'cut primary > replicas', nodes: ['redis-6', 'redis-7'] };
  const kill = { nodes: ['redis-6'], detail: 'kill redis-6' };
  const at = (moment: Millis): Story => story.wait(TOPOLOGY_UP + moment - story.now / 1e6);
  at(0).goesIn('c2').refused('c1').refused('c3');
  at(300).goesOut('c2');
  at(500).fault('cut', 'inject', cut).fault('cut', 'proved', cut);
  at(700).goesIn('c1', { nodes: ['redis-6'] });
  at(800).refused('c2').refused('c3');
  at(1_100).fault('kill', 'inject', kill).fault('kill', 'proved', kill);
  at(3_300).line('nemesis', { type: 'milestone', step: 'promotion', what: 'promoted', node: 'redis-7', detail: '' });
  at(3_400).goesIn('c3', { nodes: ['redis-7'] });
  at(5_000).goesOut('c1');
  at(5_100).goesOut('c3');
  at(5_200).fault('cut', 'heal', cut).fault('cut', 'healed', cut);
  at(5_300).goesIn('c2');
  at(5_600).goesOut('c2');
  return story.ended();
};

const holding = (): HistoryEvent[] => new Story().goesIn('c1').refused('c2').wait(100).goesOut('c1').turn('c2').wait(50).turn('c3').ended();

const HOLDS: Partial<RunResult> = {
  scenario: 'baseline',
  lock: 'redlock',
  topology: 'independent',
  verdict: 'holds',
  expected: 'holds',
  checks: [check('mutual-exclusion', 'pass', 'holds compared', '3, none overlap'), check('grant', 'pass', 'least time left', '0.98 s')],
  outcome: ['3 grants, and nobody else got in during 1 attempt made while another was inside.'],
};

const INCONCLUSIVE: Partial<RunResult> = {
  ...HOLDS,
  verdict: 'inconclusive',
  asExpected: false,
  exitCode: 3,
  checks: [
    check('mutual-exclusion', 'pass', 'holds compared', '3, none overlap'),
    check('coverage', 'inconclusive', 'faults that met a live lock', '0 of 1', [
      { check: 'coverage', text: 'kill redis-6 met no live lock.', contenders: [], lines: [12], counts: false },
    ]),
  ],
  outcome: ['No second holder was seen, but this run does not count; see the doubts.'],
  doubts: ['kill redis-6 met no live lock.'],
};

describe('the report of a failover', () => {
  it('looks like this', () => {
    expect(render(failover())).toMatchInlineSnapshot(`
      "
       redlock-chaos  failover × sentinel                                                docker  seed 7f3a

       ✔ topology   1 primary, 2 replicas, 3 sentinels, 7 links                                      2.1 s
       ✔ workload   3 contenders, 4 grants, ttl 6 s                                                  6.0 s
       ✔ faults     2 injected, 2 proved, 2 healed                                                  400 ms

       TIMELINE  lock:orders                          one column = 100 ms
                0s        1s        2s        3s        4s        5s
                +---------+---------+---------+---------+---------+------
       c1       .......[==========================================]
       c2       [==]    .............................................[==]
       c3       ..................................[================]
       nemesis       <----------- cut primary > replicas ----------->
                           x kill redis-6        ^ promoted redis-7
       overlap                                    !!!!!!!!!!!!!!!!!
                . waiting   [=] holding   ~ past its lease   ? indeterminate

       CHECKS
       ✗ mutual-exclusion  split-brain 1, overrun 0     two holders for 1.6 s
           c1 and c3 were both inside lock:orders for 1.6 s: both leases were running. (lines 14, 33, 36)
       ✗ ledger            4 writes acknowledged        3 stored, 1 lost
       ✓ grant             least time left              5.93 s
       ✓ liveness          first grant after promotion  0.1 s
       – lost-signal       told of the loss             never
       ✓ coverage          faults that met a live lock  2 of 2

       WHY
         c1 got lock:orders on redis-6 at 0.7 s, with its lease to run to 6.7 s.
         Its write never reached redis-7: replication was cut at 0.5 s.
         redis-6 was killed at 1.1 s; redis-7 was promoted at 3.3 s without the key; c3 got the lock there
         at 3.4 s.

         Verdict  VIOLATED  (as expected of a lock on Sentinel)
         History  .redlock-chaos/1201-0412-failover-sentinel-7f3a/history.jsonl   58 events
      "
    `);
  });

  it('looks like this in 60 columns of ASCII', () => {
    expect(render(failover(), {}, { width: 60, unicode: false })).toMatchInlineSnapshot(`
      "
       redlock-chaos  failover x sentinel        docker  seed 7f3a

       v topology   1 primary, 2 replicas, 3 sentinels, 7    2.1 s
                    links
       v workload   3 contenders, 4 grants, ttl 6 s          6.0 s
       v faults     2 injected, 2 proved, 2 healed          400 ms

       TIMELINE  lock:orders  one column = 200 ms
                0s        2s        4s
                +---------+---------+--------
       c1       ...[=====================]
       c2       []  ......................[=]
       c3       .................[=======]
       nemesis    <-----------------------> cut primary > replicas
                     x kill redis-6
                                ^ promoted redis-7
       overlap                   !!!!!!!!!
                . waiting   [=] holding   ~ past its lease
                ? indeterminate

       CHECKS
       x mutual-exclusion  split-brain 1, overrun 0: two holders
                           for 1.6 s
           c1 and c3 were both inside lock:orders for 1.6 s: both
           leases were running. (lines 14, 33, 36)
       x ledger            4 writes acknowledged: 3 stored, 1 lost
       v grant             least time left: 5.93 s
       v liveness          first grant after promotion: 0.1 s
       - lost-signal       told of the loss: never
       v coverage          faults that met a live lock: 2 of 2

       WHY
         c1 got lock:orders on redis-6 at 0.7 s, with its lease to
         run to 6.7 s.
         Its write never reached redis-7: replication was cut at
         0.5 s.
         redis-6 was killed at 1.1 s; redis-7 was promoted at
         3.3 s without the key; c3 got the lock there at 3.4 s.

         Verdict  VIOLATED  (as expected of a lock on Sentinel)
         History  .redlock-chaos/1201-0412-failover-sentinel-7f3a/history.jsonl
                  58 events
      "
    `);
  });

  it("counts time from the workload's start, as the WHY does", () => {
    const line = (name: string): string =>
      render(failover())
        .split('\n')
        .find((each) => each.startsWith(` ${name} `)) ?? '';
    const zero = line('c2').indexOf('[');
    expect(line('c1').indexOf('[') - zero).toBe(7); // 0.7 s, one column = 100 ms
    expect(line('c3').indexOf('[') - zero).toBe(34);
    expect(line('overlap').indexOf('!') - zero).toBe(34);
    expect(line('overlap').lastIndexOf('!') - zero).toBe(50);
  });

  it('aligns what was measured in columns', () => {
    const rows = render(failover())
      .split('\n')
      .filter((line) => /^ [✓✗–] [a-z]/.test(line));
    expect(rows).toHaveLength(6);
    const starts = rows.map((line) => [...line.matchAll(/ {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length));
    expect(new Set(starts.map(String)).size).toBe(1);
  });
});

describe('the report', () => {
  it('keeps what passes to a line a check', () => {
    const text = render(holding(), HOLDS);
    expect(text).toMatch(/ ✓ mutual-exclusion {2}holds compared {3}3, none overlap\n ✓ grant {13}least time left {2}0\.98 s\n\n/);
    expect(text).toContain('Verdict  HOLDS  (as expected of a lock on independent Redis)');
    for (const word of ['overlap  ', 'DOUBTS']) expect(text).not.toContain(word);
  });

  it('opens up what is unsure, with doubts and what was expected', () => {
    const text = render(holding(), INCONCLUSIVE);
    expect(text).toContain(' ? coverage          faults that met a live lock  0 of 1\n     kill redis-6 met no live lock. (line 12)');
    expect(text).toContain(' DOUBTS\n   kill redis-6 met no live lock.');
    expect(text).toContain('Verdict  INCONCLUSIVE  (not expected: should be holds)');
  });

  it('shows three findings of many, and why one does not count', () => {
    const finding = { check: 'release' as const, text: 'c1 released it.', contenders: [], lines: [], counts: false, why: 'c2 was dead' };
    const text = render(holding(), { checks: [check('release', 'fail', 'releases', '5', [finding, finding, finding, finding, finding])] });
    expect(text.match(/c1 released it\. It does not count: c2 was dead\./g)).toHaveLength(3);
    expect(text).toContain('and 2 more findings in result.json');
  });

  it('tells of a run that failed before the workload began', () => {
    const failure = { failure: 'no Docker engine answers', verdict: 'unknown' as const, checks: [], outcome: [], events: 1 };
    const text = render([], { ...failure, phases: [{ name: 'topology', ok: false, summary: 'failed', took: 30 }] });
    expect(text).toContain(' ✗ topology   failed');
    expect(text).toContain('Failed: no Docker engine answers');
    expect(text).toContain('1 event\n');
    expect(text).not.toContain('TIMELINE');
  });

  it('is ASCII without a UTF-8 locale, whatever names are', () => {
    const text = render(holding(), { ...INCONCLUSIVE, lock: 'ロック', outcome: ['a → b'] }, { unicode: false });
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    expect(text).toMatch(/^ v topology/m);
    expect(text).toContain('a -> b');
  });

  it('colours nothing but the verdict, signs and marks, and nothing at all where it may not', () => {
    const coloured = render(failover(), {}, { color: true });
    expect(coloured).toContain('\u001b[31mVIOLATED\u001b[39m');
    expect(coloured).toContain('\u001b[31m!!!!');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken away
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(render(failover()));
    expect(render(failover())).not.toContain('\u001b');
  });

  it.each([60, 73, 100])('keeps to %i columns', (width) => {
    const long = { outcome: ['word '.repeat(60), 'x'.repeat(300)], doubts: ['y'.repeat(130)], seed: 's'.repeat(40), lock: 'ロ'.repeat(60) };
    for (const more of [{}, HOLDS, INCONCLUSIVE, long, { expected: 'violated:'.repeat(30), asExpected: false }]) {
      const lines = render(failover(), more, { width }).split('\n');
      // The path stays whole, so that it can be copied.
      for (const line of lines.filter((each) => !each.includes('History'))) expect(widthOf(line), line).toBeLessThanOrEqual(width);
    }
  });

  it('lets no escape code of a lock, node or scenario through', () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r\n\u202e';
    const events = new Story()
      .turn(evil)
      .turn('c1', evil)
      .fault('f', 'inject', { fault: 'cut', detail: evil, nodes: [evil] });
    events.line('nemesis', { type: 'milestone', step: evil, what: 'promoted', node: evil, detail: evil }).turn('c2');
    const finding = { check: 'grant' as const, text: evil, why: evil, contenders: [evil], lines: [3], counts: true };
    const text = render(events.ended(), {
      scenario: evil,
      lock: evil,
      topology: evil,
      infra: evil,
      seed: evil,
      expected: evil,
      failure: evil,
      folder: `/work/${evil}`,
      outcome: [evil],
      doubts: [evil],
      checks: [check('grant', 'fail', evil, evil, [finding])],
      phases: [{ name: 'topology', ok: true, summary: evil, took: 1 }],
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).toContain('\\x1b]0;owned');
  });
});
