/** Every call to the engine: with a deadline, and an error that names the call and its object. */
import { within } from '../../model/deadline.ts';
import { InfrastructureError } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';

const LIMIT: Millis = 20_000;

/** The engine's own words, without the wrapping that dockerode puts around them. */
const inWords = (cause: unknown): string => {
  const { json, message } = cause as { json?: { message?: string }; message?: string };
  return json?.message ?? message ?? String(cause);
};

export const statusOf = (cause: unknown): number | undefined => (cause as { statusCode?: number }).statusCode;

/** @throws InfrastructureError */
export const call = async <T>(what: string, work: Promise<T>, limit: Millis = LIMIT): Promise<T> => {
  try {
    return await within(limit, `Docker, ${what}`, work);
  } catch (cause) {
    if (cause instanceof InfrastructureError) throw cause;
    throw new InfrastructureError(`Docker, ${what}: ${inWords(cause)}`, { cause });
  }
};

/** The same, for removals and kills of what may be gone already: 404, 409 and 304 are fine. */
export const callUnlessGone = async (what: string, work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (cause) {
    if (![304, 404, 409].includes(statusOf(cause) ?? 0)) await call(what, Promise.reject(cause));
  }
};
