/** The history as it grows, as events that one can wait for. Order is the file's. */
import { InfrastructureError } from '../model/errors.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { Millis } from '../model/time.ts';

type Listener = (event: HistoryEvent) => void;

export class Watch {
  readonly #read: () => HistoryEvent[];
  readonly #listeners = new Set<Listener>();
  #sinceMark: HistoryEvent[] = [];

  /** `read` returns the lines that are new since the last call. */
  constructor(read: () => HistoryEvent[]) {
    this.#read = read;
  }

  /** To be called whenever a writer says that it has written. */
  look(): void {
    for (const event of this.#read()) {
      this.#sinceMark.push(event);
      for (const listener of this.#listeners) listener(event);
    }
  }

  /** Every event from now on, until the returned function is called. */
  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From here on `wanted` counts; what stands in the file so far is the past. */
  mark(): void {
    this.look();
    this.#sinceMark = [];
  }

  /**
   * The first event since the mark for which `wanted` says true; it is asked once for each, in order, and may count.
   * @throws InfrastructureError after `limit`: the caller decides what a moment that never came means.
   */
  async next(wanted: (event: HistoryEvent) => boolean, limit: Millis, signal: AbortSignal): Promise<HistoryEvent> {
    signal.throwIfAborted();
    this.look();
    const already = this.#sinceMark.find(wanted);
    if (already) return already;
    return new Promise((resolve, reject) => {
      const finish = (end: () => void): void => {
        off();
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        end();
      };
      const abort = (): void => finish(() => reject(signal.reason));
      const off = this.onEvent((event) => {
        if (wanted(event)) finish(() => resolve(event));
      });
      const timer = setTimeout(() => finish(() => reject(new InfrastructureError(`not seen within ${limit} ms`))), limit);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
