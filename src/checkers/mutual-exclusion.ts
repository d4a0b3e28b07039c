/** Safety: no two certain holds of one key overlap. Order in the file proves an overlap; clocks only name its class. */
import type { Hold } from '../history/holds.ts';
import type { Begin } from '../model/event.ts';
import { OVERLAP_CLASSES, type OverlapClass } from '../model/expectation.ts';
import { list, span } from '../model/phrases.ts';
import type { Nanos } from '../model/time.ts';
import type { CheckVerdict, Finding } from '../model/verdict.ts';
import type { Checker, Seen } from './checker.ts';
import { KeptFindings } from './kept-findings.ts';
import { classOf, inGrantOrder } from './overlap-class.ts';

/** Two holds that were open at once, as far as the file had told when the second entered. */
interface Pair {
  readonly first: Hold;
  readonly second: Hold;
  /** The host's wall clock had moved before: the machine was suspended, or the clock stepped. */
  readonly clockMoved: boolean;
}

type Kind = OverlapClass | 'indeterminate';

export class MutualExclusion implements Checker {
  readonly name = 'mutual-exclusion';
  readonly #lease: boolean;
  readonly #overrunExpected: boolean;
  readonly #pairs = new Map<Hold, Set<Pair>>();
  readonly #counts: Record<Kind, number> = {
    undetermined: 0,
    'expired-grant': 0,
    overrun: 0,
    chained: 0,
    'split-brain': 0,
    indeterminate: 0,
  };
  readonly #kept = new Map<string, KeptFindings>();
  readonly #longest = new Map<string, Finding>();
  readonly #heldUp = new Set<string>();
  readonly #extended = new Set<string>();
  #clockMoved = false;
  #holds = 0;
  #longestNanos: Nanos = 0;
  #doubtful = 0;
  #counting = 0;

  constructor(begin: Pick<Begin, 'ttl' | 'expectation'>) {
    this.#lease = begin.ttl !== undefined;
    this.#overrunExpected =
      begin.expectation.kind === 'violations' &&
      [...begin.expectation.required, ...begin.expectation.allowed].some((violation) => violation.class === 'overrun');
  }

  observe({ event, change, holds }: Seen): void {
    if (event.type === 'clock') this.#clockMoved = true;
    if (event.type === 'fault' && event.phase === 'inject') for (const target of event.targets) this.#heldUp.add(target);
    if (event.type === 'invoke' && event.f === 'extend') this.#extended.add(event.writer);
    if (change.opened) this.#opened(change.opened, holds.open(change.opened.key));
    if (change.closed) this.#closed(change.closed);
  }

  #opened(second: Hold, open: ReadonlySet<Hold>): void {
    this.#holds += 1;
    for (const first of open) {
      if (first === second) continue;
      const pair: Pair = { first, second, clockMoved: this.#clockMoved };
      for (const hold of [first, second]) this.#pairs.set(hold, (this.#pairs.get(hold) ?? new Set()).add(pair));
    }
  }

  /** A pair is judged once both have ended: until then lines may come that change what it was. */
  #closed(hold: Hold): void {
    for (const pair of this.#pairs.get(hold) ?? []) {
      if (pair.first.end !== 'open' && pair.second.end !== 'open') this.#judge(pair);
    }
    if ([...(this.#pairs.get(hold) ?? [])].every(({ first, second }) => first.end !== 'open' && second.end !== 'open'))
      this.#pairs.delete(hold);
  }

  #judge({ first, second, clockMoved }: Pair): void {
    const certain = first.certainLine > second.enterLine;
    const [earlier, later] = inGrantOrder(first, second);
    const kind: Kind = certain ? classOf(earlier, later, this.#lease) : 'indeterminate';
    const from = second.enterAt;
    const to = Math.max(from, Math.min(first.certainAt, second.certainAt));
    const doubt = clockMoved ? "the host's wall clock moved before it" : this.#doubt(kind, [earlier, later]);
    this.#counts[kind] += 1;
    if (doubt === undefined) {
      this.#counting += 1;
      this.#longestNanos = Math.max(this.#longestNanos, to - from);
    } else if (kind !== 'indeterminate') this.#doubtful += 1;
    this.#keep(kind, {
      check: this.name,
      ...(kind !== 'indeterminate' && { class: kind }),
      text: sentence(kind, earlier, later, from, to),
      key: first.key,
      contenders: [earlier.contender, later.contender],
      from,
      to,
      lines: [first.enterLine, second.enterLine, ...(certain ? [first.certainLine] : [])],
      counts: doubt === undefined,
      ...(doubt !== undefined && { why: doubt }),
    });
  }

  /** Why an overlap does not count, if it does not. */
  #doubt(kind: Kind, holds: readonly Hold[]): string | undefined {
    const [earlier] = holds;
    switch (kind) {
      case 'indeterminate':
        return 'it lies between the last certain moment of a dead holder and its recorded death';
      case 'undetermined':
        return 'nobody knows when the lock had decided, or until when';
      case 'overrun': {
        const held = earlier !== undefined && (this.#heldUp.has(earlier.contender) || this.#extended.has(earlier.contender));
        return held || this.#overrunExpected
          ? undefined
          : 'nothing was done to the holder: the machine was too slow, or hold is longer than the ttl';
      }
      default:
        return undefined;
    }
  }

  #keep(kind: Kind, finding: Finding): void {
    const key = `${kind} ${finding.key ?? ''}`;
    const kept = this.#kept.get(key) ?? new KeptFindings();
    this.#kept.set(key, kept);
    kept.add(finding);
    const longest = this.#longest.get(key);
    if (!longest || lengthOf(finding) > lengthOf(longest)) this.#longest.set(key, finding);
  }

  conclude() {
    for (const pairs of new Set([...this.#pairs.values()].flatMap((set) => [...set]))) {
      // Whoever is still open at the end was inside up to its last line.
      if (pairs.first.end === 'open' || pairs.second.end === 'open') this.#judge(pairs);
    }
    const findings = [...this.#kept].flatMap(([key, kept]) => [
      ...new Set([...kept.all, ...(this.#longest.has(key) ? [this.#longest.get(key) as Finding] : [])]),
    ]);
    const seen = OVERLAP_CLASSES.filter((name) => this.#counts[name] > 0).map((name) => `${name} ${this.#counts[name]}`);
    const verdict: CheckVerdict = this.#counting > 0 ? 'fail' : this.#doubtful > 0 ? 'inconclusive' : 'pass';
    return {
      name: this.name,
      verdict,
      measured: {
        what: seen.length > 0 ? seen.join(', ') : 'holds compared',
        value:
          this.#counting > 0
            ? `two holders for ${span(0, this.#longestNanos)}`
            : this.#doubtful > 0
              ? 'none that counts'
              : `${this.#holds}, none overlap`,
      },
      values: { holds: this.#holds, ...this.#counts, longestMillis: Math.round(this.#longestNanos / 1e6) },
      findings,
    } as const;
  }
}

const lengthOf = ({ from = 0, to = 0 }: Finding): Nanos => to - from;

const MEANING: Readonly<Record<Kind, string>> = {
  undetermined: 'whether a lease had ended is not known',
  'expired-grant': 'a lease had ended when it was granted',
  overrun: 'the earlier lease had ended',
  chained: "someone else had removed a holder's key",
  'split-brain': 'both leases were running',
  indeterminate: 'one of them was dying',
};

const sentence = (kind: Kind, earlier: Hold, later: Hold, from: Nanos, to: Nanos): string =>
  `${list([earlier.contender, later.contender])} were both inside ${earlier.key} for ${span(from, to)}: ${MEANING[kind]}.`;
