/** How many columns of a terminal a text takes, and text made to take so many. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const COMBINING = /^[\p{Mn}\p{Me}]$/u;

/** Of one character: 0 where it is drawn onto the one before, 2 where it is wide (CJK, emoji). */
export const columnsOf = (character: string): 0 | 1 | 2 => (COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** Of a text without control characters. */
export const widthOf = (text: string): number => [...text].reduce((width, character) => width + columnsOf(character), 0);

export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

export const padLeft = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text;

/** As much of it as `width` columns hold, with dots where something is left out. */
export const cutTo = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  const dots = '.'.repeat(Math.min(2, Math.max(0, width)));
  return headOf(text, width - dots.length) + dots;
};

/** The beginning of a text that `width` columns hold. */
export const headOf = (text: string, width: number): string => {
  let head = '';
  let used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    head += character;
  }
  return head;
};
