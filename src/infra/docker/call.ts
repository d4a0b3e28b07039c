/** Every call to the engine: with a deadline, and an error that names the call and its object. */
import { within } from '../../model/deadline.ts';
import { InfrastructureError } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';

const LIMIT: Millis = 10_000;

/** Answers to a removal, kill or thaw of what is gone, ended or running already. */
const GONE: readonly (number | undefined)[] = [304, 404, 409];

/** The engine's own words, without the wrapping that dockerode puts around them: `(HTTP code 500) server error - … `. */
const inWords = (cause: unknown): string => {
  const { json, message } = cause as { json?: { message?: string }; message?: string };
  return json?.message ?? message?.replace(/^\(HTTP code \d+\) [^-]* - /, '').trim() ?? String(cause);
};

export const statusOf = (cause: unknown): number | undefined => (cause as { statusCode?: number }).statusCode;

/**
 * `ask` gets a signal to hand to dockerode: at the deadline the request is given up, so that a silent engine keeps no process alive.
 * @throws InfrastructureError; its `cause` is the engine's answer.
 */
export const call = async <T>(what: string, ask: (abortSignal: AbortSignal) => Promise<T>, limit: Millis = LIMIT): Promise<T> => {
  const over = new AbortController();
  try {
    return await within(limit, `Docker, ${what}`, ask(over.signal));
  } catch (cause) {
    over.abort();
    if (cause instanceof InfrastructureError) throw cause;
    throw new InfrastructureError(`Docker, ${what}: ${inWords(cause)}`, { cause });
  }
};

/** The same, for what may be gone already. */
export const callUnlessGone = async (what: string, ask: (abortSignal: AbortSignal) => Promise<unknown>): Promise<void> => {
  await call(what, (abortSignal) =>
    ask(abortSignal).catch((cause: unknown) => {
      if (!GONE.includes(statusOf(cause))) throw cause;
    }),
  );
};
