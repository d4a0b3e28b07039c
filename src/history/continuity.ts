/** Watches the running numbers of every writer: a line lost, doubled or moved shows in them. */
import type { EventOf, HistoryEvent } from '../model/event.ts';
import type { Damage } from './damage.ts';

/** More holes than that are counted, but no longer told apart from lines that come later. */
const HOLES_KEPT = 1_000;

interface Writer {
  last: number;
  lines: number;
  readonly holes: Map<number, number>;
  holesDropped: number;
}

export class Continuity {
  readonly #writers = new Map<string, Writer>();

  /** @returns what this line shows to be wrong, if anything. */
  see({ writer, incarnation, seq }: HistoryEvent, line: number): Damage[] {
    const name = `${writer}#${incarnation}`;
    const known = this.#writers.get(name) ?? { last: 0, lines: 0, holes: new Map<number, number>(), holesDropped: 0 };
    this.#writers.set(name, known);
    known.lines += 1;
    if (seq === known.last + 1) {
      known.last = seq;
      return [];
    }
    if (seq > known.last) {
      for (let missing = known.last + 1; missing < seq; missing += 1) {
        if (known.holes.size >= HOLES_KEPT) {
          known.holesDropped += seq - missing;
          break;
        }
        known.holes.set(missing, line);
      }
      known.last = seq;
      return [];
    }
    if (known.holes.delete(seq)) return [{ kind: 'moved', line, text: `line ${seq} of ${name} stands after later lines of it` }];
    return [{ kind: 'doubled', line, text: `line ${seq} of ${name} stands here again` }];
  }

  /** What only the end can show: holes that nothing filled, and counts that do not agree. */
  conclude(end: { readonly event: EventOf<'end'>; readonly line: number } | undefined): Damage[] {
    const damage: Damage[] = [];
    for (const [name, { holes, holesDropped }] of this.#writers) {
      for (const [seq, line] of holes) damage.push({ kind: 'lost', line, text: `line ${seq} of ${name} is missing before this line` });
      if (holesDropped > 0) damage.push({ kind: 'lost', line: 0, text: `${holesDropped} more lines of ${name} are missing` });
    }
    if (!end) return damage;
    const { counts } = end.event;
    for (const name of new Set([...Object.keys(counts), ...this.#writers.keys()])) {
      const counted = counts[name] ?? 0;
      const found = this.#writers.get(name)?.lines ?? 0;
      if (counted !== found) damage.push({ kind: 'count', line: end.line, text: `${name} wrote ${counted} lines, and ${found} are here` });
    }
    return damage;
  }
}
