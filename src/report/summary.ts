/** One table at the end of several runs. */
import type { RunResult } from '../model/verdict.ts';
import { escapeText } from './escape.ts';
import { styleOf, type TerminalOptions } from './style.ts';

export interface SkippedRun {
  readonly scenario: string;
  readonly lock: string;
  readonly reason: string;
}

export const renderSummary = (results: readonly RunResult[], skipped: readonly SkippedRun[], options: TerminalOptions): string => {
  const style = styleOf(options);
  const rows = [
    ...results.map(({ scenario, lock, verdict, expected, asExpected }) => [
      asExpected ? style.pass : style.fail,
      scenario,
      lock,
      verdict,
      asExpected ? 'as expected' : `expected ${expected}`,
    ]),
    ...skipped.map(({ scenario, lock, reason }) => ['-', scenario, lock, 'skipped', reason]),
  ].map((row) => row.map(escapeText));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => ` ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
  return `\n SUMMARY\n${lines.join('\n')}\n\n`;
};
