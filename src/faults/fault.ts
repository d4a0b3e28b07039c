/** What every fault is: aimed at its targets when its moment has come, injected, proved, healed, and the healing proved. */
import type { z } from 'zod';
import type { Cluster } from '../infra/cluster.ts';
import { UsageError } from '../model/errors.ts';
import { firstIssue } from '../model/first-issue.ts';
import type { FaultSpec } from '../model/scenario.ts';

/** Where faults happen. */
export interface Field {
  readonly cluster: Cluster;
  /** Aborted when the run is to end; healing does not heed it. */
  readonly signal: AbortSignal;
  /** Nodes that granted the lock to the contender whose line made this moment; empty where none did or it does not tell. */
  readonly votes: readonly string[];
}

/** What a proof showed, in words. Not proved makes the run inconclusive. */
export interface Proof {
  readonly proved: boolean;
  readonly detail: string;
}

export interface AimedFault {
  /** Nodes, links or contenders acted on. */
  readonly targets: readonly string[];
  /** Nodes whose keys it can affect. */
  readonly nodes: readonly string[];
  /** What is done, in words: `kill redis-6`. */
  readonly words: string;
  inject(): Promise<void>;
  prove(): Promise<Proof>;
  heal(): Promise<void>;
  proveHealed(): Promise<Proof>;
}

interface FaultDefinition<P> {
  readonly kind: string;
  readonly sentence: string;
  readonly parameters: z.ZodType<P>;
  /** Pods that must be by themselves for this fault to tell its links apart. */
  apart(parameters: P): readonly string[];
  /** Finds the targets as they are now. @throws UsageError where there is no such target in this topology. */
  aim(parameters: P, field: Field): Promise<AimedFault>;
}

/** A fault whose parameters have been checked. */
export interface CheckedFault {
  readonly kind: string;
  readonly apart: readonly string[];
  aim(field: Field): Promise<AimedFault>;
}

/** A fault as it stands in the catalogue. */
export interface Fault {
  readonly kind: string;
  readonly sentence: string;
  /** @throws UsageError naming the wrong parameter. */
  check(spec: FaultSpec): CheckedFault;
}

export const defineFault = <P>({ kind, sentence, parameters, apart, aim }: FaultDefinition<P>): Fault => ({
  kind,
  sentence,
  check(spec) {
    const parsed = parameters.safeParse(spec);
    if (!parsed.success) throw new UsageError(`fault ${kind}: ${firstIssue(parsed.error, 'parameters')}`);
    return { kind, apart: apart(parsed.data), aim: (field) => aim(parsed.data, field) };
  },
});
