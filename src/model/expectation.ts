/** What a scenario says a lock will do: which violations must, and which may, appear. */

export const CHECK_NAMES = [
  'mutual-exclusion',
  'ledger',
  'fencing',
  'grant',
  'continuity',
  'release',
  'residue',
  'liveness',
  'lost-signal',
  'coverage',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** Classes of an overlap of two holds, the first that applies. See `docs/verdicts.md`. */
export const OVERLAP_CLASSES = ['undetermined', 'expired-grant', 'overrun', 'chained', 'split-brain'] as const;
export type OverlapClass = (typeof OVERLAP_CLASSES)[number];

/** A violation by check, and for `mutual-exclusion` by class. */
export interface Violation {
  readonly check: CheckName;
  readonly class?: OverlapClass;
}

/**
 * `required` must each appear, `allowed` ones may; both empty means `holds`.
 * `unavailable`: the run must end unavailable. `any`: holds, violated or unavailable will do.
 */
export type Expectation =
  | {
      readonly kind: 'violations';
      readonly required: readonly Violation[];
      readonly allowed: readonly Violation[];
      /** At least one of the allowed ones must appear, whichever. */
      readonly anyOf?: boolean;
      readonly why?: string;
    }
  | { readonly kind: 'unavailable'; readonly why?: string }
  | { readonly kind: 'any'; readonly why?: string };
