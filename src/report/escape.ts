/** Makes text from a lock, a node or a scenario safe to print: no control character and no escape code reaches a terminal. */

/** Controls, format characters (bidi, zero-width, tags), lone surrogates, private use, separators, variation selectors. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu;
const NOT_ASCII = /[^\n\x20-\x7e]/gu;

/** What this program itself writes, in ASCII. */
const PLAIN: Readonly<Record<string, string>> = {
  '×': 'x',
  '→': '->',
  '–': '-',
  '—': '-',
  '…': '...',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
};

const codeOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
};

/** `\x1b` for an escape, and so on: seen, and harmless. */
export const escapeText = (text: string): string => text.replace(UNSAFE, codeOf);

/** The same, for a terminal that shows nothing but ASCII. */
export const escapeToAscii = (text: string): string =>
  escapeText(text).replace(NOT_ASCII, (character) => PLAIN[character] ?? codeOf(character));
