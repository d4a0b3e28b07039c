/** A contender's life: acquire, enter, read, hold, write, exit, release, think, again. */
import type { Ledger } from '../infra/ledger.ts';
import { pause } from '../model/deadline.ts';
import { messageOf } from '../model/errors.ts';
import type { OperationKind } from '../model/event.ts';
import type { Granted, Lock, Refused, Unknown } from '../model/lock.ts';
import { draw } from '../model/random.ts';
import type { Workload } from '../model/scenario.ts';
import type { Gates } from './gates.ts';
import type { Recorder } from './recorder.ts';

export interface LoopOptions {
  /** `name#incarnation`, unique in the run. */
  readonly who: string;
  readonly key: string;
  readonly resource: string;
  readonly lock: Lock;
  readonly ledger: Ledger;
  readonly workload: Workload;
  readonly random: () => number;
  readonly gates: Gates;
  readonly recorder: Recorder;
  /** Aborted when the contender is to finish. */
  readonly stop: AbortSignal;
}

export class Loop {
  readonly #options: LoopOptions;
  #op = 0;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { gates, workload, random, stop } = this.#options;
    while (!stop.aborted) {
      await gates.pass('acquire');
      if (stop.aborted) return;
      const grant = await this.#acquire();
      if (grant) {
        await this.#criticalSection(grant.op);
        await this.#release(grant.token);
      }
      await pause(draw(random, grant ? workload.think : workload.retry), stop).catch(() => {});
    }
  }

  async #acquire(): Promise<{ op: number; token: string } | undefined> {
    const { lock, stop, key } = this.#options;
    const op = this.#invoke('acquire');
    const outcome = await lock.acquire(key, stop).catch(threw);
    if (outcome.outcome !== 'granted') {
      this.#record(op, 'acquire', outcome);
      return undefined;
    }
    this.#granted(op, outcome);
    return { op, token: outcome.token };
  }

  /** `enter` stands after the acquire's `ok`; `exit` after the ledger has answered and before release is sent. */
  async #criticalSection(acquireOp: number): Promise<void> {
    const { gates, workload, random, recorder, key, ledger, resource, who } = this.#options;
    recorder.record({ type: 'enter', op: acquireOp, key });
    const readOp = this.#invoke('read');
    const basis = await ledger.read(resource);
    recorder.record({ type: 'ok', op: readOp, f: 'read', key, value: basis });
    await pause(draw(random, workload.hold));
    await gates.pass('exit');
    const value = `${who}/${this.#op + 1}`;
    const writeOp = this.#invoke('write', { value, basis });
    const replaced = await ledger.write(resource, value);
    recorder.record({ type: 'ok', op: writeOp, f: 'write', key, replaced });
    recorder.record({ type: 'exit', op: acquireOp, key });
  }

  async #release(token: string): Promise<void> {
    const { lock, recorder, key } = this.#options;
    const op = this.#invoke('release', { token });
    const outcome = await lock.release(key, token).catch(threw);
    if (outcome.outcome === 'done') recorder.record({ type: 'ok', op, f: 'release', key, answers: outcome.answers });
    else this.#record(op, 'release', outcome);
  }

  #invoke(f: OperationKind, more: { readonly token?: string; readonly value?: string; readonly basis?: string } = {}): number {
    this.#op += 1;
    this.#options.recorder.record({ type: 'invoke', op: this.#op, f, key: this.#options.key, ...more });
    return this.#op;
  }

  #granted(op: number, { token, start, until, fencing, answers }: Granted): void {
    this.#options.recorder.record({
      type: 'ok',
      op,
      f: 'acquire',
      key: this.#options.key,
      token,
      ...(start !== undefined && { start }),
      ...(until !== undefined && { until }),
      ...(fencing !== undefined && { fencing }),
      answers,
    });
  }

  #record(op: number, f: OperationKind, { outcome, reason, answers }: Refused | Unknown): void {
    this.#options.recorder.record({ type: outcome === 'refused' ? 'fail' : 'info', op, f, key: this.#options.key, reason, answers });
  }
}

const threw = (error: unknown): Unknown => ({ outcome: 'unknown', reason: `the lock threw: ${messageOf(error)}`, answers: [] });
