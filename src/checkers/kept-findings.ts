/** The findings of one check: the first hundred are kept, whoever counts them all. */
import type { Finding } from '../model/verdict.ts';

const KEPT = 100;

export class KeptFindings {
  readonly all: Finding[] = [];

  add(finding: Finding): void {
    if (this.all.length < KEPT) this.all.push(finding);
  }
}
