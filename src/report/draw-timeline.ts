/** Draws a timeline in characters: a row a contender, the nemesis below, and the overlap under the columns it is in. */
import { duration, plural } from '../model/phrases.ts';
import { cutTo, padTo, widthOf } from './columns.ts';
import { drawLane, legendOf } from './draw-lane.ts';
import { drawNemesis } from './draw-nemesis.ts';
import { Row } from './row.ts';
import { axisRows, type Scale, scaleOf } from './scale.ts';
import type { Style } from './style.ts';
import type { KeyTimeline, Lane, Timeline } from './timeline.ts';
import { wrap } from './wrap.ts';

const LANES_SHOWN = 12;
const KEYS_SHOWN = 4;
const LONGEST_NAME = 20;

export const drawTimeline = (timeline: Timeline, style: Style): string[] => {
  const keys = timeline.keys.toSorted((one, other) => Number(other.overlaps.length > 0) - Number(one.overlaps.length > 0));
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => ({ ...key, lanes: inOrder(key) }));
  const names = shown.flatMap(({ lanes }) => lanes.slice(0, LANES_SHOWN).map(({ contender }) => nameOf(contender, style)));
  const margin = Math.max(...['nemesis', 'overlap', ...names].map(widthOf)) + 2;
  const scale = scaleOf(timeline.from, timeline.to, style.width - margin - 1);
  const legend = wrapItems(legendOf(shown.flatMap(({ lanes }) => lanes.slice(0, LANES_SHOWN))), scale.room);
  const hidden = keys.length - shown.length;
  return [
    ...shown.flatMap((key, index) => [...(index > 0 ? [''] : []), ...drawKey(key, timeline, { scale, margin, style })]),
    ...(hidden > 0 ? [label('', `and ${plural(hidden, 'more key')}`, margin)] : []),
    ...legend.map((row) => label('', style.dim(row), margin)),
  ];
};

interface Canvas {
  readonly scale: Scale;
  readonly margin: number;
  readonly style: Style;
}

const drawKey = ({ key, lanes, overlaps }: KeyTimeline, { nemesis }: Timeline, { scale, margin, style }: Canvas): string[] => {
  const rows = (name: string, cells: readonly string[], paint = (text: string) => text): string[] =>
    cells.map((row, index) => label(index === 0 ? name : '', paint(row), margin));
  return [
    title(key, { scale, margin, style }),
    ...rows('', axisRows(scale), style.dim),
    ...lanes
      .slice(0, LANES_SHOWN)
      .flatMap((lane) => rows(nameOf(lane.contender, style), drawLane(lane, scale), (row) => paintLane(row, style))),
    ...wrap(hiddenLanes(lanes, overlaps), style.width, ' '.repeat(margin + 1)),
    ...rows('nemesis', drawNemesis(nemesis, scale, style.text)),
    ...(overlaps.length > 0 ? rows('overlap', [drawOverlaps(overlaps, scale)], (row) => row.replace(/!+/g, style.red)) : []),
  ];
};

const title = (key: string, { scale, margin, style }: Canvas): string => {
  const note = `one column = ${duration(scale.column)}`;
  const name = cutTo(style.text(key), style.width - note.length - 14);
  const gap = Math.max(2, margin + scale.columns - 10 - widthOf(name) - note.length);
  return ` ${style.bold('TIMELINE')}  ${name}${' '.repeat(gap)}${style.dim(note)}`;
};

const nameOf = (contender: string, style: Style): string => cutTo(style.text(contender), LONGEST_NAME);

const label = (name: string, row: string, margin: number): string => ` ${padTo(name, margin)}${row}`.trimEnd();

const paintLane = (row: string, style: Style): string => row.replace(/[.:z#]+/g, style.dim).replace(/[~?]+/g, style.yellow);

/** Of many contenders those in an overlap come first. */
const inOrder = ({ lanes, overlaps }: KeyTimeline): readonly Lane[] => {
  if (lanes.length <= LANES_SHOWN) return lanes;
  const involved = involvedIn(overlaps);
  return lanes.toSorted((one, other) => Number(involved.has(other.contender)) - Number(involved.has(one.contender)));
};

const involvedIn = (overlaps: KeyTimeline['overlaps']): Set<string> => new Set(overlaps.flatMap(({ contenders }) => contenders));

const hiddenLanes = (lanes: readonly Lane[], overlaps: KeyTimeline['overlaps']): string => {
  const hidden = lanes.slice(LANES_SHOWN);
  if (hidden.length === 0) return '';
  const involved = involvedIn(overlaps);
  const missed = hidden.filter(({ contender }) => involved.has(contender)).length;
  const which = involved.size === 0 ? '' : missed === 0 ? ', none of them in an overlap' : `, ${missed} of them in an overlap`;
  return `and ${plural(hidden.length, 'more contender')}${which}`;
};

/** `!` where two were certainly inside, `?` where one of them may have been dead. */
const drawOverlaps = (overlaps: KeyTimeline['overlaps'], scale: Scale): string => {
  const row = new Row(scale.columns);
  for (const mark of ['?', '!'])
    for (const { from, to, certain } of overlaps) if (certain === (mark === '!')) row.fill(scale.at(from), scale.at(to), mark);
  return row.toString();
};

/** Items three spaces apart, none of them broken. */
const wrapItems = (items: readonly string[], width: number): string[] => {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 3 + item.length <= width) lines[lines.length - 1] = `${last}   ${item}`;
    else lines.push(item);
  }
  return lines;
};
