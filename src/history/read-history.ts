/** Reads a history line by line, and notes whatever is wrong with it; never throws for damaged bytes, never drops a line silently. */
import { createReadStream } from 'node:fs';
import { type EventOf, HISTORY_VERSION, type HistoryEvent } from '../model/event.ts';
import { Continuity } from './continuity.ts';
import type { Damage } from './damage.ts';
import { linesOf } from './lines.ts';
import { isHistoryEvent } from './validate.ts';

/** A file's path, or its bytes. */
export type HistorySource = string | AsyncIterable<Uint8Array>;

export interface HistoryLine {
  readonly event: HistoryEvent;
  /** From 1. */
  readonly line: number;
}

export class HistoryReader {
  readonly #source: HistorySource;
  readonly #damage: Damage[] = [];
  readonly #continuity = new Continuity();
  #line = 0;
  #end: { event: EventOf<'end'>; line: number } | undefined;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  /** Every line that can be read, in file order. */
  async *lines(): AsyncGenerator<HistoryLine> {
    const chunks = typeof this.#source === 'string' ? createReadStream(this.#source) : this.#source;
    for await (const { text, whole } of linesOf(chunks)) {
      this.#line += 1;
      const line = this.#line;
      if (!whole) this.#note('torn', 'the last line has no end');
      const event = this.#parse(text);
      if (!event) continue;
      this.#damage.push(...this.#continuity.see(event, line));
      if (line === 1 && event.type !== 'begin') this.#note('no-begin', 'the first line is not `begin`');
      if (event.type === 'begin' && line > 1) this.#note('moved', '`begin` is not the first line');
      if (event.type === 'begin' && event.version !== HISTORY_VERSION)
        this.#note('version', `version ${event.version}; this program reads ${HISTORY_VERSION}`);
      if (this.#end) this.#note('after-end', 'a line after `end`');
      if (event.type === 'end') this.#end = { event, line };
      yield { event, line };
    }
    if (this.#line === 0) this.#note('empty', 'the history is empty');
    else if (!this.#end) this.#note('no-end', 'the history has no `end`: the run was cut off, or the file was');
    this.#damage.push(...this.#continuity.conclude(this.#end));
  }

  /** Whole once `lines` has been read to its end. */
  get damage(): readonly Damage[] {
    return this.#damage;
  }

  get count(): number {
    return this.#line;
  }

  #parse(text: string): HistoryEvent | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#note('unreadable', /\}\s*\{"writer"/.test(text) ? 'two lines have run together' : 'not JSON');
      return undefined;
    }
    if (isHistoryEvent(value)) return value;
    this.#note('unreadable', 'not a line of a history');
    return undefined;
  }

  #note(kind: Damage['kind'], text: string): void {
    this.#damage.push({ kind, line: this.#line, text });
  }
}

/** All readable lines of a short history. */
export const readEvents = async (source: HistorySource): Promise<HistoryEvent[]> => {
  const events: HistoryEvent[] = [];
  for await (const { event } of new HistoryReader(source).lines()) events.push(event);
  return events;
};
