import { expect, it } from 'vitest';
import { cutTo, padTo, widthOf } from './columns.ts';
import { escapeText, escapeToAscii } from './escape.ts';
import { renderJson } from './json.ts';
import { result } from './result.fixture.ts';
import { wrap } from './wrap.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
const HEEDED = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r\n\t\u202e\u2066\u200b\u2028\ufeff\u{e0041}\ud800';

it('lets nothing through that a terminal would heed, and shows what was there', () => {
  expect(escapeText(EVIL)).not.toMatch(HEEDED);
  expect(escapeText('\u001b[2J\u009b\n\u202e')).toBe('\\x1b[2J\\x9b\\x0a\\u{202e}');
  expect(escapeText('lock:заказы ロック é')).toBe('lock:заказы ロック é');
});

it('is ASCII where it must be', () => {
  expect(escapeToAscii('failover × “ロ” → é')).toBe('failover x "\\u{30ed}" -> \\xe9');
  expect(escapeToAscii(EVIL)).toMatch(/^[\x20-\x7e]+$/);
});

it('keeps a JSON document on a terminal harmless, and whole', () => {
  const text = renderJson({ version: '1.0.0', runs: [result({ lock: EVIL })], skipped: [] });
  expect(text.replaceAll('\n', '')).not.toMatch(HEEDED);
  expect(JSON.parse(text).runs[0].lock).toBe(EVIL);
});

it('counts columns as a terminal does', () => {
  expect(widthOf('abc')).toBe(3);
  expect(widthOf('ロック')).toBe(6);
  expect(widthOf('e\u0301')).toBe(1);
  expect(padTo('ロ', 4)).toBe('ロ  ');
  expect(cutTo('lock:orders', 8)).toBe('lock:o..');
  expect(cutTo('ロックロック', 7)).toBe('ロッ..');
});

it('wraps words, cuts those that no line holds, and keeps a number with its unit', () => {
  expect(wrap('promoted at 3.1 s; c1 got it', 16, '  ')).toEqual(['  promoted at', '  3.1 s; c1 got', '  it']);
  expect(wrap(`a ${'x'.repeat(12)}`, 8, '  ')).toEqual(['  a', '  xxxxxx', '  xxxxxx']);
  expect(wrap('', 8, '  ')).toEqual([]);
});
