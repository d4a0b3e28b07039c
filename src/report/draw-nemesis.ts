/** Draws the nemesis' lane: each mark with its words, on as few rows as hold them without touching. */
import { cutTo, widthOf } from './columns.ts';
import type { NemesisMark } from './nemesis-marks.ts';
import { Row } from './row.ts';
import type { Scale } from './scale.ts';

interface Placed {
  readonly start: number;
  readonly text: string;
}

export const drawNemesis = (marks: readonly NemesisMark[], scale: Scale, safe: (text: string) => string): string[] => {
  const rows: Row[] = [];
  for (const { start, text } of marks.flatMap((mark) => place(mark, cutTo(safe(mark.label), scale.room - 2), scale))) {
    const end = start + widthOf(text) - 1;
    let row = rows.find((candidate) => candidate.free(start - 1, end + 1));
    if (!row) {
      row = new Row(scale.room);
      rows.push(row);
    }
    row.write(start, text);
  }
  return rows.map((row) => row.toString());
};

const SIGNS = { kill: 'x', back: '^', promoted: '^' } as const;

const place = ({ kind, from, to }: NemesisMark, words: string, scale: Scale): Placed[] => {
  const at = scale.at(from);
  if (kind !== 'span') return beside(at, SIGNS[kind], words, scale);
  const length = scale.at(to) - at + 1;
  const dashes = length - widthOf(words) - 4;
  if (dashes < 0) return beside(at, arrow(length), words, scale);
  const left = Math.floor(dashes / 2);
  return [{ start: at, text: `<${'-'.repeat(left)} ${words} ${'-'.repeat(dashes - left)}>` }];
};

/** As long as the stretch was, never longer. */
const arrow = (length: number): string => (length === 1 ? '|' : `<${'-'.repeat(length - 2)}>`);

/** The words stand behind their sign, else before it, else below. */
const beside = (at: number, sign: string, words: string, { room }: Scale): Placed[] => {
  const width = widthOf(words);
  if (at + sign.length + 1 + width <= room) return [{ start: at, text: `${sign} ${words}` }];
  if (at >= width + 1) return [{ start: at - width - 1, text: `${words} ${sign}` }];
  return [
    { start: at, text: sign },
    { start: Math.max(0, Math.min(at, room - width)), text: words },
  ];
};
