/** Writes the nemesis' lines: each phase of a fault, and the milestones. */
import type { AimedFault, Proof } from '../faults/fault.ts';
import type { HistoryWriter } from '../history/writer.ts';
import type { Body, FaultPhase, Milestone } from '../model/event.ts';
import type { Clock } from '../model/time.ts';

/** A fault on its way through its phases. */
export interface NamedFault {
  readonly step: string;
  readonly kind: string;
  readonly fault: AimedFault;
}

export class Scribe {
  readonly #writer: HistoryWriter;
  readonly #clock: Clock;
  readonly #wrote: () => void;

  constructor(writer: HistoryWriter, clock: Clock, wrote: () => void) {
    this.#writer = writer;
    this.#clock = clock;
    this.#wrote = wrote;
  }

  fault({ step, kind, fault }: NamedFault, phase: FaultPhase, detail: string = fault.words): void {
    this.#write({ type: 'fault', step, phase, fault: kind, targets: fault.targets, nodes: fault.nodes, detail });
  }

  proof(named: NamedFault, proof: Proof): void {
    this.fault(named, proof.proved ? 'proved' : 'unproved', proof.detail);
  }

  milestone(step: string, what: Milestone['what'], detail: string, node?: string): void {
    this.#write({ type: 'milestone', step, what, ...(node !== undefined && { node }), detail });
  }

  #write(body: Body): void {
    this.#writer.append(body, this.#clock.now());
    this.#wrote();
  }
}
