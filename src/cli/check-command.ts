/** `redlock-chaos check`: judges a history that is already there, as the run judged it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import { checkHistory } from '../verdict/check-history.ts';
import { parseExpect } from '../verdict/parse-expect.ts';

const historyIn = (path: string): string => {
  try {
    return statSync(path).isDirectory() ? join(path, 'history.jsonl') : path;
  } catch (cause) {
    throw new UsageError(`cannot read ${path}`, { hint: 'Name a history.jsonl or a run folder.', cause });
  }
};

export const addCheckCommand = (program: Command): void => {
  program
    .command('check')
    .description('Judge a history again: the same verdict, evidence and exit code as the run')
    .argument('<history>', 'a history.jsonl, or a run folder')
    .option('--expect <what>', 'holds, violated[:check[:class]], unavailable or any')
    .action(async (path: string, flags: { expect?: string }) => {
      const judged = await checkHistory(historyIn(path), flags.expect === undefined ? undefined : parseExpect(flags.expect));
      process.stdout.write(`${JSON.stringify(judged, null, 2)}\n`);
      process.exitCode = judged.exitCode;
    });
};
