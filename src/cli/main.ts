/** The command line: puts the commands together, and turns errors into one line and an exit code. */
import { Command, CommanderError } from 'commander';
import { EXIT, RedlockChaosError } from '../model/errors.ts';
import type { Scenario } from '../model/scenario.ts';
import { addCheckCommand } from './check-command.ts';
import { addDownCommand } from './down-command.ts';
import { addImagesCommand } from './images-command.ts';
import { addListCommand } from './list-command.ts';
import { packageVersion } from './package-root.ts';
import { addRunCommand } from './run-command.ts';
import { addUpCommand } from './up-command.ts';

/** Runs one command; sets `process.exitCode`, and never ends the process by force. */
export const main = async (argv: readonly string[], scenarios: readonly Scenario[]): Promise<void> => {
  const program = new Command('redlock-chaos')
    .description('Is your distributed lock safe? Chaos tests for locks on real servers.')
    .version(packageVersion())
    .exitOverride();
  addRunCommand(program, scenarios);
  addCheckCommand(program);
  addListCommand(program, scenarios);
  addUpCommand(program);
  addDownCommand(program);
  addImagesCommand(program);
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.asExpected : EXIT.usage; // commander has said why
    } else if (error instanceof RedlockChaosError) {
      process.stderr.write(`redlock-chaos: ${error.sentence.replace(/\s+/g, ' ')}\n`);
      process.exitCode = error.exitCode;
    } else {
      process.stderr.write(`redlock-chaos: a fault of its own: ${error instanceof Error ? error.stack : String(error)}\n`);
      process.exitCode = EXIT.infrastructure;
    }
  }
};
