/** Named errors, each with the exit code it ends the command with. Verdicts are values and never thrown. */

export const EXIT = {
  asExpected: 0,
  violated: 1,
  unavailable: 2,
  inconclusive: 3,
  infrastructure: 4,
  usage: 64,
  sigint: 130,
  sigterm: 143,
} as const;

/** An error meant for people: one clear line, saying what happened, to what, and what to try. */
export abstract class RedlockChaosError extends Error {
  abstract readonly exitCode: number;
  /** What to try, as a sentence. */
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.hint = options.hint;
  }

  /** What happened, and what to try. */
  get sentence(): string {
    return this.hint === undefined ? this.message : `${this.message}. ${this.hint}`;
  }
}

/** The command can never do what was asked: unknown name, contradictory flags, a mode or topology that does not fit. Exit 64. */
export class UsageError extends RedlockChaosError {
  readonly exitCode = EXIT.usage;
}

/** A server, engine, port, disk or program let us down. Exit 4. */
export class InfrastructureError extends RedlockChaosError {
  readonly exitCode = EXIT.infrastructure;
}

/** The run was asked to stop. Exit 130 or 143. */
export class InterruptedError extends RedlockChaosError {
  readonly exitCode: number;
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`interrupted by ${signal}`);
    this.signal = signal;
    this.exitCode = signal === 'SIGINT' ? EXIT.sigint : EXIT.sigterm;
  }
}

/** What was thrown, in words. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
