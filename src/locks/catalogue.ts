/** The locks that come with redlock-chaos. */
import type { LockDefinition } from '../model/lock.ts';
import { redlock } from './redlock.ts';
import { sentinel } from './sentinel.ts';
import { single } from './single.ts';

export const LOCKS: readonly LockDefinition[] = [single, sentinel, redlock];
