import { describe, expect, it } from 'vitest';
import { Story } from '../history/story.fixture.ts';
import type { HistoryEvent } from '../model/event.ts';
import { nanos } from '../model/time.ts';
import { widthOf } from './columns.ts';
import { drawTimeline } from './draw-timeline.ts';
import { scaleOf } from './scale.ts';
import { styleOf } from './style.ts';
import { buildTimeline } from './timeline.ts';

const draw = (events: Iterable<HistoryEvent>, width = 100): string[] =>
  drawTimeline(buildTimeline(events), styleOf({ width, color: false, unicode: true }));

const row = (lines: readonly string[], name: string): string => lines.find((line) => line.startsWith(` ${name} `)) ?? '';

/** Columns of a row that show one of these characters. */
const columns = (text: string, marks: RegExp): number[] => [...text].flatMap((character, index) => (marks.test(character) ? [index] : []));

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

describe('the overlap row', () => {
  it.each([60, 80, 100])('at %i columns stands exactly under the columns where both hold', (width) => {
    const lines = draw(overlapping(), width);
    const stay = (name: string): number[] => columns(row(lines, name).slice(4), /[[=\]|]/).map((column) => column + 4);
    const both = stay('c1').filter((column) => stay('c2').includes(column));
    expect(both.length).toBeGreaterThan(3);
    expect(columns(row(lines, 'overlap'), /!/)).toEqual(both);
    expect(row(lines, 'c2')[(both[0] ?? 0) - 1]).toBe('.');
  });

  it('shows an overlap shorter than a column as one mark, under both', () => {
    const lines = draw(new Story({ ttl: 100_000 }).goesIn('c1').wait(50_000).goesIn('c2').goesOut('c1').goesOut('c2').ended());
    const [column, ...more] = columns(row(lines, 'overlap'), /!/);
    expect(more).toEqual([]);
    expect(row(lines, 'c1')[column ?? 0]).toBe(']');
    expect(row(lines, 'c2')[column ?? 0]).toBe('|');
  });

  it('is not there without an overlap', () => {
    expect(row(draw(new Story().turn('c1').turn('c2').ended()), 'overlap')).toBe('');
  });

  it('asks where one of the two may have been dead', () => {
    const lines = draw(new Story().goesIn('c1').wait(300).goesIn('c2').wait(200).death('c1').goesOut('c2').ended());
    expect(row(lines, 'overlap')).toMatch(/^ overlap +\?+$/);
    expect(row(lines, 'c1')).toMatch(/c1 +.?\[?\?+$/);
  });
});

describe('a lane', () => {
  it('goes on past its lease', () => {
    expect(row(draw(new Story({ ttl: 500 }).goesIn('c1').wait(1_500).goesOut('c1').ended()), 'c1')).toMatch(/^ c1 +\[=+~+\]$/);
  });

  it('has no end where its holder died', () => {
    const lines = draw(new Story().goesIn('c1').wait(200).read('c1', '').wait(900).death('c1').refused('c2').ended());
    expect(row(lines, 'c1')).toMatch(/^ c1 +\[=+\?+$/);
  });

  it('tells below it why it stood still, and in it that it was kept from trying', () => {
    const story = new Story({ ttl: 500 }).refused('c2').goesIn('c1').wait(100);
    story.line('c2', { type: 'gate', gate: 'acquire', state: 'waiting' });
    const from = story.now;
    story
      .wait(1_000)
      .line('c1', { type: 'gap', from, to: story.now, cpu: nanos(3) })
      .goesOut('c1');
    story.line('c2', { type: 'gate', gate: 'acquire', state: 'passed' }).turn('c2');
    const lines = draw(story.ended());
    const below = lines[lines.indexOf(row(lines, 'c1')) + 1] ?? '';
    expect(below).toMatch(/^ +z+$/);
    expect(columns(below, /z/).every((column) => /[=~\]]/.test(row(lines, 'c1')[column] ?? ''))).toBe(true);
    expect(row(lines, 'c2')).toMatch(/c2 +\.+:+/);
    for (const words of ['z process stopped', ': at a gate']) expect(lines.join('\n')).toContain(words);
  });
});

describe('the nemesis lane', () => {
  const cut = { fault: 'cut', detail: 'cut primary > replicas' };

  it('draws a stretch from its injection to its healing, with the words in it', () => {
    const story = new Story().turn('c1').wait(100).fault('cut', 'inject', cut).wait(2_000).fault('cut', 'healed', cut).wait(100).turn('c2');
    expect(row(draw(story.ended()), 'nemesis')).toMatch(/^ nemesis {4,6}<-{5,} cut primary > replicas -{5,}>$/);
  });

  it('never draws a stretch longer than it was: the words go beside it', () => {
    const story = new Story().turn('c1').fault('cut', 'inject', cut).wait(200).fault('cut', 'healed', cut).wait(3_000).turn('c2');
    expect(row(draw(story.ended()), 'nemesis')).toMatch(/^ nemesis {2}<-{2,4}> cut primary > replicas$/);
  });

  it('keeps marks that would touch on rows of their own, and all of the words', () => {
    const story = new Story().turn('c1').wait(4_000);
    for (const node of ['redis-1', 'redis-2', 'redis-3']) story.fault(node, 'inject', { nodes: [node] });
    const lines = draw(story.turn('c1').ended(), 60);
    for (const node of ['redis-1', 'redis-2', 'redis-3']) expect(lines.filter((line) => line.includes(`kill ${node}`))).toHaveLength(1);
  });
});

it('shows twelve of many contenders, those in an overlap first, and how many more there are', () => {
  const story = new Story({ ttl: 10_000 });
  for (let turn = 1; turn <= 20; turn += 1) story.turn(`c${turn}`);
  story.goesIn('c19').goesIn('c20').wait(50).goesOut('c19').goesOut('c20');
  const lines = draw(story.ended());
  const shown = lines.flatMap((line) => /^ (c\d+) /.exec(line)?.[1] ?? []);
  expect(shown).toEqual(['c19', 'c20', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10']);
  expect(lines.join('\n')).toContain('and 8 more contenders, none of them in an overlap');
});

it('draws a block a key, those with an overlap first', () => {
  const story = new Story().turn('c1').goesIn('c1', { key: 'lock:bills' }).goesIn('c2', { key: 'lock:bills' }).wait(50);
  const lines = draw(story.goesOut('c1', 'lock:bills').goesOut('c2', 'lock:bills').ended());
  expect(lines.flatMap((line) => /TIMELINE +(\S+)/.exec(line)?.[1] ?? [])).toEqual(['lock:bills', 'lock:orders']);
  expect(lines.filter((line) => line.startsWith(' overlap'))).toHaveLength(1);
});

it.each([60, 80, 110])('stays within %i columns, also with long and wide names', (width) => {
  const story = new Story({ ttl: 10_000 }).turn('契約者'.repeat(9)).turn('x'.repeat(50)).goesIn('c1').wait(3_000);
  story
    .fault('cut', 'inject', { fault: 'cut', detail: `cut ${'redis-1, '.repeat(20)}` })
    .goesIn('c2')
    .goesOut('c1');
  story.turn('c3', 'k'.repeat(200));
  for (const line of draw(story.ended(), width)) expect(widthOf(line), line).toBeLessThanOrEqual(width);
});

it('chooses the narrowest column with which all of it fits', () => {
  const column = (length: number, room: number): number => scaleOf(0, nanos(length), room).column;
  expect([column(0, 80), column(799, 80), column(800, 80), column(6_000, 80), column(60_000, 80)]).toEqual([10, 10, 20, 100, 1_000]);
  expect(scaleOf(0, nanos(1e9), 80).columns).toBeLessThanOrEqual(80);
});

it('counts its axis in seconds and never cuts a number', () => {
  for (let length = 5_900; length < 7_000; length += 50) {
    const [, axis = ''] = draw(new Story({ ttl: 99_999 }).goesIn('c1').wait(length).goesOut('c1').ended());
    for (const time of axis.trim().split(/ +/)) expect(time).toMatch(/^\d+s$/);
  }
});
