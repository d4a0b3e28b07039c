/** What the nemesis did, as marks on its lane: stretches from injection to healing, and moments. */
import type { EventOf, HistoryEvent } from '../model/event.ts';
import type { Nanos } from '../model/time.ts';

/** A stretch (`<-- cut … -->`), or a moment where `to` equals `from`. */
export interface NemesisMark {
  readonly kind: 'span' | 'kill' | 'back' | 'promoted';
  readonly label: string;
  readonly from: Nanos;
  readonly to: Nanos;
}

export class NemesisMarks {
  readonly #marks: NemesisMark[] = [];
  /** Injected and not healed so far, by step. */
  readonly #acting = new Map<string, EventOf<'fault'>>();
  readonly #unproved = new Set<string>();

  observe(event: HistoryEvent): void {
    if (event.type === 'fault') this.#fault(event);
    if (event.type === 'milestone' && event.what === 'promoted') this.#moment('promoted', `promoted ${event.node ?? ''}`.trim(), event.at);
    if (event.type === 'kill' && ![...this.#acting.values()].some(({ targets }) => targets.includes(event.contender)))
      this.#moment('kill', `kill ${event.contender}`, event.at);
  }

  /** All marks by time; what was not healed goes on until `end`. */
  conclude(end: Nanos): readonly NemesisMark[] {
    for (const fault of [...this.#acting.values()]) this.#ended(fault, end);
    return this.#marks.toSorted((one, other) => one.from - other.from);
  }

  #fault(event: EventOf<'fault'>): void {
    const injected = this.#acting.get(event.step);
    if (event.phase === 'inject') this.#acting.set(event.step, event);
    if (event.phase === 'unproved') this.#unproved.add(event.step);
    if (event.phase !== 'healed' || !injected) return;
    this.#ended(injected, event.at);
    if (isKill(injected)) this.#moment('back', `${injected.targets.join(', ')} back`, event.at);
  }

  #ended(fault: EventOf<'fault'>, at: Nanos): void {
    this.#acting.delete(fault.step);
    const label = fault.detail + (this.#unproved.has(fault.step) ? ' (not proved)' : '');
    if (isKill(fault)) this.#moment('kill', label, fault.at);
    else this.#marks.push({ kind: 'span', label, from: fault.at, to: Math.max(fault.at, at) });
  }

  #moment(kind: NemesisMark['kind'], label: string, at: Nanos): void {
    this.#marks.push({ kind, label, from: at, to: at });
  }
}

/** A kill is a moment; what goes on until it is healed is a stretch. */
const isKill = ({ fault }: EventOf<'fault'>): boolean => /^kill\b/.test(fault);
