/** Safety: a key is released or extended only by its owner. */
import type { Grant, Theft } from '../history/holds.ts';
import { plural } from '../model/phrases.ts';
import type { CheckVerdict } from '../model/verdict.ts';
import type { Checker, Seen } from './checker.ts';
import { KeptFindings } from './kept-findings.ts';

export class ReleaseCheck implements Checker {
  readonly name = 'release';
  readonly #grants = new Map<string, Grant>();
  readonly #findings = new KeptFindings();
  #releases = 0;
  #thefts = 0;

  observe({ change: { granted }, event }: Seen): void {
    if (event.type === 'ok' && event.f === 'release') this.#releases += 1;
    if (!granted) return;
    const who = `${granted.contender}#${granted.incarnation}`;
    this.#settle(who);
    this.#grants.set(who, granted);
  }

  /** A grant can be robbed until its owner has another one. */
  #settle(who: string): void {
    const grant = this.#grants.get(who);
    this.#grants.delete(who);
    for (const theft of grant?.thefts ?? []) if (grant) this.#found(grant, theft);
  }

  #found(grant: Grant, { node, by, line }: Theft): void {
    this.#thefts += 1;
    const [thief = by] = by.split('#');
    this.#findings.add({
      check: this.name,
      text: `${thief} released or extended ${grant.key} on ${node}, where it was ${grant.contender}'s.`,
      key: grant.key,
      contenders: [grant.contender, thief],
      lines: [grant.okLine, line],
      counts: true,
    });
  }

  conclude() {
    for (const who of [...this.#grants.keys()]) this.#settle(who);
    const verdict: CheckVerdict = this.#thefts > 0 ? 'fail' : 'pass';
    return {
      name: this.name,
      verdict,
      measured: {
        what: plural(this.#releases, 'release'),
        value: this.#thefts > 0 ? `${this.#thefts} of somebody else's key` : "none of somebody else's key",
      },
      values: { releases: this.#releases, thefts: this.#thefts },
      findings: this.#findings.all,
    } as const;
  }
}
