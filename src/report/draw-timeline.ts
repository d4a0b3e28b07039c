/** Draws a timeline in characters: one row a contender, the nemesis below, and the overlap under the columns it is in. */
import { duration } from '../model/phrases.ts';
import { type Millis, millis, type Nanos, nanos } from '../model/time.ts';
import { escapeText } from './escape.ts';
import type { NemesisMark, SegmentKind, Timeline } from './timeline.ts';

const COLUMN_WIDTHS: readonly Millis[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];
const LANES_SHOWN = 12;
const TICK = 10;

const MARKS: Readonly<Record<SegmentKind, string>> = { waiting: '.', holding: '=', 'past-lease': '~', indeterminate: '?' };
/** What is drawn later covers what was drawn before. */
const LAYERS: readonly SegmentKind[] = ['waiting', 'indeterminate', 'holding', 'past-lease'];

interface Scale {
  readonly column: Millis;
  readonly columns: number;
  at(moment: Nanos): number;
}

const scaleOf = ({ from, to }: Timeline, columns: number): Scale => {
  const length = millis(to - from);
  const column = COLUMN_WIDTHS.find((width) => length / width < columns) ?? Math.ceil(length / columns);
  return {
    column,
    columns: Math.min(columns, Math.floor(length / column) + 1),
    at: (moment) => Math.max(0, Math.floor((moment - from) / nanos(column))),
  };
};

/** A row of characters; whatever would stand outside is left out. */
class Row {
  readonly #cells: string[];

  constructor(columns: number) {
    this.#cells = Array.from({ length: columns }, () => ' ');
  }

  fill(from: number, to: number, mark: string): void {
    for (let column = Math.max(0, from); column <= Math.min(to, this.#cells.length - 1); column += 1) this.#cells[column] = mark;
  }

  write(from: number, text: string): void {
    [...text].forEach((character, index) => {
      if (from + index >= 0 && from + index < this.#cells.length) this.#cells[from + index] = character;
    });
  }

  free(from: number, to: number): boolean {
    return this.#cells.slice(Math.max(0, from), to + 1).every((cell) => cell === ' ');
  }

  toString(): string {
    return this.#cells.join('').trimEnd();
  }
}

export const drawTimeline = (timeline: Timeline, width: number): string[] => {
  const shown = lanesShown(timeline);
  const names = ['nemesis', 'overlap', ...shown.map(({ contender }) => escapeText(contender))];
  const margin = Math.max(...names.map((name) => name.length)) + 2;
  const scale = scaleOf(timeline, Math.max(10, width - margin - 2));
  const label = (name: string, row: string): string => ` ${name.padEnd(margin)}${row}`.trimEnd();
  const title = `TIMELINE  ${escapeText(timeline.key)}`;
  const note = `one column = ${duration(scale.column)}`;
  const hidden = timeline.lanes.length - shown.length;
  return [
    ` ${title}${note.padStart(Math.max(note.length + 2, margin + scale.columns - title.length))}`,
    ...axis(scale).map((row) => label('', row)),
    ...shown.map(({ contender, segments }) => label(escapeText(contender), drawLane(segments, scale))),
    ...(hidden > 0 ? [label('', `and ${hidden} more contenders, who were in no overlap that is shown`)] : []),
    ...drawNemesis(timeline.nemesis, scale).map((row, index) => label(index === 0 ? 'nemesis' : '', row)),
    ...(timeline.overlaps.length > 0 ? [label('overlap', drawOverlaps(timeline, scale))] : []),
    ...legend(width - margin - 1).map((row) => label('', row)),
  ];
};

const LEGEND = ['. waiting', '[=] holding', '~ past its lease', '? indeterminate'] as const;

const legend = (width: number): string[] => {
  const line = LEGEND.join('   ');
  return line.length <= width ? [line] : [LEGEND.slice(0, 2).join('   '), LEGEND.slice(2).join('   ')];
};

/** Those who were in an overlap first, then the rest, as far as there is room. */
const lanesShown = ({ lanes, overlaps }: Timeline): Timeline['lanes'] => {
  if (lanes.length <= LANES_SHOWN) return lanes;
  const involved = lanes.filter(({ segments }) =>
    segments.some(({ kind, from, to }) => kind !== 'waiting' && overlaps.some((overlap) => from <= overlap.to && to >= overlap.from)),
  );
  const rest = lanes.filter((lane) => !involved.includes(lane));
  const chosen = new Set([...involved, ...rest].slice(0, LANES_SHOWN));
  return lanes.filter((lane) => chosen.has(lane));
};

const axis = (scale: Scale): string[] => {
  const times = new Row(scale.columns + TICK);
  const ticks = new Row(scale.columns);
  ticks.fill(0, scale.columns - 1, '-');
  for (let column = 0; column < scale.columns; column += TICK) {
    ticks.write(column, '+');
    times.write(column, tickLabel(column * scale.column));
  }
  return [times.toString().slice(0, scale.columns), ticks.toString()];
};

const tickLabel = (at: Millis): string => (at === 0 ? '0s' : `${Number((at / 1_000).toFixed(2))}s`);

const drawLane = (segments: Timeline['lanes'][number]['segments'], scale: Scale): string => {
  const row = new Row(scale.columns);
  for (const layer of LAYERS) {
    for (const { kind, from, to } of segments) {
      if (kind !== layer) continue;
      const [start, end] = [scale.at(from), scale.at(to)];
      row.fill(start, end, MARKS[kind]);
      if (kind === 'holding') row.write(start, '[');
      // A stay that went on past its lease, or into the unknown, is closed where that ends, or not at all.
      const goesOn = segments.some((next) => next.kind !== 'waiting' && next.from === to && next.from > from);
      if ((kind === 'holding' || kind === 'past-lease') && !goesOn && end > start) row.write(end, ']');
    }
  }
  return row.toString();
};

const drawNemesis = (marks: readonly NemesisMark[], scale: Scale): string[] => {
  const rows: Row[] = [];
  for (const mark of marks) {
    const { start, text } = markText(mark, scale);
    const end = start + text.length;
    let row = rows.find((candidate) => candidate.free(start - 1, end));
    if (!row) {
      row = new Row(scale.columns);
      rows.push(row);
    }
    row.write(start, text);
  }
  return rows.map((row) => row.toString());
};

/** Text that would run over the right edge starts further left; its arrow or letter then stands at its end. */
const markText = ({ kind, label, from, to }: NemesisMark, scale: Scale): { start: number; text: string } => {
  const at = scale.at(from);
  const words = escapeText(label);
  if (kind === 'span') {
    const room = scale.at(to) - at + 1 - words.length - 4;
    const dashes = Math.max(2, Math.floor(room / 2));
    const text = `<${'-'.repeat(dashes)} ${words} ${'-'.repeat(Math.max(2, room - dashes))}>`;
    return { start: Math.max(0, Math.min(at, scale.columns - text.length)), text };
  }
  const letter = kind === 'kill' ? 'x' : '^';
  const text = `${letter} ${words}`;
  return at + text.length <= scale.columns
    ? { start: at, text }
    : { start: Math.max(0, at - words.length - 1), text: `${words} ${letter}` };
};

const drawOverlaps = ({ overlaps }: Timeline, scale: Scale): string => {
  const row = new Row(scale.columns);
  for (const { from, to } of overlaps) row.fill(scale.at(from), scale.at(to), '!');
  return row.toString();
};
