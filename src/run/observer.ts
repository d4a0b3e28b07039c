/** Looks at the lock's keys on every node whenever something happens, and writes down what it saw. */
import type { HistoryWriter } from '../history/writer.ts';
import type { Cluster } from '../infra/cluster.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { Clock } from '../model/time.ts';

export class Observer {
  readonly #cluster: Cluster;
  readonly #keys: readonly string[];
  readonly #writer: HistoryWriter;
  readonly #clock: Clock;
  readonly #wrote: () => void;
  /** One look at a time, so that lines stand in the order of what they saw. */
  #last: Promise<void> = Promise.resolve();
  #failure: unknown;

  constructor(options: { cluster: Cluster; keys: readonly string[]; writer: HistoryWriter; clock: Clock; wrote: () => void }) {
    this.#cluster = options.cluster;
    this.#keys = options.keys;
    this.#writer = options.writer;
    this.#clock = options.clock;
    this.#wrote = options.wrote;
  }

  /** Call with every line of the history. */
  seen(event: HistoryEvent): void {
    if (event.type === 'enter') this.look(`enter ${event.writer} ${event.op}`);
    if (event.type === 'fault' && (event.phase === 'proved' || event.phase === 'healed')) this.look(`${event.step} ${event.phase}`);
    if (event.type === 'milestone' && event.what === 'promoted') this.look('promoted');
  }

  look(on: string): void {
    this.#last = this.#last
      .then(() => this.#observe(on))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }

  async #observe(on: string): Promise<void> {
    for (const key of this.#keys) {
      const from = this.#clock.now();
      const nodes = await this.#cluster.observe(key);
      this.#writer.append({ type: 'observed', on, key, from, nodes }, this.#clock.now());
      this.#wrote();
    }
  }

  /** Resolves once every look so far is written. @throws what a look failed by. */
  async finished(): Promise<void> {
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure;
  }
}
