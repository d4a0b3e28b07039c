/** What a run comes to: one verdict, from the results of the checks. */
import type { CheckName, OverlapClass } from './expectation.ts';
import type { Millis, Nanos } from './time.ts';

/** In order of precedence: the first that applies is the run's. */
export type Verdict = 'violated' | 'unknown' | 'inconclusive' | 'unavailable' | 'holds';

/**
 * pass: looked, and found nothing wrong. fail: a safety or liveness violation, as the check decides.
 * inconclusive: what it saw proves nothing either way. unknown: it could not look. info: it only informs.
 */
export type CheckVerdict = 'pass' | 'fail' | 'inconclusive' | 'unknown' | 'info';

/** One thing that a check found, with where in the history it stands. */
export interface Finding {
  readonly check: CheckName;
  readonly class?: OverlapClass;
  /** In words, complete by itself. */
  readonly text: string;
  readonly key?: string;
  /** Contenders concerned, the earlier-granted first. */
  readonly contenders: readonly string[];
  /** Stretch of time concerned. */
  readonly from?: Nanos;
  readonly to?: Nanos;
  /** Line numbers in the history that show it, in order. */
  readonly lines: readonly number[];
  /** Whether it counts against the lock; a shown overlap that does not count says why. */
  readonly counts: boolean;
  readonly why?: string;
  /** It happened between two holds that overlapped, and so belongs to their overlap. */
  readonly ofOverlap?: boolean;
}

/** What one check says of a history. */
export interface CheckResult {
  readonly name: CheckName;
  readonly verdict: CheckVerdict;
  /** Two short phrases for the report's line: what was measured, and its value. */
  readonly measured: { readonly what: string; readonly value: string };
  readonly values: Readonly<Record<string, number | string | null>>;
  /** All findings were counted in `values`; the first 100 and the longest of each class and key are kept here. */
  readonly findings: readonly Finding[];
}

/** What was done, and how long it took: the report's first lines. */
export interface Phase {
  readonly name: 'topology' | 'workload' | 'faults' | 'checks' | 'removal';
  readonly ok: boolean;
  readonly summary: string;
  readonly took: Millis;
}

/** One run of one lock on one scenario. The same object is `result.json` and an entry of `--json`'s `runs`. */
export interface RunResult {
  readonly scenario: string;
  readonly lock: string;
  readonly topology: string;
  readonly infra: string;
  readonly seed: string;
  readonly verdict: Verdict;
  /** In words: `holds`, `violated: mutual-exclusion:split-brain`, … */
  readonly expected: string;
  readonly asExpected: boolean;
  readonly exitCode: number;
  readonly checks: readonly CheckResult[];
  /** Why, in plain words, a sentence an entry. */
  readonly outcome: readonly string[];
  /** What kept the run from counting: unproved faults, missed triggers, damage of the file. */
  readonly doubts: readonly string[];
  readonly phases: readonly Phase[];
  readonly versions: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, string>>;
  readonly events: number;
  readonly folder: string;
  /** Infrastructure failure, if any: what, to what, what to try. */
  readonly failure?: string;
}
