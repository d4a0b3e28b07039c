/** When contenders waited for a key: from the first attempt to the grant, or to their end. */
import type { Grant } from '../history/holds.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { Nanos } from '../model/time.ts';

export interface Wait {
  readonly contender: string;
  readonly key: string;
  readonly from: Nanos;
  readonly to: Nanos;
}

export class Waiting {
  /** contender → key → since. */
  readonly #since = new Map<string, Map<string, Nanos>>();
  readonly #waits: Wait[] = [];

  observe(event: HistoryEvent, granted: Grant | undefined): void {
    if (event.type === 'invoke' && event.f === 'acquire') {
      const keys = this.#since.get(event.writer) ?? new Map<string, Nanos>();
      if (!keys.has(event.key)) keys.set(event.key, event.at);
      this.#since.set(event.writer, keys);
    }
    if (granted) this.#over(granted.contender, granted.key, granted.okAt);
    if (event.type === 'stopped') this.#ended(event.writer, event.at);
    if (event.type === 'death') this.#ended(event.contender, event.at);
  }

  /** All waits; whoever still waits does so until `end`. */
  conclude(end: Nanos): readonly Wait[] {
    for (const contender of [...this.#since.keys()]) this.#ended(contender, end);
    return this.#waits;
  }

  #ended(contender: string, at: Nanos): void {
    for (const key of [...(this.#since.get(contender)?.keys() ?? [])]) this.#over(contender, key, at);
  }

  #over(contender: string, key: string, at: Nanos): void {
    const from = this.#since.get(contender)?.get(key);
    this.#since.get(contender)?.delete(key);
    if (from !== undefined) this.#waits.push({ contender, key, from, to: Math.max(from, at) });
  }
}
