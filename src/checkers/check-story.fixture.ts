/** Runs one checker over a told history, as a run would. */
import { Holds } from '../history/holds.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { CheckResult } from '../model/verdict.ts';
import type { Checker } from './checker.ts';

export const checkStory = (checker: Checker, events: readonly HistoryEvent[]): CheckResult => {
  const [begin] = events;
  const holds = new Holds(begin?.type === 'begin' ? begin.ttl : undefined);
  events.forEach((event, index) => {
    checker.observe({ event, line: index + 1, change: holds.observe(event, index + 1), holds });
  });
  return checker.conclude();
};
