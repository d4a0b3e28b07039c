/** The stack of healings: whatever was injected is healed, last first, on every way out, with a deadline of its own. */
import { within } from '../model/deadline.ts';
import { messageOf } from '../model/errors.ts';
import type { Millis } from '../model/time.ts';
import type { NamedFault, Scribe } from './scribe.ts';

const LIMIT: Millis = 15_000;

export class Healings {
  readonly #scribe: Scribe;
  readonly #stack: NamedFault[] = [];

  constructor(scribe: Scribe) {
    this.#scribe = scribe;
  }

  /** To be called before the fault is injected, so that half an injection is healed too. */
  push(named: NamedFault): void {
    this.#stack.push(named);
  }

  /** Heals these steps' faults, or all; last first. Never throws: a healing that fails is written as `unhealed`. */
  async heal(steps?: readonly string[]): Promise<boolean> {
    let whole = true;
    for (const named of [...this.#stack].reverse()) {
      if (steps && !steps.includes(named.step)) continue;
      this.#stack.splice(this.#stack.indexOf(named), 1);
      whole = (await this.#healOne(named)) && whole;
    }
    return whole;
  }

  async #healOne(named: NamedFault): Promise<boolean> {
    const { fault } = named;
    try {
      this.#scribe.fault(named, 'heal');
      await within(LIMIT, `healing ${fault.words}`, fault.heal());
      const proof = await within(LIMIT, `proving that ${fault.words} is healed`, fault.proveHealed());
      this.#scribe.fault(named, proof.proved ? 'healed' : 'unhealed', proof.detail);
      return proof.proved;
    } catch (error) {
      this.#scribe.fault(named, 'unhealed', messageOf(error));
      return false;
    }
  }
}
