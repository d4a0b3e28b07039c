/** The one JSON document that `--json` prints in place of reports. */
import type { RunResult } from '../model/verdict.ts';
import type { SkippedRun } from './summary.ts';

export interface JsonDocument {
  readonly version: string;
  readonly runs: readonly RunResult[];
  readonly skipped: readonly SkippedRun[];
}

export const renderJson = (document: JsonDocument): string => `${JSON.stringify(document, null, 2)}\n`;
