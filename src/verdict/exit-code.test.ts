import { expect, it } from 'vitest';
import { combineExitCodes } from './exit-code.ts';

it.each([
  [[], 0],
  [[0, 0], 0],
  [[0, 2], 2],
  [[2, 3], 3],
  [[3, 4, 2], 4],
  [[4, 1, 3], 1],
  [[1, 130], 130],
  [[143, 1], 143],
])('%j gives %i', (codes, expected) => {
  expect(combineExitCodes(codes)).toBe(expected);
});
