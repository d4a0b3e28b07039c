/** Liveness: the lock works again after the faults, and no operation is left hanging while nobody is inside. */
import type { EventOf } from '../model/event.ts';
import { duration, plural, span } from '../model/phrases.ts';
import { type Millis, type Nanos, nanos } from '../model/time.ts';
import type { CheckVerdict } from '../model/verdict.ts';
import type { Checker, Seen } from './checker.ts';
import { KeptFindings } from './kept-findings.ts';

const PENDING_TTLS = 3;

interface Pending {
  readonly contender: string;
  readonly key: string;
  readonly line: number;
  readonly at: Nanos;
  /** Since when nobody else has been inside. */
  freeSince: Nanos;
}

export class Liveness implements Checker {
  readonly name = 'liveness';
  readonly #limit: Nanos;
  readonly #pending = new Map<string, Pending>();
  readonly #findings = new KeptFindings();
  #hanging = 0;
  #missed: EventOf<'milestone'> | undefined;
  #promotedAt: Nanos | undefined;
  #firstAfterPromotion: Nanos | undefined;
  #lastGrantAt: Nanos | undefined;
  #longestWithout: Nanos = 0;
  #lastAt: Nanos = 0;

  constructor(ttl: Millis | undefined) {
    this.#limit = ttl === undefined ? Number.POSITIVE_INFINITY : nanos(ttl) * PENDING_TTLS;
  }

  observe({ event, line, change, holds }: Seen): void {
    this.#lastAt = event.at;
    const who = `${event.writer}#${event.incarnation}`;
    if (event.type === 'invoke' && event.f === 'acquire') {
      this.#pending.set(who, { contender: event.writer, key: event.key, line, at: event.at, freeSince: event.at });
    }
    if ((event.type === 'ok' || event.type === 'fail' || event.type === 'info') && event.f === 'acquire')
      this.#settle(who, event.at, line, holds.open(event.key).size);
    if (event.type === 'death') this.#pending.delete(`${event.contender}#${event.of}`);
    if (change.closed) {
      for (const pending of this.#pending.values())
        if (pending.key === change.closed.key) pending.freeSince = Math.max(pending.freeSince, change.closed.certainAt);
    }
    if (change.granted) this.#granted(change.granted.okAt);
    if (event.type === 'milestone') this.#milestone(event, line);
  }

  #granted(at: Nanos): void {
    if (this.#lastGrantAt !== undefined) this.#longestWithout = Math.max(this.#longestWithout, at - this.#lastGrantAt);
    this.#lastGrantAt = at;
    if (this.#promotedAt !== undefined) this.#firstAfterPromotion ??= at;
  }

  #milestone(event: EventOf<'milestone'>, line: number): void {
    if (event.what === 'promoted') {
      this.#promotedAt = event.at;
      this.#firstAfterPromotion = undefined;
    }
    if (event.what !== 'missed' || event.step !== 'recovery') return;
    this.#missed = event;
    this.#findings.add({
      check: this.name,
      text: `The lock did not work again: ${event.detail}.`,
      contenders: [],
      lines: [line],
      counts: true,
    });
  }

  #settle(who: string, at: Nanos, line: number, open: number): void {
    const pending = this.#pending.get(who);
    this.#pending.delete(who);
    if (!pending || open > 0 || at - pending.freeSince <= this.#limit) return;
    this.#hanging += 1;
    this.#findings.add({
      check: this.name,
      text: `${pending.contender}'s attempt on ${pending.key} took ${span(pending.at, at)}, ${span(pending.freeSince, at)} of it while nobody else was inside.`,
      key: pending.key,
      contenders: [pending.contender],
      from: pending.at,
      to: at,
      lines: [pending.line, line],
      counts: true,
    });
  }

  conclude() {
    for (const who of [...this.#pending.keys()]) this.#settle(who, this.#lastAt, this.#pending.get(who)?.line ?? 0, 0);
    const verdict: CheckVerdict = this.#findings.all.length > 0 ? 'fail' : 'pass';
    const afterPromotion =
      this.#promotedAt === undefined || this.#firstAfterPromotion === undefined ? undefined : this.#firstAfterPromotion - this.#promotedAt;
    return {
      name: this.name,
      verdict,
      measured: this.#measured(afterPromotion),
      values: {
        hanging: this.#hanging,
        longestWithoutGrantMillis: Math.round(this.#longestWithout / 1e6),
        firstGrantAfterPromotionMillis: afterPromotion === undefined ? null : Math.round(afterPromotion / 1e6),
      },
      findings: this.#findings.all,
    } as const;
  }

  #measured(afterPromotion: Nanos | undefined): { what: string; value: string } {
    if (this.#missed) return { what: 'working again after the faults', value: 'no' };
    if (this.#hanging > 0) return { what: plural(this.#hanging, 'attempt hung', 'attempts hung'), value: `over ${PENDING_TTLS} ttl` };
    if (afterPromotion !== undefined) return { what: 'first grant after promotion', value: duration(afterPromotion / 1e6) };
    return { what: 'longest stretch without a grant', value: duration(this.#longestWithout / 1e6) };
  }
}
