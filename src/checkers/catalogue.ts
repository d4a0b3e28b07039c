/** The checks of a run, in the order in which reports show them. */
import type { Begin } from '../model/event.ts';
import type { Checker } from './checker.ts';
import { Coverage } from './coverage.ts';
import { FencingCheck } from './fencing.ts';
import { GrantCheck } from './grant.ts';
import { LedgerCheck } from './ledger.ts';
import { Liveness } from './liveness.ts';
import { MutualExclusion } from './mutual-exclusion.ts';
import { ReleaseCheck } from './release.ts';

export const createCheckers = (begin: Begin): readonly Checker[] => [
  new MutualExclusion(begin),
  new LedgerCheck(),
  new FencingCheck(),
  new GrantCheck(begin.ttl),
  new ReleaseCheck(),
  new Liveness(begin.ttl),
  new Coverage(begin),
];
