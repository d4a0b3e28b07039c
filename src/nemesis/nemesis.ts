/** Runs a story's steps: each waits for its moment, acts, and is proved before the next one is armed. */
import { checkFault } from '../faults/catalogue.ts';
import type { Cluster } from '../infra/cluster.ts';
import { until, within } from '../model/deadline.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { FaultSpec, Step } from '../model/scenario.ts';
import type { Millis, Nanos } from '../model/time.ts';
import type { Healings } from './healings.ts';
import type { Scribe } from './scribe.ts';
import { type TriggerContext, waitFor } from './triggers.ts';
import { unlessLate } from './unless-late.ts';

const DEFAULT_LIMIT: Millis = 10_000;

export interface NemesisOptions extends Omit<TriggerContext, 'start'> {
  readonly cluster: Cluster;
  readonly scribe: Scribe;
  readonly healings: Healings;
  /** Told what is being waited for, for the progress line. */
  readonly progress: (text: string) => void;
}

export class Nemesis {
  readonly #options: NemesisOptions;
  #detention: Promise<void> = Promise.resolve();
  /** Who was the primary before the last fault; what a promotion is measured against. */
  #primaryBefore: string | undefined;
  /** Whose line made the last step's moment. */
  #holder: string | undefined;
  /** Nodes that granted each contender's latest acquire. */
  readonly #votes = new Map<string, readonly string[]>();

  constructor(options: NemesisOptions) {
    this.#options = options;
  }

  /** To be called before the clock starts, so that the first step's moment cannot slip by either. */
  async prepare([first]: readonly Step[]): Promise<void> {
    this.#primaryBefore = await this.#options.cluster.primary();
    this.#options.watch.onEvent((event) => this.#see(event));
    if (first) await this.#arm(first);
  }

  /** `start`: when the clock started. True if every step was triggered and proved. What went wrong stands in the history. */
  async run(steps: readonly Step[], start: Nanos): Promise<boolean> {
    let gated = false;
    let whole = true;
    for (const [index, step] of steps.entries()) {
      // The next step is armed before the gate of the last one opens.
      if (index > 0) await this.#arm(step);
      if (gated) await this.#gateAll('acquire', false);
      gated = step.when.on === 'gate';
      whole = await this.#step(step, start);
      if (!whole) break;
    }
    if (gated) await this.#gateAll('acquire', false);
    if (!whole) await this.#gateAll('exit', false);
    await this.#detention;
    return whole;
  }

  /** From here on events count for this step. The mark comes first: what happens while gates close belongs to it. */
  async #arm(step: Step): Promise<void> {
    this.#options.watch.mark();
    if (step.detain) await this.#gateAll('exit', true, step.detain.atMost);
  }

  #see(event: HistoryEvent): void {
    if (event.type !== 'ok' || event.f !== 'acquire') return;
    const granted = (event.answers ?? []).filter(({ said }) => said === 'granted').map(({ node }) => node);
    this.#votes.set(event.writer, granted);
  }

  async #step(step: Step, start: Nanos): Promise<boolean> {
    const { scribe, progress, signal } = this.#options;
    const limit = step.limit ?? DEFAULT_LIMIT;
    progress(`waiting for ${step.name}`);
    const event = await unlessLate(waitFor(step.when, limit, { ...this.#options, start }), 'missed', signal);
    if (event === 'missed') {
      scribe.milestone(step.name, 'missed', `the moment of step "${step.name}" did not come within ${limit} ms`);
      return false;
    }
    scribe.milestone(step.name, 'triggered', event ? `${event.writer} ${event.type}` : 'its moment had come');
    if (event) this.#holder = event.writer;
    if (step.detain && event) await this.#detain(event.writer, step.detain.atMost);
    if ('heal' in step) return this.#options.healings.heal(step.heal);
    if ('await' in step) return this.#awaitPromotion(step.name, limit);
    return this.#inject(step.name, step.inject, limit);
  }

  async #inject(step: string, spec: FaultSpec, limit: Millis): Promise<boolean> {
    const { cluster, scribe, healings, signal, progress } = this.#options;
    const checked = checkFault(spec);
    const votes = this.#votes.get(this.#holder ?? '') ?? [];
    const fault = await checked.aim({ cluster, signal, votes });
    const named = { step, kind: checked.kind, fault };
    healings.push(named);
    scribe.fault(named, 'inject');
    progress(fault.words);
    await within(limit, `injecting ${fault.words}`, fault.inject(), signal);
    const proof = await within(limit, `proving ${fault.words}`, fault.prove(), signal);
    scribe.proof(named, proof);
    return proof.proved;
  }

  async #awaitPromotion(step: string, limit: Millis): Promise<boolean> {
    const { cluster, scribe, signal, progress } = this.#options;
    progress('waiting for promotion');
    const promoted = async (): Promise<string | undefined> => {
      const primary = await cluster.primary();
      return primary === this.#primaryBefore ? undefined : primary;
    };
    const node = await unlessLate(until(limit, 'promotion', promoted, signal), undefined, signal);
    if (node === undefined) {
      scribe.milestone(step, 'missed', `no replica was promoted within ${limit} ms`);
      return false;
    }
    this.#primaryBefore = node;
    scribe.milestone(step, 'promoted', `a majority of sentinels say ${node}, and its ROLE is master`, node);
    return true;
  }

  /** Keeps one contender inside until another has left; everybody else's exit gate opens. */
  async #detain(holder: string, atMost: Millis): Promise<void> {
    const { contenders, watch, signal } = this.#options;
    await Promise.all(contenders.alive.filter((name) => name !== holder).map((name) => contenders.gate(name, 'exit', false)));
    const letGo = async (): Promise<void> => {
      await watch.next((event) => event.type === 'exit', atMost, signal).catch(() => undefined);
      await contenders.gate(holder, 'exit', false);
    };
    // Awaited at the end of run(); a failure there must not be an unhandled one here.
    this.#detention = letGo();
    this.#detention.catch(() => {});
  }

  async #gateAll(gate: 'acquire' | 'exit', closed: boolean, atMost?: Millis): Promise<void> {
    const { contenders } = this.#options;
    await Promise.all(contenders.alive.map((name) => contenders.gate(name, gate, closed, atMost)));
  }
}
