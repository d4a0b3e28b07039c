/** What /proc says of a process, where there is a /proc. */
import { readFileSync } from 'node:fs';

export interface ProcStat {
  /** One letter: R running, S sleeping, T stopped, Z ended and not yet waited for, … */
  readonly state: string;
  /** In ticks since boot: tells a process from a later one that was given its pid. */
  readonly startedAt: string;
}

/** Undefined where there is no such process. See proc(5). */
export const procStat = (pid: number): ProcStat | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may itself hold anything: fields are counted behind the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
};
