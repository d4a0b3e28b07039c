/** Numbers and durations as people read them. */
import { type Millis, millis, type Nanos } from './time.ts';

/** `340 ms`, `1.6 s`, `12 s`. */
export const duration = (length: Millis): string => {
  if (length < 1) return '<1 ms';
  if (length < 995) return `${Math.round(length)} ms`;
  return `${(length / 1_000).toFixed(length < 9_950 ? 1 : 0)} s`;
};

export const span = (from: Nanos, to: Nanos): string => duration(millis(Math.max(0, to - from)));

/** `1 grant`, `2 grants`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c`. */
export const list = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
