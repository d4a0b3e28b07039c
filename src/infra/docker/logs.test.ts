/** Frames of the engine's log stream. */
import { expect, it } from 'vitest';
import { decodeLogs } from './logs.ts';

const frame = (stream: number, text: string): Buffer => {
  const body = Buffer.from(text);
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
};

it('puts stdout and stderr together as they came, with a character cut in two frames whole', () => {
  const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
  const cut = [first, second].map((part) => Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 1]), part]));
  expect(decodeLogs(Buffer.concat([frame(1, 'one\n'), frame(2, 'two\n'), ...cut]))).toBe('one\ntwo\né');
});

it('gives what there is of a frame that was cut short, and nothing for nothing', () => {
  expect(decodeLogs(frame(1, 'whole').subarray(0, 10))).toBe('wh');
  expect(decodeLogs(Buffer.alloc(0))).toBe('');
});
