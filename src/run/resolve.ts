/** From what was asked for to what will be run: scenario, lock and story put together, or refused before anything starts. */
import { closest } from 'fastest-levenshtein';
import { checkFault } from '../faults/catalogue.ts';
import { LOCKS } from '../locks/catalogue.ts';
import { UsageError } from '../model/errors.ts';
import type { Expectation } from '../model/expectation.ts';
import type { LockDefinition } from '../model/lock.ts';
import type { Scenario, Story } from '../model/scenario.ts';
import type { Millis } from '../model/time.ts';
import type { TopologyKind } from '../model/topology.ts';

/** What the user may change of a story. */
export interface Overrides {
  readonly contenders?: number;
  readonly ttl?: Millis;
  readonly lockOptions: Readonly<Record<string, string>>;
  readonly expect?: Expectation;
}

/** One run, ready to be conducted. */
export interface RunPlan {
  readonly scenario: Scenario;
  readonly lock: LockDefinition;
  readonly topology: TopologyKind;
  readonly story: Story;
  readonly expectation: Expectation;
  readonly lockOptions: Readonly<Record<string, string>>;
  /** Pods that the faults need apart. */
  readonly apart: readonly string[];
}

/** The named thing, or a UsageError that suggests the nearest name. */
export const named = <T extends { readonly name: string }>(kind: string, name: string, all: readonly T[]): T => {
  const found = all.find((candidate) => candidate.name === name);
  if (found) return found;
  const names = all.map((candidate) => candidate.name);
  throw new UsageError(`no ${kind} is called "${name}"`, { hint: `Did you mean ${closest(name, names)}? Known: ${names.join(', ')}.` });
};

const fitting = (scenario: Scenario): string[] =>
  LOCKS.filter((lock) => lock.topologies.some((kind) => scenario.stories[kind])).map(({ name }) => name);

const checkOptions = (lock: LockDefinition, options: Readonly<Record<string, string>>): void => {
  for (const name of Object.keys(options)) {
    if (lock.options[name] === undefined) {
      const known = Object.keys(lock.options).join(', ') || 'none';
      throw new UsageError(`the lock ${lock.name} has no option "${name}"`, { hint: `Its options: ${known}.` });
    }
  }
};

const withOverrides = (story: Story, lock: LockDefinition, { contenders, ttl, lockOptions }: Overrides): Story => {
  const workload = { ...story.workload, ...(contenders !== undefined && { contenders }), ...(ttl !== undefined && { ttl }) };
  if (!Number.isInteger(workload.contenders) || workload.contenders < 1) {
    throw new UsageError(`--contenders ${workload.contenders}: not a number of contenders`, {
      hint: `Two or more contend for a lock; the scenario has ${story.workload.contenders}.`,
    });
  }
  const least = lock.leastTtl?.(lockOptions) ?? 0;
  if (!Number.isInteger(workload.ttl) || workload.ttl <= least) {
    throw new UsageError(
      `--ttl ${workload.ttl}: ${workload.ttl > 0 ? `not longer than the drift that ${lock.name} allows for, so it could never be granted` : 'not a lease in milliseconds'}`,
      {
        hint: `Give whole milliseconds above ${Math.max(1, Math.ceil(least))}; the scenario has ${story.workload.ttl}.`,
      },
    );
  }
  return { ...story, workload };
};

/** @throws UsageError where it can never run. */
export const resolveRun = (scenario: Scenario, lockName: string, overrides: Overrides): RunPlan => {
  const lock = named('lock', lockName, LOCKS);
  const topology = lock.topologies.find((kind) => scenario.stories[kind]);
  const told = topology && scenario.stories[topology];
  if (!topology || !told) {
    const speaksOf = Object.keys(scenario.stories).join(' and ');
    throw new UsageError(
      `the lock ${lock.name} runs on ${lock.topologies.join(' or ')} Redis, and ${scenario.name} speaks of ${speaksOf}`,
      {
        hint: `Locks that fit ${scenario.name}: ${fitting(scenario).join(', ')}.`,
      },
    );
  }
  checkOptions(lock, overrides.lockOptions);
  const story = withOverrides(told, lock, overrides);
  const apart = story.steps.flatMap((step) => ('inject' in step ? checkFault(step.inject).apart : []));
  const expectation = overrides.expect ?? scenario.expect?.[lock.name] ?? story.expect;
  return { scenario, lock, topology, story, expectation, lockOptions: overrides.lockOptions, apart };
};
