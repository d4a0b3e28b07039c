/** What standard output can show: width, colour, characters; and the report made for it. */
import { join } from 'node:path';
import { readEvents } from '../history/read-history.ts';
import type { RunResult } from '../model/verdict.ts';
import type { TerminalOptions } from '../report/style.ts';
import { renderTerminal } from '../report/terminal.ts';
import { buildTimeline } from '../report/timeline.ts';

/** https://no-color.org; ASCII where the locale is not UTF-8. */
export const terminalOptions = (): TerminalOptions => {
  const locale = process.env['LC_ALL'] || process.env['LC_CTYPE'] || process.env['LANG'] || '';
  return {
    width: process.stdout.columns ?? 100,
    color: process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    unicode: /utf-?8/i.test(locale) || process.platform === 'darwin',
  };
};

export const reportOf = async (result: RunResult): Promise<string> => {
  const events = await readEvents(join(result.folder, 'history.jsonl'));
  return renderTerminal(result, buildTimeline(events), { ...terminalOptions(), cwd: process.cwd() });
};
