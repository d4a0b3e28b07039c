/** One table at the end of several runs. */
import { duration } from '../model/phrases.ts';
import type { Millis } from '../model/time.ts';
import type { RunResult } from '../model/verdict.ts';
import { cutTo, padLeft, padTo, widthOf } from './columns.ts';
import { paintVerdict } from './footer.ts';
import { type Style, styleOf, type TerminalOptions } from './style.ts';
import { wrap } from './wrap.ts';

export interface SkippedRun {
  readonly scenario: string;
  readonly lock: string;
  readonly reason: string;
}

interface Line {
  readonly sign: string;
  readonly cells: readonly string[];
  readonly paint: (text: string) => string;
  /** The last column, which may go on below. */
  readonly remark: string;
}

const HEADINGS = ['scenario', 'lock', 'verdict', 'time'];
const VERDICT = 2;
const TIME = 3;
const LONGEST_NAME = 24;
/** What a row takes beside its two names and the last column. */
const REST = 29;
const LEAST_REMARK = 12;

export const renderSummary = (results: readonly RunResult[], skipped: readonly SkippedRun[], options: TerminalOptions): string => {
  const style = styleOf(options);
  const lines = [...results.map((result) => ran(result, style)), ...skipped.map((run) => left(run, style))];
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...lines.map(({ cells }) => widthOf(cells[column] ?? ''))));
  const margin = 3 + widths.reduce((sum, width) => sum + width + 2, 0);
  // Where names leave no room for the last column, it goes below each line.
  const below = margin + LEAST_REMARK > style.width;
  const padded = (cells: readonly string[]): string[] =>
    cells.map((cell, column) => (column === TIME ? padLeft : padTo)(cell, widths[column] ?? 0));
  const table = lines.flatMap(({ sign, cells, paint, remark }) => {
    const row = ` ${sign} ${padded(cells)
      .map((cell, column) => (column === VERDICT ? paint(cell) : cell))
      .join('  ')}`;
    if (below) return [row.trimEnd(), ...wrap(remark, style.width, '     ')];
    const [first = '', ...rest] = wrap(remark, style.width - margin, '');
    return [`${row}  ${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(margin) + line)];
  });
  const headings = `${padded(HEADINGS).join('  ')}${below ? '' : '  as expected'}`;
  return `\n ${style.bold('SUMMARY')}\n   ${style.dim(headings)}\n${table.join('\n')}\n\n`;
};

const ran = ({ scenario, lock, verdict, expected, asExpected, phases }: RunResult, style: Style): Line => ({
  sign: asExpected ? style.green(style.pass) : style.red(style.fail),
  cells: [name(scenario, style), name(lock, style), verdict.toUpperCase(), duration(timeOf(phases))],
  paint: (text) => paintVerdict(verdict, style, text),
  remark: style.text(asExpected ? `yes (${expected})` : `no, should be ${expected}`),
});

const left = ({ scenario, lock, reason }: SkippedRun, style: Style): Line => ({
  sign: style.dim(style.aside),
  cells: [name(scenario, style), name(lock, style), 'skipped', ''],
  paint: style.dim,
  remark: style.text(reason),
});

const name = (text: string, style: Style): string => cutTo(style.text(text), Math.min(LONGEST_NAME, Math.floor((style.width - REST) / 2)));

/** Faults happen inside the workload: their time is in its. */
const timeOf = (phases: RunResult['phases']): Millis =>
  phases.reduce((sum, phase) => (phase.name === 'faults' ? sum : sum + phase.took), 0);
