/** What can be wrong with a history file: each kind is counted, and none leaves the verdict `holds`. */

export type DamageKind =
  | 'empty'
  | 'unreadable'
  | 'torn'
  | 'lost'
  | 'doubled'
  | 'moved'
  | 'no-begin'
  | 'no-end'
  | 'after-end'
  | 'count'
  | 'version';

/** One piece of damage, with the line number where it shows (0 where it belongs to no line). */
export interface Damage {
  readonly kind: DamageKind;
  readonly line: number;
  readonly text: string;
}
