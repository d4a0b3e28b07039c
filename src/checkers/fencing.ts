/** Safety: fencing tokens never repeat, and a grant asked for after another was given has the higher one. */
import type { Grant } from '../history/holds.ts';
import { plural } from '../model/phrases.ts';
import type { CheckVerdict } from '../model/verdict.ts';
import type { Checker, Seen } from './checker.ts';
import { KeptFindings } from './kept-findings.ts';

export class FencingCheck implements Checker {
  readonly name = 'fencing';
  /** By key: every token given, with its grant. */
  readonly #tokens = new Map<string, Map<string, Grant>>();
  /** By key: `ok` lines in file order with the highest token given by then. */
  readonly #highest = new Map<string, { readonly okLine: number; readonly grant: Grant }[]>();
  readonly #findings = new KeptFindings();
  #given = 0;
  #bad = 0;

  observe({ change: { granted } }: Seen): void {
    if (granted?.fencing === undefined) return;
    this.#given += 1;
    const tokens = this.#tokens.get(granted.key) ?? new Map<string, Grant>();
    this.#tokens.set(granted.key, tokens);
    const same = tokens.get(granted.fencing);
    if (same)
      this.#found(
        same,
        granted,
        `${same.contender} and ${granted.contender} were both given the fencing token ${granted.fencing} of ${granted.key}.`,
      );
    tokens.set(granted.fencing, granted);
    this.#order(granted, BigInt(granted.fencing));
  }

  /** Later means: invoked after the other's `ok`. Concurrent grants need only differ. */
  #order(granted: Grant, token: bigint): void {
    const highest = this.#highest.get(granted.key) ?? [];
    this.#highest.set(granted.key, highest);
    const before = highest.findLast(({ okLine }) => okLine < granted.invokeLine)?.grant;
    if (before?.fencing !== undefined && BigInt(before.fencing) > token) {
      this.#found(
        before,
        granted,
        `${granted.contender} was given the fencing token ${granted.fencing} of ${granted.key} after ${before.contender} had been given ${before.fencing}.`,
      );
    }
    const last = highest.at(-1)?.grant.fencing;
    if (last === undefined || BigInt(last) < token) highest.push({ okLine: granted.okLine, grant: granted });
  }

  #found(before: Grant, granted: Grant, text: string): void {
    this.#bad += 1;
    this.#findings.add({
      check: this.name,
      text,
      key: granted.key,
      contenders: [before.contender, granted.contender],
      lines: [before.okLine, granted.invokeLine, granted.okLine],
      counts: true,
    });
  }

  conclude() {
    const verdict: CheckVerdict = this.#bad > 0 ? 'fail' : this.#given === 0 ? 'info' : 'pass';
    return {
      name: this.name,
      verdict,
      measured:
        this.#given === 0
          ? { what: 'fencing tokens', value: 'none: the lock gives none' }
          : {
              what: plural(this.#given, 'fencing token'),
              value: this.#bad > 0 ? `${this.#bad} out of order` : 'each higher than the last',
            },
      values: { given: this.#given, bad: this.#bad },
      findings: this.#findings.all,
    } as const;
  }
}
