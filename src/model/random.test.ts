import { expect, it } from 'vitest';
import { draw, randomFrom } from './random.ts';

it('gives the same numbers for the same words, and others for others', () => {
  const numbers = (...words: string[]) => {
    const random = randomFrom(...words);
    return [random(), random(), random()];
  };
  expect(numbers('7f3a', 'c1')).toEqual(numbers('7f3a', 'c1'));
  expect(numbers('7f3a', 'c1')).not.toEqual(numbers('7f3a', 'c2'));
  expect(numbers('ab', 'c')).not.toEqual(numbers('a', 'bc'));
});

it('draws from the whole range and nothing else', () => {
  const random = randomFrom('seed');
  const drawn = Array.from({ length: 10_000 }, () => draw(random, [80, 160]));
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(80);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(160);
  expect(Math.min(...drawn)).toBeLessThan(81);
  expect(Math.max(...drawn)).toBeGreaterThan(159);
});
