/** A scenario as data: a story told per topology, of a workload and of steps that each wait for their moment. */
import type { CoverageDemand, GateName } from './event.ts';
import type { Expectation } from './expectation.ts';
import type { Millis } from './time.ts';
import type { TopologyKind } from './topology.ts';

/** A duration drawn from the seed, both ends included. */
export type Range = readonly [least: Millis, most: Millis];

/** What the contenders do. */
export interface Workload {
  readonly contenders: number;
  /** The resource they all want. Default `orders`. */
  readonly resource?: string;
  readonly ttl: Millis;
  /** Time inside the critical section. */
  readonly hold: Range;
  /** Time between a release and the next attempt. */
  readonly think: Range;
  /** Time between a refusal and the next attempt. */
  readonly retry: Range;
}

/** A moment in the history. Counting starts when the preceding step is done. */
export type Trigger =
  /** As soon as the preceding step is proved, or so much later. `ttl`: every lease given before then has ended. */
  | { readonly on: 'previous'; readonly plus?: Millis | 'ttl' }
  /** The `count`-th such line, by one contender or by any. */
  | { readonly on: 'event'; readonly type: 'enter' | 'exit' | 'ok'; readonly by?: string; readonly count?: number }
  /** Every contender waits at the gate, holding nothing; it closes after `after` exits and opens when this step is proved and the next one armed. */
  | { readonly on: 'gate'; readonly gate: 'acquire'; readonly after: number }
  /** So long after the clock started. */
  | { readonly on: 'time'; readonly at: Millis };

/**
 * Armed before the step's moment, so that it cannot be missed: every exit gate is closed until the trigger has come.
 * Keeps the contender whose `enter` triggered the step inside its critical section until another contender has left its own.
 */
export interface Detain {
  readonly gate: Extract<GateName, 'exit'>;
  readonly until: 'another-exit';
  /** It goes on by itself after so long. Less than the lease, or it is an overrun. */
  readonly atMost: Millis;
}

/** A fault as data; the fault named by `kind` knows its own parameters. */
export interface FaultSpec {
  readonly kind: string;
  readonly [parameter: string]: unknown;
}

export type Action =
  | { readonly inject: FaultSpec }
  /** Waits for Sentinel to promote a replica. */
  | { readonly await: 'promotion' }
  /** Heals earlier steps by name. */
  | { readonly heal: readonly string[] };

export type Step = {
  readonly name: string;
  readonly when: Trigger;
  readonly detain?: Detain;
  /** How long to wait for the trigger and, again, for the proof. Default 10 s. */
  readonly limit?: Millis;
} & Action;

/** What happens on one kind of topology. */
export interface Story {
  readonly workload: Workload;
  readonly steps: readonly Step[];
  /** After all is healed: so many more grants, the first within so long. */
  readonly recovery: { readonly grants: number; readonly within: Millis };
  readonly coverage: CoverageDemand;
  /** What any lock on this topology is expected to do, unless the scenario names the lock. */
  readonly expect: Expectation;
}

export interface Scenario {
  readonly name: string;
  /** One sentence for `redlock-chaos list`. */
  readonly sentence: string;
  /** The story, in two sentences or a few. */
  readonly story: string;
  /** Papers, articles, issues. */
  readonly sources: readonly string[];
  /** The locks that are run, in this order, where none is named. */
  readonly locks: readonly string[];
  readonly stories: Partial<Readonly<Record<TopologyKind, Story>>>;
  /** Expectations of locks by name, where they differ from their story's. */
  readonly expect?: Readonly<Record<string, Expectation>>;
}
