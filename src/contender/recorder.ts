/** Writes a contender's lines, and sees when its event loop did not run. */
import type { HistoryWriter } from '../history/writer.ts';
import type { Body } from '../model/event.ts';
import { type Clock, type Nanos, nanos } from '../model/time.ts';

const TICK = 10;
const GAP = nanos(50);

export class Recorder implements Disposable {
  readonly #writer: HistoryWriter;
  readonly #clock: Clock;
  readonly #wrote: () => void;
  readonly #timer: NodeJS.Timeout;
  #lastTick: Nanos;
  #lastCpu = cpu();

  constructor(writer: HistoryWriter, clock: Clock, wrote: () => void) {
    this.#writer = writer;
    this.#clock = clock;
    this.#wrote = wrote;
    this.#lastTick = clock.now();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  /** Writes one line, stamped now. A gap that has just ended is written first, so that nothing hides it. */
  record(body: Body): void {
    this.#tick();
    this.#writer.append(body, this.#clock.now());
    this.#wrote();
  }

  get count(): number {
    return this.#writer.count;
  }

  #tick(): void {
    const now = this.#clock.now();
    const used = cpu();
    if (now - this.#lastTick > GAP) {
      this.#writer.append({ type: 'gap', from: this.#lastTick, to: now, cpu: used - this.#lastCpu }, now);
      this.#wrote();
    }
    this.#lastTick = now;
    this.#lastCpu = used;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** CPU time of this process so far: tells a blocked loop from a stopped process. */
const cpu = (): Nanos => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
};
