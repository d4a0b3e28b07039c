/** When contenders stood still for another reason than the lock: kept at a gate, or their event loop did not run. */
import type { EventOf, HistoryEvent } from '../model/event.ts';
import type { Nanos } from '../model/time.ts';

/**
 * gate: before an attempt, holding nothing. kept: inside the critical section, at the exit gate.
 * stopped: the process did not run. blocked: it ran, its event loop did not.
 */
export type PauseKind = 'gate' | 'kept' | 'stopped' | 'blocked';

export interface Pause {
  readonly contender: string;
  readonly kind: PauseKind;
  readonly from: Nanos;
  readonly to: Nanos;
}

export class Pauses {
  readonly #atGate = new Map<string, EventOf<'gate'>>();
  readonly #pauses: Pause[] = [];

  observe(event: HistoryEvent): void {
    if (event.type === 'gap') {
      const busy = event.cpu * 2 >= event.to - event.from;
      this.#pauses.push({ contender: event.writer, kind: busy ? 'blocked' : 'stopped', from: event.from, to: event.to });
    }
    if (event.type === 'gate') {
      this.#leftGate(event.writer, event.at);
      if (event.state === 'waiting') this.#atGate.set(event.writer, event);
    }
    if (event.type === 'stopped') this.#leftGate(event.writer, event.at);
    if (event.type === 'death') this.#leftGate(event.contender, event.at);
  }

  /** All pauses; whoever is still at a gate is there until `end`. */
  conclude(end: Nanos): readonly Pause[] {
    for (const contender of [...this.#atGate.keys()]) this.#leftGate(contender, end);
    return this.#pauses;
  }

  #leftGate(contender: string, at: Nanos): void {
    const came = this.#atGate.get(contender);
    this.#atGate.delete(contender);
    if (came) this.#pauses.push({ contender, kind: came.gate === 'exit' ? 'kept' : 'gate', from: came.at, to: Math.max(came.at, at) });
  }
}
