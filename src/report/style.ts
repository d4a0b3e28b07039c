/** Colours, signs and characters of terminal output, or none where the terminal has none. */
import { escapeText, escapeToAscii } from './escape.ts';

export interface TerminalOptions {
  readonly width: number;
  readonly color: boolean;
  readonly unicode: boolean;
}

const DEFAULT_WIDTH = 100;
const MIN_WIDTH = 60;
const MAX_WIDTH = 110;

export interface Style {
  /** Columns that a line may take. */
  readonly width: number;
  readonly done: string;
  readonly pass: string;
  readonly fail: string;
  readonly unsure: string;
  readonly aside: string;
  readonly times: string;
  /** Text from elsewhere, made safe and printable. */
  text(text: string): string;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

export const styleOf = ({ width, color, unicode }: TerminalOptions): Style => {
  const paint =
    (open: number, close: number) =>
    (text: string): string =>
      color && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    // A terminal without a size says 0.
    width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width || DEFAULT_WIDTH)),
    done: unicode ? '✔' : 'v',
    pass: unicode ? '✓' : 'v',
    fail: unicode ? '✗' : 'x',
    unsure: '?',
    aside: unicode ? '–' : '-',
    times: unicode ? '×' : 'x',
    text: unicode ? escapeText : escapeToAscii,
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
  };
};
