/** Follows a history while it is being written: each call returns the lines that have become whole since the last. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { HistoryEvent } from '../model/event.ts';

const CHUNK = 64 * 1024;

export class Tail implements Disposable {
  readonly #fd: number;
  readonly #buffer = Buffer.alloc(CHUNK);
  #rest = Buffer.alloc(0);

  constructor(file: string) {
    this.#fd = openSync(file, 'r');
  }

  /** Lines that cannot be read are left to the reader that judges the file; nothing is triggered by them. */
  read(): HistoryEvent[] {
    const events: HistoryEvent[] = [];
    for (;;) {
      const length = readSync(this.#fd, this.#buffer);
      if (length === 0) return events;
      const data = Buffer.concat([this.#rest, this.#buffer.subarray(0, length)]);
      const end = data.lastIndexOf(0x0a) + 1;
      this.#rest = data.subarray(end);
      for (const line of data.toString('utf8', 0, end).split('\n')) {
        if (line !== '') events.push(...parse(line));
      }
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

const parse = (line: string): HistoryEvent[] => {
  try {
    return [JSON.parse(line) as HistoryEvent];
  } catch {
    return [];
  }
};
