/** Which column a moment stands in, and the axis that says so. */
import { type Millis, millis, type Nanos, nanos } from '../model/time.ts';
import { Row } from './row.ts';

const COLUMN_WIDTHS: readonly Millis[] = [
  10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
];
const TICK = 10;

export interface Scale {
  /** What one column stands for. */
  readonly column: Millis;
  /** Columns from the first moment to the last. */
  readonly columns: number;
  /** Columns that there is room for. */
  readonly room: number;
  /** From 0; moments outside stand at the edge. */
  at(moment: Nanos): number;
}

/** The narrowest column with which all of it fits. */
export const scaleOf = (from: Nanos, to: Nanos, room: number): Scale => {
  const length = millis(to - from);
  const column = COLUMN_WIDTHS.find((width) => length / width < room) ?? Math.ceil((length + 1) / room);
  const columns = Math.min(room, Math.floor(length / column) + 1);
  return { column, columns, room, at: (moment) => Math.min(columns - 1, Math.max(0, Math.floor((moment - from) / nanos(column)))) };
};

/** Seconds above, a tick every ten columns below. */
export const axisRows = ({ column, columns, room }: Scale): [string, string] => {
  const times = new Row(room);
  const ticks = new Row(columns);
  ticks.fill(0, columns - 1, '-');
  for (let at = 0; at < columns; at += TICK) {
    const label = `${Number(((at * column) / 1_000).toFixed(2))}s`;
    ticks.write(at, '+');
    times.write(Math.min(at, Math.max(0, room - label.length)), label);
  }
  return [times.toString(), ticks.toString()];
};
