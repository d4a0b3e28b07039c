/** The last lines of a report: what it comes to, whether that was expected, and where to read on. */
import { relative } from 'node:path';
import { plural } from '../model/phrases.ts';
import type { RunResult, Verdict } from '../model/verdict.ts';
import { widthOf } from './columns.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

const MARGIN = ' '.repeat(12);

export const paintVerdict = (verdict: Verdict, style: Style, text: string): string => {
  if (verdict === 'holds') return style.green(text);
  return verdict === 'violated' ? style.red(text) : style.yellow(text);
};

export const drawFooter = (result: RunResult, style: Style, cwd: string): string[] => [
  ...(result.failure === undefined ? [] : wrap(`Failed: ${style.text(result.failure)}`, style.width, '   ')),
  ...verdictLines(result, style),
  ...historyLines(result, style, cwd),
];

const TOPOLOGIES: Readonly<Record<string, string>> = { single: 'one Redis', sentinel: 'Sentinel', independent: 'independent Redis' };

const verdictLines = ({ verdict, asExpected, expected, topology }: RunResult, style: Style): string[] => {
  const word = verdict.toUpperCase();
  const remark = style.text(
    asExpected ? `(as expected of a lock on ${TOPOLOGIES[topology] ?? topology})` : `(not expected: should be ${expected})`,
  );
  const start = `   Verdict  ${style.bold(paintVerdict(verdict, style, word))}`;
  return MARGIN.length + word.length + 2 + widthOf(remark) <= style.width
    ? [`${start}  ${remark}`]
    : [start, ...wrap(remark, style.width, MARGIN)];
};

/** The path stays whole, so that it can be copied: the one line that may be longer than the terminal is wide. */
const historyLines = ({ folder, events }: RunResult, style: Style, cwd: string): string[] => {
  const path = `   History  ${style.text(`${relative(cwd, folder) || '.'}/history.jsonl`)}`;
  const count = plural(events, 'event');
  return widthOf(path) + 3 + count.length <= style.width ? [`${path}   ${style.dim(count)}`] : [path, MARGIN + style.dim(count)];
};
