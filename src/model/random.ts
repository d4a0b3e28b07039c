/** Randomness that comes from the run's seed, so that a schedule can be had again. */
import { createHash, randomBytes } from 'node:crypto';
import type { Range } from './scenario.ts';
import type { Millis } from './time.ts';

/** Four hexadecimal digits: short enough to read aloud. */
export const newSeed = (): string => randomBytes(2).toString('hex');

/** A generator of numbers in [0, 1), the same for the same words. mulberry32, seeded from SHA-256. */
export const randomFrom = (...words: readonly (string | number)[]): (() => number) => {
  let state = createHash('sha256').update(words.join('\0')).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A duration from the range, both ends included. */
export const draw = (random: () => number, [least, most]: Range): Millis => least + random() * (most - least);
