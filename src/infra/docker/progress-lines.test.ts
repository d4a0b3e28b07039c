/** Errors inside a stream that began well, and streams that go quiet. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { followToEnd } from './progress-lines.ts';

it('resolves at the end of the stream', async () => {
  await followToEnd('pulling x', Readable.from(['{"status":"Pulling"}\r\n{"sta', 'tus":"Done"}\n']), 1_000);
});

it('finds the error in a line, also one cut in two and without an end', async () => {
  const stream = Readable.from(['{"status":"Pulling"}\n{"errorDetail":{},"er', 'ror":"no such host"}']);
  await expect(followToEnd('pulling x', stream, 1_000)).rejects.toThrow('Docker, pulling x: no such host');
  expect(stream.destroyed).toBe(true);
});

it('ends when nothing comes any more', async () => {
  const stream = new Readable({ read: () => {} });
  stream.push('{"status":"Waiting"}\n');
  await expect(followToEnd('pulling x', stream, 50)).rejects.toThrow('Docker, pulling x: no answer within 50 ms');
  expect(stream.destroyed).toBe(true);
});

it('ends when the connection breaks', async () => {
  const stream = new Readable({ read: () => {} });
  setTimeout(() => stream.destroy(new Error('socket hang up')), 10);
  await expect(followToEnd('pulling x', stream, 1_000)).rejects.toThrow('Docker, pulling x: socket hang up');
});
