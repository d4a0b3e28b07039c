import { expect, it } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { expectationInWords } from './expectation-in-words.ts';
import { parseExpect } from './parse-expect.ts';

it.each(['holds', 'violated', 'violated:ledger', 'violated:mutual-exclusion:split-brain', 'unavailable', 'any'])(
  '%s comes back as it was written',
  (text) => {
    expect(expectationInWords(parseExpect(text))).toBe(text);
  },
);

it.each(['', 'hold', 'holds:ledger', 'violated:exclusion', 'violated:mutual-exclusion:split', 'violated:a:b:c', 'any:thing'])(
  '%j is a usage error',
  (text) => {
    expect(() => parseExpect(text)).toThrow(UsageError);
  },
);
