/** Tells a history as a test reads it: who did what, in file order. Numbers, times and the end are filled in. */
import type { Begin, Body, HistoryEvent, NodeAnswer, OperationKind } from '../model/event.ts';
import type { Expectation } from '../model/expectation.ts';
import { type Millis, type Nanos, nanos } from '../model/time.ts';

export const KEY = 'lock:orders';
export const HOLDS: Expectation = { kind: 'violations', required: [], allowed: [] };

interface StoryOptions {
  readonly ttl?: Millis | null;
  readonly expectation?: Expectation;
  readonly faultsMeetLiveLock?: boolean;
}

export class Story {
  readonly events: HistoryEvent[] = [];
  readonly #seqs = new Map<string, number>();
  readonly #ops = new Map<string, number>();
  readonly #incarnations = new Map<string, number>();
  #now: Nanos = 0;

  constructor({ ttl = 1_000, expectation = HOLDS, faultsMeetLiveLock = false }: StoryOptions = {}) {
    const begin: Begin = {
      type: 'begin',
      version: 1,
      scenario: 'told',
      lock: 'told',
      topology: 'independent',
      infra: 'none',
      seed: '0',
      keys: [KEY],
      ...(ttl !== null && { ttl }),
      contenders: ['c1', 'c2', 'c3'],
      nodes: ['redis-1'],
      expectation,
      thresholds: [],
      coverage: { faultsMeetLiveLock },
      origin: '0',
      startedAt: '2026-01-01T00:00:00.000Z',
    };
    this.line('conductor', begin);
  }

  /** The clock goes on; every line takes 1 ms besides. */
  wait(duration: Millis): this {
    this.#now += nanos(duration);
    return this;
  }

  get now(): Nanos {
    return this.#now;
  }

  line(writer: string, body: Body, at?: Nanos): this {
    const incarnation = this.#incarnations.get(writer) ?? 1;
    const name = `${writer}#${incarnation}`;
    const seq = (this.#seqs.get(name) ?? 0) + 1;
    this.#seqs.set(name, seq);
    this.#now += nanos(1);
    this.events.push({ writer, incarnation, seq, at: at ?? this.#now, ...body });
    return this;
  }

  /** The same name lives again, as another process. */
  restart(writer: string): this {
    this.#incarnations.set(writer, (this.#incarnations.get(writer) ?? 1) + 1);
    this.#ops.delete(writer);
    return this;
  }

  #op(writer: string): number {
    const op = (this.#ops.get(writer) ?? 0) + 1;
    this.#ops.set(writer, op);
    return op;
  }

  invoke(writer: string, f: OperationKind, more: { token?: string; value?: string; basis?: string; key?: string } = {}): number {
    const { key = KEY, ...rest } = more;
    const op = this.#op(writer);
    this.line(writer, { type: 'invoke', op, f, key, ...rest });
    return op;
  }

  /** invoke … ok of an acquire; the token is the contender's name unless given. */
  acquire(
    writer: string,
    more: { token?: string; until?: Nanos; start?: Nanos; fencing?: string; nodes?: readonly string[]; key?: string; took?: Millis } = {},
  ): this {
    const { key = KEY, nodes = [], took = 0, token = writer, ...rest } = more;
    const op = this.invoke(writer, 'acquire', { key });
    this.wait(took);
    const answers: NodeAnswer[] = nodes.map((node) => ({ node, said: 'granted', at: this.#now }));
    return this.line(writer, { type: 'ok', op, f: 'acquire', key, token, ...rest, ...(nodes.length > 0 && { answers }) });
  }

  refused(writer: string): this {
    const op = this.invoke(writer, 'acquire');
    return this.line(writer, { type: 'fail', op, f: 'acquire', key: KEY, reason: 'held by another' });
  }

  #acquireOf(writer: string): number {
    const incarnation = this.#incarnations.get(writer) ?? 1;
    const ok = this.events.findLast(
      (event) => event.type === 'ok' && event.f === 'acquire' && event.writer === writer && event.incarnation === incarnation,
    );
    return ok?.type === 'ok' ? ok.op : 0;
  }

  enter(writer: string, key = KEY): this {
    return this.line(writer, { type: 'enter', op: this.#acquireOf(writer), key });
  }

  exit(writer: string, key = KEY): this {
    return this.line(writer, { type: 'exit', op: this.#acquireOf(writer), key });
  }

  /** acquire and enter. */
  goesIn(writer: string, more: Parameters<Story['acquire']>[1] = {}): this {
    return this.acquire(writer, more).enter(writer, more.key);
  }

  /** exit and release. */
  goesOut(writer: string, key = KEY): this {
    this.exit(writer, key);
    const op = this.invoke(writer, 'release', { token: writer, key });
    return this.line(writer, { type: 'ok', op, f: 'release', key });
  }

  /** A whole turn, so that a story has its contention and its grants. */
  turn(writer: string, key = KEY): this {
    return this.goesIn(writer, { key }).goesOut(writer, key);
  }

  read(writer: string, value: string): this {
    const op = this.invoke(writer, 'read');
    return this.line(writer, { type: 'ok', op, f: 'read', key: KEY, value });
  }

  write(writer: string, value: string, basis: string, replaced: string): this {
    const op = this.invoke(writer, 'write', { value, basis });
    return this.line(writer, { type: 'ok', op, f: 'write', key: KEY, replaced });
  }

  fault(
    step: string,
    phase: 'inject' | 'proved' | 'unproved' | 'heal' | 'healed' | 'unhealed',
    more: { fault?: string; nodes?: readonly string[]; targets?: readonly string[]; detail?: string } = {},
  ): this {
    const { fault = 'kill', nodes = ['redis-1'], targets = nodes, detail = `${fault} ${targets.join(', ')}` } = more;
    return this.line('nemesis', { type: 'fault', step, phase, fault, targets, nodes, detail });
  }

  kill(contender: string): this {
    return this.line('nemesis', { type: 'kill', contender, of: this.#incarnations.get(contender) ?? 1, reason: 'told so' });
  }

  death(contender: string): this {
    return this.line('conductor', { type: 'death', contender, of: this.#incarnations.get(contender) ?? 1, code: null, signal: 'SIGKILL' });
  }

  /** The lines, with `end` behind them. */
  ended(): HistoryEvent[] {
    const counts = { ...Object.fromEntries(this.#seqs), 'conductor#1': (this.#seqs.get('conductor#1') ?? 0) + 1 };
    this.line('conductor', { type: 'end', counts });
    return this.events;
  }
}

/** As bytes, the way a file would give them. */
export async function* bytesOf(lines: readonly (HistoryEvent | string)[], tail = '\n'): AsyncGenerator<Uint8Array> {
  yield Buffer.from(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + tail);
}
