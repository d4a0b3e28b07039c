import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clockFrom, millis, nanos, newOrigin } from './time.ts';

it('counts from the origin, in nanoseconds that a double holds exactly', () => {
  const clock = clockFrom(newOrigin());
  const [one, two] = [clock.now(), clock.now()];
  expect(two).toBeGreaterThanOrEqual(one);
  expect(Number.isSafeInteger(one)).toBe(true);
  expect(millis(nanos(3))).toBe(3);
});

it('is the only place that reads a clock', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const sources = ['bin', 'src', 'chaos'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.ts') ? [join(folder, name)] : [],
    ),
  );
  const readers = sources.filter(
    (file) => !file.endsWith('.test.ts') && /Date\.now|new Date\b|hrtime|performance\.now/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(readers).toEqual(['src/model/time.ts']);
});
