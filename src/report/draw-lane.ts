/** Draws a contender's lane, and below it why it stood still where that was not for the lock. */
import type { PauseKind } from './pauses.ts';
import { Row } from './row.ts';
import type { Scale } from './scale.ts';
import type { SegmentKind } from './segments.ts';
import type { Lane } from './timeline.ts';

const SEGMENT_MARKS: Readonly<Record<SegmentKind, string>> = { waiting: '.', holding: '=', 'past-lease': '~', indeterminate: '?' };
const PAUSE_MARKS: Readonly<Record<PauseKind, string>> = { gate: ':', kept: ':', stopped: 'z', blocked: '#' };
/** What is drawn later covers what was drawn before. */
const LAYERS: readonly SegmentKind[] = ['waiting', 'indeterminate', 'holding', 'past-lease'];

/** One row, or two where something stopped the contender. */
export const drawLane = ({ segments, pauses }: Lane, scale: Scale): string[] => {
  const row = new Row(scale.columns);
  const below = new Row(scale.columns);
  for (const layer of LAYERS) {
    for (const { kind, from, to, opens, closes } of segments) {
      if (kind !== layer) continue;
      const [start, end] = [scale.at(from), scale.at(to)];
      row.fill(start, end, SEGMENT_MARKS[kind]);
      if (closes) row.write(end, ']');
      if (opens) row.write(start, closes && start === end ? '|' : '[');
    }
    if (layer === 'waiting') {
      for (const { kind, from, to } of pauses) if (kind === 'gate') row.fill(scale.at(from), scale.at(to), PAUSE_MARKS.gate);
    }
  }
  for (const { kind, from, to } of pauses) if (kind !== 'gate') below.fill(scale.at(from), scale.at(to), PAUSE_MARKS[kind]);
  return [row.toString(), below.toString()].filter((text, index) => index === 0 || text !== '');
};

const LEGEND = ['. waiting', '[=] holding', '~ past its lease', '? indeterminate'];
const PAUSE_LEGEND: Readonly<Record<PauseKind, string>> = {
  gate: ': at a gate',
  kept: ': at a gate',
  stopped: 'z process stopped',
  blocked: '# event loop blocked',
};

/** What the marks mean; of the rarer ones those that are there. */
export const legendOf = (lanes: readonly Lane[]): string[] => [
  ...LEGEND,
  ...new Set(lanes.flatMap(({ pauses }) => pauses.map(({ kind }) => PAUSE_LEGEND[kind]))),
];
