/** Waiting in vain as a value: a moment that does not come in time makes a run inconclusive, and does not end it. */
import { InfrastructureError } from '../model/errors.ts';

/** `late` where `work` failed by a limit or by a server; an abort, and any other error, is thrown on. */
export const unlessLate = async <T, const L>(work: Promise<T>, late: L, signal: AbortSignal): Promise<T | L> => {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof InfrastructureError) return late;
    throw error;
  }
};
