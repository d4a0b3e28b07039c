/** One run from plan to result: conducted, judged from its file alone, cleaned up, and written down. */

import type { ComposeFile } from '../infra/compose/file.ts';
import type { Runtime } from '../infra/runtime.ts';
import { EXIT, messageOf, RedlockChaosError } from '../model/errors.ts';
import { type Clock, clockFrom, millis, type Nanos, newOrigin } from '../model/time.ts';
import type { Phase, RunResult } from '../model/verdict.ts';
import type { RunProgress } from '../report/progress.ts';
import { checkHistory } from '../verdict/check-history.ts';
import { combineExitCodes } from '../verdict/exit-code.ts';
import { newProject, openRuntime } from './choose-infra.ts';
import { Conductor } from './conductor.ts';
import { createRunFolder, type RunFolder } from './folder.ts';
import type { RunPlan } from './resolve.ts';

/** When to leave the servers running at the end. */
export type Keep = 'never' | 'on-failure' | 'always';

export interface RunOptions {
  readonly compose: ComposeFile;
  readonly mode: Runtime['mode'];
  readonly seed: string;
  readonly keep: Keep;
  /** Where `.redlock-chaos/` is made. */
  readonly base: string;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** @throws UsageError only; everything else that goes wrong stands in the result, with its exit code. */
export const run = async (plan: RunPlan, options: RunOptions): Promise<RunResult> => {
  const { compose, mode, seed, keep, base, version, signal, progress } = options;
  const origin = newOrigin();
  const clock = clockFrom(origin);
  const folder = createRunFolder(base, clock, [plan.scenario.name, plan.lock.name, seed]);
  folder.write('run.json', `${JSON.stringify(recipe(plan, options), null, 2)}\n`);
  const conductor = new Conductor({ plan, compose, mode, folder, seed, origin, clock, signal, progress });
  const failures: unknown[] = [];
  const fail = (error: unknown): void => void failures.push(error);
  const runtime = await openRuntime(mode, { project: newProject(), kept: keep !== 'never', file: compose.path, say: progress.say }).catch(
    fail,
  );
  if (runtime) {
    await conductor.run(runtime).catch(fail);
    await conductor.keepLogs(runtime).catch(fail);
  }

  progress.doing('checking the history');
  const judging = clock.now();
  const judged = await checkHistory(folder.history);
  const checks = phase('checks', true, `${judged.events} lines`, judging, clock);
  const keepIt = keep === 'always' || (keep === 'on-failure' && (failures.length > 0 || !judged.asExpected));
  const removing = clock.now();
  const failedBefore = failures.length;
  if (runtime && keepIt) {
    progress.say(`The servers are left running: ${runtime.hint}. Remove them with: redlock-chaos down ${runtime.project}`);
  } else {
    progress.doing('removing the servers');
    await runtime?.[Symbol.asyncDispose]().catch(fail);
  }
  const removed = failures.length === failedBefore;
  const removal = phase('removal', removed, keepIt ? 'kept' : removed ? 'nothing left' : 'something is left', removing, clock);

  const failure = failures[0];
  const { conducted } = conductor;
  const result: RunResult = {
    scenario: plan.scenario.name,
    lock: plan.lock.name,
    topology: plan.topology,
    infra: mode,
    seed,
    verdict: judged.verdict,
    expected: judged.expected,
    asExpected: judged.asExpected && failure === undefined,
    exitCode:
      failure === undefined
        ? judged.exitCode
        : combineExitCodes([judged.verdict === 'violated' ? judged.exitCode : EXIT.asExpected, exitCodeOf(failure)]),
    checks: judged.checks,
    outcome: judged.outcome,
    doubts: judged.doubts,
    phases: [...conducted.phases, checks, removal],
    versions: { 'redlock-chaos': version, node: process.version, ...conducted.versions },
    images: conducted.images,
    events: judged.events,
    folder: folder.path,
    ...(failure !== undefined && { failure: inWords(failure) }),
  };
  writeResult(folder, result);
  return result;
};

const phase = (name: Phase['name'], ok: boolean, summary: string, since: Nanos, clock: Clock): Phase => ({
  name,
  ok,
  summary,
  took: millis(clock.now() - since),
});

/** What it takes to run it again. */
const recipe = (plan: RunPlan, { seed, mode, version }: RunOptions): object => ({
  version,
  scenario: plan.scenario.name,
  lock: plan.lock.name,
  infra: mode,
  seed,
  lockOptions: plan.lockOptions,
  expectation: plan.expectation,
  story: plan.story,
});

const writeResult = (folder: RunFolder, result: RunResult): void => folder.write('result.json', `${JSON.stringify(result, null, 2)}\n`);

const exitCodeOf = (error: unknown): number => (error instanceof RedlockChaosError ? error.exitCode : EXIT.infrastructure);

const inWords = (error: unknown): string => (error instanceof RedlockChaosError ? error.sentence : messageOf(error));
