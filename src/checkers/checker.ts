/** What every checker is: a reducer over the lines of a history that ends in one result. Pure: no clock, no I/O. */
import type { Change, Holds } from '../history/holds.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { CheckResult } from '../model/verdict.ts';

/** One line, with what it changed. */
export interface Seen {
  readonly event: HistoryEvent;
  /** Its number in the file, from 1. */
  readonly line: number;
  readonly change: Change;
  readonly holds: Holds;
}

export interface Checker {
  readonly name: CheckResult['name'];
  /** Sees the lines in file order. */
  observe(seen: Seen): void;
  /** Called once, after the last line. */
  conclude(): CheckResult;
}
