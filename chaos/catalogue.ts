/** The scenarios that come with redlock-chaos, in the order in which they are listed. */
import type { Scenario } from '../src/index.ts';
import baseline from './baseline.ts';
import failover from './failover.ts';

export const SCENARIOS: readonly Scenario[] = [baseline, failover];
