import { describe, expect, it } from 'vitest';
import { Story } from '../history/story.fixture.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { RunResult } from '../model/verdict.ts';
import { drawTimeline } from './draw-timeline.ts';
import { renderTerminal } from './terminal.ts';
import { buildTimeline } from './timeline.ts';

const PLAIN = { width: 100, color: false, unicode: true, cwd: '/work' };

const result = (more: Partial<RunResult> = {}): RunResult => ({
  scenario: 'failover',
  lock: 'sentinel',
  topology: 'sentinel',
  infra: 'local',
  seed: '7f3a',
  verdict: 'violated',
  expected: 'violated:mutual-exclusion:split-brain',
  asExpected: true,
  exitCode: 0,
  checks: [
    {
      name: 'mutual-exclusion',
      verdict: 'fail',
      measured: { what: 'split-brain 1', value: 'two holders for 155 ms' },
      values: {},
      findings: [{ check: 'mutual-exclusion', text: 'c1 and c2 were both inside.', contenders: ['c1', 'c2'], lines: [3, 9], counts: true }],
    },
    { name: 'grant', verdict: 'pass', measured: { what: 'least time left at a grant', value: '5.9 s' }, values: {}, findings: [] },
  ],
  outcome: ['c1 got lock:orders on redis-6 at 0.7 s.'],
  doubts: [],
  phases: [{ name: 'topology', ok: true, summary: '1 primary, 2 replicas', took: 340 }],
  versions: {},
  images: {},
  events: 58,
  folder: '/work/.redlock-chaos/1201-0412-failover-sentinel-7f3a',
  ...more,
});

/** c1 is inside for two seconds; c2 waits, and gets in for the last 400 ms of it. */
const overlapping = (): HistoryEvent[] =>
  new Story({ ttl: 10_000 })
    .goesIn('c1')
    .fault('kill', 'inject', { nodes: ['redis-6'] })
    .refused('c2')
    .wait(1_600)
    .goesIn('c2')
    .wait(400)
    .goesOut('c1')
    .wait(100)
    .goesOut('c2')
    .ended();

describe('the timeline', () => {
  it('puts the overlap under the columns where both hold', () => {
    const lines = drawTimeline(buildTimeline(overlapping()), 100);
    const row = (name: string): string => lines.find((line) => line.startsWith(` ${name} `)) ?? '';
    const overlap = row('overlap');
    const [from, to] = [overlap.indexOf('!'), overlap.lastIndexOf('!')];
    expect(to - from).toBeGreaterThan(5);
    for (let column = from; column <= to; column += 1) {
      expect(row('c1')[column]).toMatch(/[[=\]]/);
      expect(row('c2')[column]).toMatch(/[[=\]]/);
    }
    expect(row('c2').slice(0, from)).toContain('....');
    expect(row('nemesis')).toContain('x kill redis-6');
  });

  it('shows an overlap that is shorter than a column, and none where there is none', () => {
    const brief = new Story({ ttl: 100_000 }).goesIn('c1').wait(50_000).goesIn('c2').goesOut('c1').goesOut('c2').ended();
    expect(drawTimeline(buildTimeline(brief), 100).some((line) => /overlap +!$/.test(line))).toBe(true);
    const apart = new Story().turn('c1').turn('c2').ended();
    expect(drawTimeline(buildTimeline(apart), 100).join('\n')).not.toContain('overlap');
  });

  it('takes overlaps from the order in the file, not from stamps', () => {
    const story = new Story().goesIn('c1').goesOut('c1');
    story.goesIn('c2').goesOut('c2');
    const events = story.ended().map((event) => (event.writer === 'c2' ? { ...event, at: event.at - 4e6 } : event)); // stamped into c1's hold
    expect(buildTimeline(events).overlaps).toEqual([]);
  });

  it('marks what is past the lease, and what is indeterminate', () => {
    const past = new Story({ ttl: 500 }).goesIn('c1').wait(1_500).goesOut('c1').ended();
    expect(drawTimeline(buildTimeline(past), 100).join('\n')).toMatch(/c1 +\[=+~+\]/);
    const dead = new Story().goesIn('c1').wait(100).read('c1', '').wait(900).death('c1').refused('c2').ended();
    expect(drawTimeline(buildTimeline(dead), 100).join('\n')).toMatch(/c1 +.*=.*\?+/);
  });

  it.each([60, 80, 140])('stays within %i columns', (width) => {
    for (const line of drawTimeline(buildTimeline(overlapping()), width)) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('shows twelve of many contenders, those in an overlap among them', () => {
    const story = new Story({ ttl: 10_000 });
    for (let turn = 1; turn <= 20; turn += 1) story.turn(`c${turn}`);
    story.goesIn('c19').goesIn('c20').wait(50).goesOut('c19').goesOut('c20');
    const text = drawTimeline(buildTimeline(story.ended()), 100).join('\n');
    expect(text).toMatch(/^ c19 /m);
    expect(text).toMatch(/^ c20 /m);
    expect(text).toContain('and 8 more contenders');
  });
});

describe('the report', () => {
  const render = (more: Partial<RunResult> = {}, options: Partial<typeof PLAIN> = {}): string =>
    renderTerminal(result(more), buildTimeline(overlapping()), { ...PLAIN, ...options });

  it('tells verdict, why, checks with their values, and where the history is', () => {
    const text = render();
    expect(text).toContain('redlock-chaos  failover × sentinel');
    expect(text).toMatch(/✗ mutual-exclusion +split-brain 1 +two holders for 155 ms/);
    expect(text).toMatch(/✓ grant +least time left at a grant +5\.9 s/);
    expect(text).toContain('c1 and c2 were both inside. (lines 3, 9)');
    expect(text).toContain('Verdict  VIOLATED  (as expected of a lock on sentinel Redis)');
    expect(text).toContain('History  .redlock-chaos/1201-0412-failover-sentinel-7f3a/history.jsonl   58 lines');
  });

  it('says what was expected where it came out otherwise, and shows doubts and failures', () => {
    const text = render({ verdict: 'inconclusive', asExpected: false, doubts: ['The fault was not proved.'], failure: 'the disk is full' });
    expect(text).toContain('Verdict  INCONCLUSIVE  (not as expected: violated:mutual-exclusion:split-brain)');
    expect(text).toContain('The fault was not proved.');
    expect(text).toContain('Failed: the disk is full');
  });

  it('is ASCII without a UTF-8 locale, and plain without colour', () => {
    const text = render({}, { unicode: false });
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    expect(render()).not.toContain('\u001b');
    expect(render({}, { color: true })).toContain('\u001b[31mVIOLATED');
  });

  it.each([60, 100])('keeps to %i columns', (width) => {
    const lines = render({ outcome: ['word '.repeat(60)] }, { width }).split('\n');
    // The path stays whole, so that it can be copied.
    for (const line of lines.filter((each) => !each.includes('History'))) expect(line.length, line).toBeLessThanOrEqual(width);
  });

  it('lets no escape code of a lock or a scenario through', () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\r\n\u202e';
    const text = render({
      scenario: evil,
      lock: evil,
      outcome: [evil],
      doubts: [evil],
      failure: evil,
      folder: `/work/${evil}`,
      expected: evil,
      asExpected: false,
    });
    for (const character of ['\u001b', '\u0007', '\r', '\u202e']) expect(text).not.toContain(character);
    expect(text).toContain('\\x1b]0;owned');
  });
});
