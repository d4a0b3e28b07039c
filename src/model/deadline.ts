/** Waiting with a limit: every call to something outside this process goes through here. */

import { InfrastructureError, messageOf } from './errors.ts';
import type { Millis } from './time.ts';

/** Resolves after so long, or rejects as soon as `signal` aborts. */
export const pause = (duration: Millis, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, duration);
    signal?.addEventListener('abort', stop, { once: true });
  });

/**
 * The outcome of `work`, or an InfrastructureError naming `what` once `limit` is over.
 * The work itself goes on; it is the caller's to make it stop.
 */
export const within = async <T>(limit: Millis, what: string, work: Promise<T>, signal?: AbortSignal): Promise<T> => {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new InfrastructureError(`${what}: no answer within ${limit} ms`)), limit);
    stop = () => reject(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    if (stop) signal?.removeEventListener('abort', stop);
    work.catch(() => {});
  }
};

/** The same, and whatever else `work` fails by becomes an InfrastructureError that names `what` too. */
export const namedWithin = async <T>(limit: Millis, what: string, work: Promise<T>): Promise<T> => {
  try {
    return await within(limit, what, work);
  } catch (cause) {
    if (cause instanceof InfrastructureError) throw cause;
    throw new InfrastructureError(`${what}: ${messageOf(cause)}`, { cause });
  }
};

/**
 * Asks again and again until the answer is not `undefined`; for states that nothing announces.
 * @throws InfrastructureError naming `what` after `limit`.
 */
export const until = async <T>(
  limit: Millis,
  what: string,
  ask: () => Promise<T | undefined>,
  signal?: AbortSignal,
  every: Millis = 10,
): Promise<T> => {
  let over = false;
  const timer = setTimeout(() => {
    over = true;
  }, limit);
  try {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (over) throw new InfrastructureError(`${what}: not within ${limit} ms`);
      await pause(every, signal);
    }
  } finally {
    clearTimeout(timer);
  }
};
