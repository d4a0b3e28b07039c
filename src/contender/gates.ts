/** Gates: places in a contender's loop where it waits for the nemesis' go. */
import type { GateName } from '../model/event.ts';
import type { Millis } from '../model/time.ts';

export class Gates {
  readonly #closed = new Map<GateName, { readonly atMost: Millis | undefined; open: () => void; readonly opened: Promise<void> }>();
  readonly #onWait: (gate: GateName, state: 'waiting' | 'passed') => void;

  constructor(onWait: (gate: GateName, state: 'waiting' | 'passed') => void) {
    this.#onWait = onWait;
  }

  close(gate: GateName, atMost?: Millis): void {
    if (this.#closed.has(gate)) return;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#closed.set(gate, { atMost, open, opened });
  }

  open(gate: GateName): void {
    this.#closed.get(gate)?.open();
    this.#closed.delete(gate);
  }

  openAll(): void {
    for (const gate of [...this.#closed.keys()]) this.open(gate);
  }

  /** Goes straight through an open gate; else waits until it opens, or for as long as it may. */
  async pass(gate: GateName): Promise<void> {
    const closed = this.#closed.get(gate);
    if (!closed) return;
    this.#onWait(gate, 'waiting');
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      if (closed.atMost !== undefined) timer = setTimeout(resolve, closed.atMost);
    });
    await Promise.race([closed.opened, enough]);
    clearTimeout(timer);
    this.#onWait(gate, 'passed');
  }
}
