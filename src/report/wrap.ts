/** Breaks text into lines of at most so many columns, each with an indent; never between a number and its unit. */
import { headOf, widthOf } from './columns.ts';

const WORD = /\d[\d.]* (?:ms|s)(?![\w])\S*|\S+/g;

export const wrap = (text: string, width: number, indent: string): string[] => {
  const room = Math.max(1, width - widthOf(indent));
  const lines: string[] = [];
  let line = '';
  for (const word of (text.match(WORD) ?? []).flatMap((each) => pieces(each, room))) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, indent + line];
};

/** A word that no line holds is cut; all of it is shown. */
const pieces = (word: string, room: number): string[] => {
  const cut: string[] = [];
  let rest = word;
  while (widthOf(rest) > room) {
    const head = headOf(rest, room) || ([...rest][0] ?? '');
    cut.push(head);
    rest = rest.slice(head.length);
  }
  return rest === '' ? cut : [...cut, rest];
};
