/** A row of terminal cells; whatever would stand outside is left out. */
import { columnsOf } from './columns.ts';

export class Row {
  readonly #cells: string[];

  constructor(columns: number) {
    this.#cells = Array.from({ length: columns }, () => ' ');
  }

  /** Both ends included. */
  fill(from: number, to: number, mark: string): void {
    for (let column = Math.max(0, from); column <= Math.min(to, this.#cells.length - 1); column += 1) this.#cells[column] = mark;
  }

  write(from: number, text: string): void {
    let column = from;
    for (const character of text) {
      const width = columnsOf(character);
      if (column >= 0 && column + width <= this.#cells.length) {
        if (width === 0) this.#cells[column - 1] = `${this.#cells[column - 1] ?? ''}${character}`;
        else this.#cells[column] = character;
        if (width === 2) this.#cells[column + 1] = '';
      }
      column += width;
    }
  }

  free(from: number, to: number): boolean {
    return this.#cells.slice(Math.max(0, from), to + 1).every((cell) => cell === ' ');
  }

  toString(): string {
    return this.#cells.join('').trimEnd();
  }
}
