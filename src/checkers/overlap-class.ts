/** The class of an overlap: the first that applies to either holder, in the order of the semantics. */
import type { Grant, Hold } from '../history/holds.ts';
import type { OverlapClass } from '../model/expectation.ts';

/** Earlier-granted first; the order of the `ok` lines decides, or of the `enter` lines where there are none. */
export const inGrantOrder = (one: Hold, other: Hold): readonly [Hold, Hold] => {
  const position = (hold: Hold): number => hold.grant?.okLine ?? hold.enterLine;
  return position(one) <= position(other) ? [one, other] : [other, one];
};

const leaseUnknown = (grant: Grant | undefined, lease: boolean): boolean => lease && grant === undefined;

/** `lease`: whether grants of this lock end by themselves. */
export const classOf = (earlier: Hold, later: Hold, lease: boolean): OverlapClass => {
  const grants = [earlier.grant, later.grant];
  if (grants.some((grant) => leaseUnknown(grant, lease) || grant?.stoppedInside)) return 'undetermined';
  if (grants.some((grant) => grant && grant.firstLeaseEnd <= grant.okAt)) return 'expired-grant';
  // Two different extensions may both have been applied: the later possible end must be over.
  if (earlier.grant && later.grant && earlier.grant.possibleLeaseEnd <= later.grant.okAt) return 'overrun';
  const second = Math.max(earlier.enterAt, later.enterAt);
  if (grants.some((grant) => grant?.thefts.some(({ at }) => at < second))) return 'chained';
  return 'split-brain';
};
