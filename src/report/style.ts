/** Colours and signs of terminal output, or none where the terminal has none. */

export interface TerminalOptions {
  readonly width: number;
  readonly color: boolean;
  readonly unicode: boolean;
}

export interface Style {
  readonly pass: string;
  readonly fail: string;
  readonly unsure: string;
  readonly times: string;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

export const styleOf = ({ color, unicode }: TerminalOptions): Style => {
  const paint =
    (open: number, close: number) =>
    (text: string): string =>
      color ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    pass: unicode ? '✓' : '+',
    fail: unicode ? '✗' : 'x',
    unsure: '?',
    times: unicode ? '×' : 'x',
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
  };
};
