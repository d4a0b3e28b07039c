/** The one JSON document that `--json` prints in place of reports. */
import type { RunResult } from '../model/verdict.ts';
import type { SkippedRun } from './summary.ts';

export interface JsonDocument {
  readonly version: string;
  readonly runs: readonly RunResult[];
  readonly skipped: readonly SkippedRun[];
  /** What kept the command from running them all. */
  readonly failure?: string;
}

/** JSON.stringify escapes controls below space only; a terminal heeds those from 0x7f to 0x9f, and bidi and invisible ones too. */
const UNSAFE = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;

const escapeUnits = (text: string): string => text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const renderJson = (document: JsonDocument): string => `${JSON.stringify(document, null, 2).replace(UNSAFE, escapeUnits)}\n`;
