/** What a lane shows of a stay in the critical section: holding, past its lease, or perhaps still inside. */
import type { Hold } from '../history/holds.ts';
import type { Nanos } from '../model/time.ts';

export type SegmentKind = 'waiting' | 'holding' | 'past-lease' | 'indeterminate';

export interface Segment {
  readonly kind: SegmentKind;
  readonly from: Nanos;
  readonly to: Nanos;
  /** The stay's `enter` is where it begins. */
  readonly opens?: true;
  /** The stay's `exit` is where it ends; a dead holder's stay has none. */
  readonly closes?: true;
}

/** Certain up to its last own line, or to the line that says it is killed; from there to its recorded death nobody knows. */
export const segmentsOf = (hold: Hold, end: Nanos): Segment[] => {
  const { enterAt, certainAt, grant } = hold;
  const leaseEnd = Math.max(enterAt, grant?.leaseEnd ?? Number.POSITIVE_INFINITY);
  const closes = hold.end === 'exit' ? { closes: true as const } : {};
  const opens = { opens: true as const };
  const possibleEnd = latestEnd(hold, end);
  const certain: Segment[] =
    leaseEnd >= certainAt
      ? [{ kind: 'holding', from: enterAt, to: certainAt, ...opens, ...closes }]
      : leaseEnd === enterAt
        ? [{ kind: 'past-lease', from: enterAt, to: certainAt, ...opens, ...closes }]
        : [
            { kind: 'holding', from: enterAt, to: leaseEnd, ...opens },
            { kind: 'past-lease', from: leaseEnd, to: certainAt, ...closes },
          ];
  return possibleEnd > certainAt ? [...certain, { kind: 'indeterminate', from: certainAt, to: possibleEnd }] : certain;
};

/** Until when it may have been inside. `end`: of the drawing, for a stay of which the file tells no end. */
export const latestEnd = (hold: Hold, end: Nanos): Nanos => Math.max(hold.certainAt, hold.end === 'open' ? end : hold.endAt);
