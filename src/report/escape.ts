/** Makes text from a lock, a node or a scenario safe to print: no control character reaches a terminal. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g;

/** `\x1b` for an escape, and so on: seen, and harmless. */
export const escapeText = (text: string): string =>
  text.replace(UNSAFE, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
