/** What every checker is: a reducer over the lines of a history that ends in one result. Pure: no clock, no I/O. */
import type { HistoryEvent } from '../model/event.ts';
import type { CheckResult } from '../model/verdict.ts';

export interface Checker {
  /** Sees the lines in file order; `line` is the line's number in the file, from 1. */
  observe(event: HistoryEvent, line: number): void;
  /** Called once, after the last line. */
  conclude(): CheckResult;
}
