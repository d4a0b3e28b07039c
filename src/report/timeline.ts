/** What a report draws: who waited and held when, what the nemesis did, and where holds overlapped. Pure; short histories only. */
import { type Hold, Holds } from '../history/holds.ts';
import type { EventOf, HistoryEvent } from '../model/event.ts';
import type { Nanos } from '../model/time.ts';

export type SegmentKind = 'waiting' | 'holding' | 'past-lease' | 'indeterminate';

export interface Segment {
  readonly kind: SegmentKind;
  readonly from: Nanos;
  readonly to: Nanos;
}

export interface Lane {
  readonly contender: string;
  readonly segments: readonly Segment[];
}

/** A stretch (`<-- cut … -->`), or a moment where `to` equals `from`. */
export interface NemesisMark {
  readonly kind: 'span' | 'kill' | 'promoted';
  readonly label: string;
  readonly from: Nanos;
  readonly to: Nanos;
}

export interface Timeline {
  readonly key: string;
  /** The workload's start and its last event. */
  readonly from: Nanos;
  readonly to: Nanos;
  readonly lanes: readonly Lane[];
  readonly nemesis: readonly NemesisMark[];
  /** From the order in the file, never from columns. */
  readonly overlaps: readonly { readonly from: Nanos; readonly to: Nanos }[];
}

export const buildTimeline = (events: readonly HistoryEvent[]): Timeline => {
  const begin = events.find((event): event is EventOf<'begin'> => event.type === 'begin');
  const own = events.filter(({ writer }) => writer !== 'conductor');
  const first = own.find(({ type }) => type === 'invoke');
  const from = first?.at ?? 0;
  const to = Math.max(from, ...own.filter(({ type }) => type !== 'stopped').map(({ at }) => at));
  const drawing = new Drawing(begin);
  events.forEach((event, index) => {
    drawing.observe(event, index + 1);
  });
  return { key: begin?.keys[0] ?? '', from, to, ...drawing.conclude(to) };
};

class Drawing {
  readonly #holds: Holds;
  readonly #segments = new Map<string, Segment[]>();
  readonly #waitingSince = new Map<string, Nanos>();
  readonly #all: Hold[] = [];
  readonly #pairs: (readonly [Hold, Hold])[] = [];
  readonly #nemesis: NemesisMark[] = [];
  readonly #faults = new Map<string, EventOf<'fault'>>();

  constructor(begin: EventOf<'begin'> | undefined) {
    this.#holds = new Holds(begin?.ttl);
    for (const name of begin?.contenders ?? []) this.#segments.set(name, []);
  }

  observe(event: HistoryEvent, line: number): void {
    const { granted, opened } = this.#holds.observe(event, line);
    if (event.type === 'invoke' && event.f === 'acquire' && !this.#waitingSince.has(event.writer))
      this.#waitingSince.set(event.writer, event.at);
    if (granted) this.#waited(granted.contender, granted.okAt);
    if (opened) {
      this.#all.push(opened);
      for (const other of this.#holds.open(opened.key)) if (other !== opened) this.#pairs.push([other, opened]);
    }
    if (event.type === 'fault') this.#fault(event);
    if (event.type === 'milestone' && event.what === 'promoted') {
      this.#nemesis.push({ kind: 'promoted', label: `promoted ${event.node ?? ''}`.trim(), from: event.at, to: event.at });
    }
  }

  #waited(contender: string, until: Nanos): void {
    const since = this.#waitingSince.get(contender);
    this.#waitingSince.delete(contender);
    if (since !== undefined) this.#lane(contender).push({ kind: 'waiting', from: since, to: until });
  }

  #lane(contender: string): Segment[] {
    const lane = this.#segments.get(contender) ?? [];
    this.#segments.set(contender, lane);
    return lane;
  }

  #fault(event: EventOf<'fault'>): void {
    if (event.phase === 'inject') this.#faults.set(event.step, event);
    const injected = this.#faults.get(event.step);
    if (!injected || event.phase === 'heal' || event.phase === 'proved' || event.phase === 'unproved') return;
    if (event.phase !== 'inject') {
      this.#faults.delete(event.step);
      this.#nemesis.push(markOf(injected, event.at));
    }
  }

  conclude(end: Nanos): Pick<Timeline, 'lanes' | 'nemesis' | 'overlaps'> {
    for (const [contender, since] of this.#waitingSince) this.#lane(contender).push({ kind: 'waiting', from: since, to: end });
    for (const hold of this.#all) this.#lane(hold.contender).push(...segmentsOf(hold));
    for (const fault of this.#faults.values()) this.#nemesis.push(markOf(fault, end));
    const overlaps = this.#pairs
      .filter(([earlier, later]) => earlier.certainLine > later.enterLine)
      .map(([earlier, later]) => ({ from: later.enterAt, to: Math.max(later.enterAt, Math.min(earlier.certainAt, later.certainAt)) }));
    return {
      lanes: [...this.#segments].map(([contender, segments]) => ({ contender, segments })),
      nemesis: this.#nemesis.sort((one, other) => one.from - other.from),
      overlaps,
    };
  }
}

/** A kill is a moment; what goes on until it is healed is a stretch. */
const markOf = ({ fault, detail, at }: EventOf<'fault'>, healedAt: Nanos): NemesisMark =>
  fault === 'kill' ? { kind: 'kill', label: detail, from: at, to: at } : { kind: 'span', label: detail, from: at, to: healedAt };

const segmentsOf = (hold: Hold): Segment[] => {
  const { enterAt, certainAt, endAt, end, grant } = hold;
  const leaseEnd = grant?.leaseEnd ?? Number.POSITIVE_INFINITY;
  const segments: Segment[] = [{ kind: 'holding', from: enterAt, to: Math.min(certainAt, Math.max(enterAt, leaseEnd)) }];
  if (leaseEnd < certainAt) segments.push({ kind: 'past-lease', from: Math.max(enterAt, leaseEnd), to: certainAt });
  if (end === 'death' && endAt > certainAt) segments.push({ kind: 'indeterminate', from: certainAt, to: endAt });
  return segments;
};
