/** Validity of the run: somebody was granted the lock, others wanted it meanwhile, and every fault met a live lock. */
import type { Grant } from '../history/holds.ts';
import type { Begin, EventOf } from '../model/event.ts';
import { plural } from '../model/phrases.ts';
import type { Nanos } from '../model/time.ts';
import type { CheckVerdict, Finding } from '../model/verdict.ts';
import type { Checker, Seen } from './checker.ts';

interface ActiveFault {
  readonly words: string;
  readonly nodes: readonly string[];
  readonly line: number;
  met: boolean;
}

export class Coverage implements Checker {
  readonly name = 'coverage';
  readonly #begin: Pick<Begin, 'coverage'>;
  readonly #live = new Map<string, Grant>();
  /** Faults between `inject` and `healed`, by step. */
  readonly #active = new Map<string, ActiveFault>();
  readonly #faults: ActiveFault[] = [];
  #grants = 0;
  #contended = 0;

  constructor(begin: Pick<Begin, 'coverage'>) {
    this.#begin = begin;
  }

  observe({ event, line, change: { granted }, holds }: Seen): void {
    if (granted) {
      this.#grants += 1;
      this.#live.set(`${granted.contender}#${granted.incarnation}`, granted);
      for (const fault of this.#active.values()) fault.met ||= concerns(fault, granted);
    }
    if (event.type === 'invoke' && event.f === 'acquire') {
      for (const hold of holds.open(event.key)) {
        if (hold.contender !== event.writer) {
          this.#contended += 1;
          break;
        }
      }
    }
    if (event.type === 'fault') this.#fault(event, line);
  }

  #fault({ step, phase, nodes, detail, at }: EventOf<'fault'>, line: number): void {
    if (phase === 'healed') this.#active.delete(step);
    if (phase !== 'inject') return;
    const fault: ActiveFault = { words: detail, nodes, line, met: false };
    for (const grant of this.#live.values()) fault.met ||= isLive(grant, at) && concerns(fault, grant);
    this.#active.set(step, fault);
    this.#faults.push(fault);
  }

  #missing(): Finding[] {
    const finding = (text: string, lines: readonly number[] = []): Finding => ({
      check: this.name,
      text,
      contenders: [],
      lines,
      counts: true,
    });
    const missing: Finding[] = [];
    if (this.#grants === 0) missing.push(finding('Nobody was ever granted the lock, so nothing was tested.'));
    else if (this.#contended === 0) missing.push(finding('Nobody ever wanted the lock while another was inside, so nothing was tested.'));
    if (this.#begin.coverage.faultsMeetLiveLock) {
      for (const fault of this.#faults) if (!fault.met) missing.push(finding(`"${fault.words}" met no live lock.`, [fault.line]));
    }
    return missing;
  }

  conclude() {
    const missing = this.#missing();
    const met = this.#faults.filter((fault) => fault.met).length;
    const verdict: CheckVerdict = missing.length > 0 ? 'inconclusive' : 'pass';
    const withFaults = this.#begin.coverage.faultsMeetLiveLock && this.#faults.length > 0;
    return {
      name: this.name,
      verdict,
      measured: withFaults
        ? { what: 'faults that met a live lock', value: `${met} of ${this.#faults.length}` }
        : { what: 'attempts while another was inside', value: `${this.#contended} for ${plural(this.#grants, 'grant')}` },
      values: { grants: this.#grants, contended: this.#contended, faults: this.#faults.length, met },
      findings: missing,
    } as const;
  }
}

const isLive = ({ releasedAt, leaseEnd }: Grant, at: Nanos): boolean => releasedAt === undefined && leaseEnd > at;

/** A lock that does not say which nodes answered may be on any of them. */
const concerns = ({ nodes }: ActiveFault, { answers }: Grant): boolean =>
  answers.length === 0 || nodes.length === 0 || answers.some(({ node, said }) => said === 'granted' && nodes.includes(node));
