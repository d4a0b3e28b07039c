/** Appends one writer's lines to a history: one O_APPEND write a line, numbered without a hole. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { InfrastructureError, messageOf } from '../model/errors.ts';
import type { Body, HistoryEvent } from '../model/event.ts';
import type { Clock, Nanos } from '../model/time.ts';

export interface HistoryWriterOptions {
  readonly file: string;
  readonly writer: string;
  readonly incarnation: number;
  readonly clock: Clock;
}

export class HistoryWriter implements Disposable {
  readonly #options: HistoryWriterOptions;
  readonly #fd: number;
  #seq = 0;

  constructor(options: HistoryWriterOptions) {
    this.#options = options;
    this.#fd = openSync(options.file, 'a');
  }

  /** @throws InfrastructureError where the line could not be written whole (disk full, …). */
  append(body: Body, at: Nanos): void {
    const { writer, incarnation, file } = this.#options;
    this.#seq += 1;
    const event: HistoryEvent = { writer, incarnation, seq: this.#seq, at, ...body };
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    try {
      if (writeSync(this.#fd, line) !== line.length) throw new Error('short write');
    } catch (cause) {
      throw new InfrastructureError(`cannot write the history ${file}: ${messageOf(cause)}`, {
        hint: 'Is the disk full?',
        cause,
      });
    }
  }

  get count(): number {
    return this.#seq;
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}
