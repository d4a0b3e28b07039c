/** Where two stays overlapped, from the order of lines in the file; stamps only say where to draw it. */
import type { Hold } from '../history/holds.ts';
import type { Nanos } from '../model/time.ts';
import { latestEnd } from './segments.ts';

export interface OverlapSpan {
  readonly key: string;
  /** Who entered first, and who entered before that one's end. */
  readonly contenders: readonly [string, string];
  readonly from: Nanos;
  readonly to: Nanos;
  /** False where it lies only between a dead holder's last certain moment and its recorded death: shown, and never a violation. */
  readonly certain: boolean;
}

export class OverlapSpans {
  readonly #pairs: (readonly [first: Hold, second: Hold])[] = [];

  /** `second` has just entered; `open`: the stays of its key that the file has not ended so far, itself among them. */
  opened(second: Hold, open: ReadonlySet<Hold>): void {
    for (const first of open) if (first !== second) this.#pairs.push([first, second]);
  }

  /** Once the file is read: only then is it known how long each was certainly inside. */
  conclude(end: Nanos): OverlapSpan[] {
    return this.#pairs.map(([first, second]) => {
      const certain = first.certainLine > second.enterLine;
      const to = certain ? Math.min(first.certainAt, second.certainAt) : Math.min(latestEnd(first, end), latestEnd(second, end));
      const from = second.enterAt;
      return { key: first.key, contenders: [first.contender, second.contender], from, to: Math.max(from, to), certain };
    });
  }
}
