/** Safety of the data: every acknowledged update is still there, and no stale write was stored. */
import type { Hold } from '../history/holds.ts';
import type { EventOf } from '../model/event.ts';
import { plural } from '../model/phrases.ts';
import type { CheckVerdict } from '../model/verdict.ts';
import type { Checker, Seen } from './checker.ts';
import { KeptFindings } from './kept-findings.ts';

/** Writes remembered, per history: a stale write overwrites recent ones. */
const WINDOW = 10_000;

interface Write {
  readonly contender: string;
  readonly key: string;
  readonly value: string;
  readonly basis: string;
  readonly line: number;
  replaced: string | undefined;
  okLine: number | undefined;
  /** `certain` once its writer has left in order: a writer that dies or gets no answer before its `exit` proves nothing. */
  state: 'open' | 'certain' | 'indeterminate';
  hold: Hold | undefined;
  lost: boolean;
}

/**
 * A write names what it was based on and what it replaced. Where these differ, the updates in between are lost, and the write was
 * stale. The chain of replaced values is the ledger's own order: no clock is asked, and answers may stand in any order in the file.
 */
export class LedgerCheck implements Checker {
  readonly name = 'ledger';
  /** By value; values are unique. Oldest first. */
  readonly #writes = new Map<string, Write>();
  readonly #pending = new Map<string, Write>();
  /** Stale writes that wait until what they replaced is settled, by that value. */
  readonly #waiting = new Map<string, Write[]>();
  readonly #findings = new KeptFindings();
  readonly #counts = { acknowledged: 0, lost: 0, fencedOff: 0, indeterminate: 0 };

  observe({ event, line, change }: Seen): void {
    if (event.type === 'invoke' && event.f === 'write') this.#invoked(event, line);
    if (event.type === 'ok' && event.f === 'write') this.#answered(event, line);
    if (event.type === 'fail' && event.f === 'write') this.#refused(event);
    if (event.type === 'info' && event.f === 'write') this.#unanswered(`${event.writer}#${event.incarnation}`);
    if (change.closed) this.#closed(change.closed);
    else if (event.type === 'death') this.#unanswered(`${event.contender}#${event.of}`);
  }

  #invoked({ writer, incarnation, key, value = '', basis = '' }: EventOf<'invoke'>, line: number): void {
    const write: Write = {
      contender: writer,
      key,
      value,
      basis,
      line,
      replaced: undefined,
      okLine: undefined,
      state: 'open',
      hold: undefined,
      lost: false,
    };
    this.#pending.set(`${writer}#${incarnation}`, write);
    this.#writes.set(value, write);
    const [oldest] = this.#writes.keys();
    if (this.#writes.size > WINDOW && oldest !== undefined) this.#writes.delete(oldest);
  }

  #answered({ writer, incarnation, replaced = '' }: EventOf<'ok'>, line: number): void {
    const write = this.#pending.get(`${writer}#${incarnation}`);
    if (!write) return;
    write.replaced = replaced;
    write.okLine = line;
    this.#counts.acknowledged += 1;
  }

  #refused({ writer, incarnation }: EventOf<'fail'>): void {
    const write = this.#pending.get(`${writer}#${incarnation}`);
    this.#pending.delete(`${writer}#${incarnation}`);
    if (write) this.#writes.delete(write.value);
    this.#counts.fencedOff += 1;
  }

  #unanswered(who: string): void {
    const write = this.#pending.get(who);
    this.#pending.delete(who);
    if (!write) return;
    write.state = 'indeterminate';
    this.#counts.indeterminate += 1;
    this.#settled(write);
  }

  #closed(hold: Hold): void {
    const who = `${hold.contender}#${hold.incarnation}`;
    const write = this.#pending.get(who);
    if (!write || hold.end !== 'exit' || write.replaced === undefined) {
      this.#unanswered(who);
      return;
    }
    this.#pending.delete(who);
    write.state = 'certain';
    write.hold = hold;
    this.#settled(write);
    if (write.replaced !== write.basis) this.#stale(write);
  }

  /** Whoever waited for this write can be judged now. */
  #settled(write: Write): void {
    const waiting = this.#waiting.get(write.value) ?? [];
    this.#waiting.delete(write.value);
    for (const stale of waiting) this.#stale(stale);
  }

  /** Goes back along the chain from what was replaced to what the writer knew: all on the way is lost. */
  #stale(stale: Write): void {
    for (let value = stale.replaced; value !== undefined && value !== stale.basis && value !== ''; ) {
      const overwritten = this.#writes.get(value);
      if (overwritten?.state === 'open') {
        this.#waiting.set(value, [...(this.#waiting.get(value) ?? []), stale]);
        return;
      }
      if (overwritten?.state !== 'certain') {
        this.#keepIndeterminate(stale);
        return;
      }
      if (!overwritten.lost) this.#lost(overwritten, stale);
      value = overwritten.replaced;
    }
  }

  #lost(lost: Write, by: Write): void {
    lost.lost = true;
    this.#counts.lost += 1;
    this.#findings.add({
      check: this.name,
      text: `${by.contender} wrote what it had worked out before ${lost.contender} wrote: ${lost.contender}'s update of ${by.key} is lost.`,
      key: by.key,
      contenders: [lost.contender, by.contender],
      lines: [lost.line, by.line, by.okLine ?? by.line].sort((one, other) => one - other),
      counts: true,
      ofOverlap: overlap(lost.hold, by.hold),
    });
  }

  #keepIndeterminate(stale: Write): void {
    this.#findings.add({
      check: this.name,
      text: `${stale.contender} overwrote an update of ${stale.key} that was never acknowledged.`,
      key: stale.key,
      contenders: [stale.contender],
      lines: [stale.line, stale.okLine ?? stale.line],
      counts: false,
      why: 'only a write without an answer explains it',
    });
  }

  conclude() {
    // A write that the file leaves open is like one without an answer.
    for (const who of [...this.#pending.keys()]) this.#unanswered(who);
    const { acknowledged, lost, fencedOff } = this.#counts;
    const verdict: CheckVerdict = lost > 0 ? 'fail' : 'pass';
    const parts = [
      `${acknowledged - lost} stored`,
      ...(lost > 0 ? [`${lost} lost`] : []),
      ...(fencedOff > 0 ? [`${fencedOff} fenced off`] : []),
    ];
    return {
      name: this.name,
      verdict,
      measured: {
        what: `${plural(acknowledged, 'write')} acknowledged`,
        value: lost === 0 && fencedOff === 0 ? 'all stored' : parts.join(', '),
      },
      values: { ...this.#counts },
      findings: this.#findings.all,
    } as const;
  }
}

/** Whether two holds overlapped for certain, in file order. */
const overlap = (one: Hold | undefined, other: Hold | undefined): boolean =>
  one !== undefined && other !== undefined && Math.max(one.enterLine, other.enterLine) < Math.min(one.certainLine, other.certainLine);
