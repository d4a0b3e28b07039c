/** Safety: no lease is handed out with no time left, and none is claimed for longer than was asked. */
import type { Grant } from '../history/holds.ts';
import { duration } from '../model/phrases.ts';
import { type Millis, millis, nanos } from '../model/time.ts';
import type { CheckVerdict } from '../model/verdict.ts';
import type { Checker, Seen } from './checker.ts';
import { KeptFindings } from './kept-findings.ts';

export class GrantCheck implements Checker {
  readonly name = 'grant';
  readonly #ttl: Millis | undefined;
  /** Judged when the holder has left: a gap that explains a late `ok` may be written after it. */
  readonly #findings = new KeptFindings();
  #grants = 0;
  #bad = 0;
  #undetermined = 0;
  #leastLeft = Number.POSITIVE_INFINITY;
  readonly #unjudged = new Map<string, Grant>();

  constructor(ttl: Millis | undefined) {
    this.#ttl = ttl;
  }

  observe({ change, event }: Seen): void {
    if (change.granted) {
      this.#grants += 1;
      this.#judgeLast(change.granted);
    }
    if (event.type === 'death') this.#judge(`${event.contender}#${event.of}`);
  }

  #judgeLast(grant: Grant): void {
    const who = `${grant.contender}#${grant.incarnation}`;
    this.#judge(who);
    this.#unjudged.set(who, grant);
  }

  #judge(who: string): void {
    const grant = this.#unjudged.get(who);
    this.#unjudged.delete(who);
    if (!grant || this.#ttl === undefined) return;
    if (grant.stoppedInside) {
      this.#undetermined += 1;
      return;
    }
    const left = millis(grant.firstLeaseEnd - grant.okAt);
    this.#leastLeft = Math.min(this.#leastLeft, left);
    if (left <= 0) this.#found(grant, `${grant.contender} was given ${grant.key} when its lease had been over for ${duration(-left)}.`);
    const over = grant.until === undefined ? 0 : millis(grant.until - (grant.start + nanos(this.#ttl)));
    if (over > 0)
      this.#found(
        grant,
        `The lock told ${grant.contender} that ${grant.key} was its for ${duration(over)} longer than the ttl it had asked for.`,
      );
  }

  #found(grant: Grant, text: string): void {
    this.#bad += 1;
    this.#findings.add({
      check: this.name,
      text,
      key: grant.key,
      contenders: [grant.contender],
      from: grant.invokedAt,
      to: grant.okAt,
      lines: [grant.invokeLine, grant.okLine],
      counts: true,
    });
  }

  conclude() {
    for (const who of [...this.#unjudged.keys()]) this.#judge(who);
    const known = Number.isFinite(this.#leastLeft);
    const verdict: CheckVerdict = this.#bad > 0 ? 'fail' : this.#ttl === undefined ? 'info' : 'pass';
    return {
      name: this.name,
      verdict,
      measured: {
        what: this.#bad > 0 ? `${this.#bad} of ${this.#grants} granted with no time left` : 'least time left at a grant',
        value: known ? (this.#leastLeft > 0 ? duration(this.#leastLeft) : 'none') : 'not known',
      },
      values: {
        grants: this.#grants,
        bad: this.#bad,
        undetermined: this.#undetermined,
        leastLeftMillis: known ? Math.round(this.#leastLeft) : null,
      },
      findings: this.#findings.all,
    } as const;
  }
}
