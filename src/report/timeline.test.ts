import { describe, expect, it } from 'vitest';
import { KEY, Story } from '../history/story.fixture.ts';
import type { HistoryEvent } from '../model/event.ts';
import { millis, nanos } from '../model/time.ts';
import { buildTimeline, type Lane, type Timeline, workloadStart } from './timeline.ts';

const lane = (timeline: Timeline, contender: string): Lane => {
  const found = timeline.keys[0]?.lanes.find((one) => one.contender === contender);
  if (!found) throw new Error(`no lane of ${contender}`);
  return found;
};

/** `holding 3-5`: kinds with their milliseconds since the workload began. */
const told = (timeline: Timeline, parts: readonly { kind: string; from: number; to: number }[]): string[] =>
  parts.map(({ kind, from, to }) => `${kind} ${millis(from - timeline.from)}-${millis(to - timeline.from)}`);

const overlapsOf = (events: Iterable<HistoryEvent>) => buildTimeline(events).keys.flatMap(({ overlaps }) => overlaps);

const stampedLater = (events: readonly HistoryEvent[], writer: string, by: number): HistoryEvent[] =>
  events.map((event) => (event.writer === writer ? { ...event, at: event.at + nanos(by) } : event));

describe('overlaps', () => {
  it('exist where one enters between the enter and the exit of another, in file order', () => {
    const events = new Story().goesIn('c1').wait(50).goesIn('c2').wait(40).goesOut('c1').goesOut('c2').ended();
    const [enters, exit] = [events.filter(({ type }) => type === 'enter'), events.find(({ type }) => type === 'exit')];
    expect(overlapsOf(events)).toEqual([{ key: KEY, contenders: ['c1', 'c2'], from: enters[1]?.at, to: exit?.at, certain: true }]);
  });

  it('do not where one leaves before the other enters, whatever the stamps say', () => {
    const events = new Story().turn('c1').turn('c2').ended();
    expect(overlapsOf(events)).toEqual([]);
    expect(overlapsOf(stampedLater(events, 'c2', -4))).toEqual([]); // stamped into c1's stay
  });

  it('do where stamps deny it, and then take no time', () => {
    const events = new Story().goesIn('c1').goesIn('c2').goesOut('c1').goesOut('c2').ended();
    const [overlap] = overlapsOf(stampedLater(events, 'c2', 100));
    expect(overlap).toMatchObject({ contenders: ['c1', 'c2'], certain: true });
    expect(overlap?.to).toBe(overlap?.from);
  });

  it('are every pair of three', () => {
    const events = new Story().goesIn('c1').goesIn('c2').goesIn('c3').goesOut('c2').goesOut('c1').goesOut('c3').ended();
    expect(overlapsOf(events).map(({ contenders }) => contenders.join())).toEqual(['c1,c2', 'c1,c3', 'c2,c3']);
  });

  it('are not certain between the last line of a dead holder and its recorded death', () => {
    const after = new Story().goesIn('c1').wait(50).goesIn('c2').wait(50).death('c1').goesOut('c2').ended();
    expect(overlapsOf(after)).toMatchObject([{ contenders: ['c1', 'c2'], certain: false }]);
    const before = new Story().goesIn('c1').wait(50).goesIn('c2').wait(50).kill('c1').death('c1').goesOut('c2').ended();
    expect(overlapsOf(before)).toMatchObject([{ contenders: ['c1', 'c2'], certain: true }]);
    const freed = new Story().goesIn('c1').wait(50).death('c1').goesIn('c2').goesOut('c2').ended();
    expect(overlapsOf(freed)).toEqual([]);
  });

  it('are of one key', () => {
    const events = new Story().goesIn('c1').goesIn('c2', { key: 'lock:bills' }).goesOut('c1').goesOut('c2', 'lock:bills').ended();
    const timeline = buildTimeline(events);
    expect(timeline.keys.map(({ key, lanes }) => [key, lanes.map(({ contender }) => contender).join()])).toEqual([
      [KEY, 'c1'],
      ['lock:bills', 'c2'],
    ]);
    expect(timeline.keys.flatMap(({ overlaps }) => overlaps)).toEqual([]);
  });
});

describe('a lane', () => {
  it('waits from the first attempt to the grant, holds from enter to exit', () => {
    const timeline = buildTimeline(new Story().refused('c1').wait(10).refused('c1').goesIn('c1').wait(20).goesOut('c1').ended());
    expect(told(timeline, lane(timeline, 'c1').segments)).toEqual(['waiting 0-15', 'holding 16-37']);
  });

  it('is past its lease from ttl after the start of the winning attempt, or from the claimed end where that is earlier', () => {
    const ttl = buildTimeline(new Story({ ttl: 100 }).acquire('c1', { took: 30 }).enter('c1').wait(200).goesOut('c1').ended());
    expect(told(ttl, lane(ttl, 'c1').segments)).toEqual(['waiting 0-31', 'holding 32-100', 'past-lease 100-233']);
    const claimed = new Story({ ttl: 100 });
    claimed
      .acquire('c1', { until: nanos(62) })
      .enter('c1')
      .wait(200)
      .goesOut('c1');
    const timeline = buildTimeline(claimed.ended());
    expect(told(timeline, lane(timeline, 'c1').segments)[2]).toBe('past-lease 60-203');
  });

  it('is past its lease from the start where the lease had ended before it entered', () => {
    const timeline = buildTimeline(new Story({ ttl: 100 }).acquire('c1', { took: 200 }).enter('c1').wait(20).goesOut('c1').ended());
    expect(told(timeline, lane(timeline, 'c1').segments)).toEqual(['waiting 0-201', 'past-lease 202-223']);
  });

  it('is indeterminate from its last own line, or from its kill, to the recorded death', () => {
    const own = buildTimeline(new Story().goesIn('c1').wait(50).read('c1', '').wait(40).death('c1').ended());
    expect(told(own, lane(own, 'c1').segments).slice(1)).toEqual(['holding 2-54', 'indeterminate 54-95']);
    const killed = buildTimeline(new Story().goesIn('c1').wait(50).kill('c1').wait(40).death('c1').ended());
    expect(told(killed, lane(killed, 'c1').segments).slice(1)).toEqual(['holding 2-53', 'indeterminate 53-94']);
  });

  it('is indeterminate to the end where the file was cut off', () => {
    const timeline = buildTimeline(new Story().goesIn('c1').wait(50).read('c1', '').wait(40).refused('c2').events);
    expect(told(timeline, lane(timeline, 'c1').segments).at(-1)).toBe('indeterminate 54-96');
  });

  it('ends its wait with its death', () => {
    const timeline = buildTimeline(new Story().goesIn('c1').refused('c2').wait(10).death('c2').wait(50).goesOut('c1').ended());
    expect(told(timeline, lane(timeline, 'c2').segments)).toEqual(['waiting 3-15']);
  });

  it('shows gates, and whether a gap was a stop or a busy loop', () => {
    const story = new Story().line('c1', { type: 'gate', gate: 'acquire', state: 'waiting' }).wait(10);
    story.line('c1', { type: 'gate', gate: 'acquire', state: 'passed' }).goesIn('c1');
    story.line('c1', { type: 'gate', gate: 'exit', state: 'waiting' }).wait(60);
    const [from, to] = [story.now - nanos(60), story.now];
    story.line('c1', { type: 'gap', from, to, cpu: nanos(1) }).line('c1', { type: 'gap', from, to, cpu: nanos(59) });
    story.line('c1', { type: 'gate', gate: 'exit', state: 'passed' }).goesOut('c1');
    const timeline = buildTimeline(story.ended());
    expect(told(timeline, lane(timeline, 'c1').pauses)).toEqual(['gate -12--1', 'stopped 3-63', 'blocked 3-63', 'kept 3-66']);
  });
});

describe('the nemesis lane', () => {
  const marks = (story: Story): string[] => buildTimeline(story.ended()).nemesis.map(({ kind, label }) => `${kind}: ${label}`);
  const cut = { fault: 'cut-replication', detail: 'cut primary > replicas' };

  it('has stretches from injection to healing, and moments', () => {
    const story = new Story().turn('c1').fault('cut', 'inject', cut).wait(20).fault('cut', 'proved', cut);
    story
      .fault('dead', 'inject', { nodes: ['redis-6'] })
      .fault('dead', 'proved')
      .wait(10);
    story.line('nemesis', { type: 'milestone', step: 'p', what: 'promoted', node: 'redis-7', detail: '' });
    story.fault('cut', 'heal').fault('cut', 'healed').fault('dead', 'heal').fault('dead', 'healed').turn('c2');
    const { nemesis } = buildTimeline(story.ended());
    expect(nemesis.map(({ kind, label }) => `${kind}: ${label}`)).toEqual([
      'span: cut primary > replicas',
      'kill: kill redis-6',
      'promoted: promoted redis-7',
      'back: redis-6 back',
    ]);
    expect(millis((nemesis[0]?.to ?? 0) - (nemesis[0]?.from ?? 0))).toBe(36);
  });

  it('goes on to the end where nothing was healed, and says what was not proved', () => {
    const story = new Story()
      .turn('c1')
      .fault('cut', 'inject', cut)
      .fault('cut', 'unproved', cut)
      .fault('cut', 'heal')
      .fault('cut', 'unhealed');
    const timeline = buildTimeline(story.turn('c2').ended());
    expect(timeline.nemesis).toMatchObject([{ kind: 'span', label: 'cut primary > replicas (not proved)', to: timeline.to }]);
  });

  it('tells of a killed contender once', () => {
    expect(marks(new Story().goesIn('c1').kill('c1').death('c1'))).toEqual(['kill: kill c1']);
    const faulted = new Story()
      .goesIn('c1')
      .fault('k', 'inject', { fault: 'kill-contender', targets: ['c1'], nodes: [], detail: 'kill c1' });
    expect(marks(faulted.kill('c1').death('c1'))).toEqual(['kill: kill c1']);
  });
});

it("counts from the workload's start, to the last line that tells something", () => {
  const story = new Story().wait(2_000).line('c1', { type: 'started', pid: 1 }).wait(10).turn('c1');
  const [start, last] = [story.events.find(({ type }) => type === 'invoke')?.at ?? 0, story.now];
  const events = story.wait(500).line('c1', { type: 'stopped', pid: 1 }).ended();
  expect(workloadStart(events)).toBe(start);
  expect(buildTimeline(events.values())).toMatchObject({ from: start, to: last }); // an iterable that can be read once
});

it('is empty where the workload never began', () => {
  expect(buildTimeline(new Story().ended()).keys).toEqual([]);
  expect(buildTimeline([]).keys).toEqual([]);
});
