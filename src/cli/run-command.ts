/** `redlock-chaos run`: scenarios × locks, one after another, each with its report. */
import { type Command, Option } from 'commander';
import { readComposeFile } from '../infra/compose/file.ts';
import { InfrastructureError, UsageError } from '../model/errors.ts';
import { newSeed } from '../model/random.ts';
import type { Scenario } from '../model/scenario.ts';
import { clockFrom, newOrigin } from '../model/time.ts';
import type { RunResult } from '../model/verdict.ts';
import { renderJson } from '../report/json.ts';
import { Progress } from '../report/progress.ts';
import { renderSummary, type SkippedRun } from '../report/summary.ts';
import { chooseInfra, INFRA_CHOICES, type InfraChoice } from '../run/choose-infra.ts';
import { named, type Overrides, type RunPlan, resolveRun } from '../run/resolve.ts';
import { type Keep, run } from '../run/run.ts';
import { combineExitCodes } from '../verdict/exit-code.ts';
import { parseExpect } from '../verdict/parse-expect.ts';
import { listenForInterrupt } from './interrupt.ts';
import { nameAndValue, names, oneOf, wholeNumber } from './options.ts';
import { composePath, packageVersion } from './package-root.ts';
import { reportOf, terminalOptions } from './terminal.ts';

interface RunFlags {
  readonly scenario: readonly string[];
  readonly lock?: readonly string[];
  readonly infra: InfraChoice;
  readonly seed?: string;
  readonly contenders?: number;
  readonly ttl?: number;
  readonly lockOption: Readonly<Record<string, string>>;
  readonly expect?: string;
  readonly keep?: Keep | true;
  readonly json?: true;
  readonly composeFile?: string;
}

const ALL = 'all';

/** With `all`, what does not fit is skipped with its reason; asked for by name, it is a usage error. */
const planRuns = (flags: RunFlags, scenarios: readonly Scenario[]): { plans: RunPlan[]; skipped: SkippedRun[] } => {
  const all = flags.scenario.includes(ALL);
  const chosen = all ? scenarios : flags.scenario.map((name) => named('scenario', name, scenarios));
  const overrides: Overrides = {
    ...(flags.contenders !== undefined && { contenders: flags.contenders }),
    ...(flags.ttl !== undefined && { ttl: flags.ttl }),
    ...(flags.expect !== undefined && { expect: parseExpect(flags.expect) }),
    lockOptions: flags.lockOption,
  };
  const plans: RunPlan[] = [];
  const skipped: SkippedRun[] = [];
  for (const scenario of chosen) {
    for (const lock of flags.lock ?? scenario.locks) {
      try {
        plans.push(resolveRun(scenario, lock, overrides));
      } catch (error) {
        if (!all || !(error instanceof UsageError)) throw error;
        skipped.push({ scenario: scenario.name, lock, reason: error.message });
      }
    }
  }
  if (plans.length === 0)
    throw new UsageError('nothing to run: every scenario was skipped', { hint: skipped[0]?.reason ?? 'Name a scenario.' });
  return { plans, skipped };
};

const runAll = async (flags: RunFlags, scenarios: readonly Scenario[]): Promise<void> => {
  const { plans, skipped } = planRuns(flags, scenarios);
  const seed = flags.seed ?? newSeed();
  if (!/^[\w.-]{1,40}$/.test(seed))
    throw new UsageError(`--seed ${seed}: not a seed`, { hint: 'Up to 40 letters, digits, dots or dashes.' });
  const compose = readComposeFile(flags.composeFile ?? composePath());
  const progress = new Progress(clockFrom(newOrigin()));
  const results: RunResult[] = [];
  using interrupt = listenForInterrupt((line) => progress.say(line));
  try {
    const mode = await chooseInfra(flags.infra, (line) => progress.say(line));
    for (const plan of plans) {
      if (interrupt.signal.aborted) break;
      const result = await run(plan, {
        compose,
        mode,
        seed,
        keep: flags.keep === true ? 'always' : (flags.keep ?? 'never'),
        base: process.cwd(),
        version: packageVersion(),
        signal: interrupt.signal,
        progress: progress.ofRun(`${plan.scenario.name} × ${plan.lock.name}`),
      });
      progress.stop();
      results.push(result);
      if (!flags.json) process.stdout.write(`${await reportOf(result)}\n`);
    }
  } catch (error) {
    // A document on every exit but that of usage, also where no run came about.
    if (flags.json && error instanceof InfrastructureError) {
      process.stdout.write(renderJson({ version: packageVersion(), runs: results, skipped, failure: error.message }));
    }
    throw error;
  } finally {
    progress.stop();
  }
  if (flags.json) process.stdout.write(renderJson({ version: packageVersion(), runs: results, skipped }));
  else if (results.length + skipped.length > 1) process.stdout.write(renderSummary(results, skipped, terminalOptions()));
  process.exitCode = combineExitCodes(results.map((result) => result.exitCode));
};

export const addRunCommand = (program: Command, scenarios: readonly Scenario[]): void => {
  program
    .command('run')
    .description('Run scenarios against locks on real servers, and report what happened')
    .requiredOption('-s, --scenario <names>', `scenario to run, several with commas, or "${ALL}"`, names)
    .option('-l, --lock <names>', "lock to run it on; default: the scenario's own", names)
    .addOption(
      new Option('--infra <where>', 'docker, local (processes on this machine) or auto')
        .default('auto')
        .argParser(oneOf('--infra', INFRA_CHOICES)),
    )
    .option('--seed <text>', 'makes the random choices again; default: a new one')
    .option('--contenders <n>', 'how many processes contend', wholeNumber('--contenders'))
    .option('--ttl <ms>', 'the lease to ask for, in milliseconds', wholeNumber('--ttl'))
    .option('--lock-option <name=value>', 'an option of the lock; may be repeated', nameAndValue('--lock-option'), {})
    .option('--expect <what>', 'holds, violated[:check[:class]], unavailable or any')
    .option(
      '--keep [when]',
      'leave the servers running: always (default of --keep) or on-failure',
      oneOf('--keep', ['always', 'on-failure', 'never']),
    )
    .option('--json', 'print one JSON document in place of the report')
    .option('--compose-file <file>', 'another description of the servers')
    .action((flags: RunFlags) => runAll(flags, scenarios));
};
