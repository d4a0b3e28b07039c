/** Pairs operations into holds as the lines come: who was granted what, until when, and how long they were certainly inside. */
import type { EventOf, HistoryEvent, NodeAnswer } from '../model/event.ts';
import { type Millis, type Nanos, nanos } from '../model/time.ts';

/** A key on a node was removed or extended by someone whose it was not. */
export interface Theft {
  readonly node: string;
  /** `contender#incarnation` of the one who did it. */
  readonly by: string;
  readonly at: Nanos;
  readonly line: number;
}

/** A successful acquire. */
export interface Grant {
  readonly contender: string;
  readonly incarnation: number;
  readonly op: number;
  readonly key: string;
  readonly token: string;
  readonly fencing: string | undefined;
  readonly invokedAt: Nanos;
  readonly invokeLine: number;
  readonly okAt: Nanos;
  readonly okLine: number;
  readonly answers: readonly NodeAnswer[];
  /** What the lock itself claims, if anything. */
  readonly until: Nanos | undefined;
  /** Start of the winning attempt. */
  readonly start: Nanos;
  /** Lease end at the `ok`: start + ttl, or the claim where earlier. `Infinity`: no ttl. */
  readonly firstLeaseEnd: Nanos;
  /** With the extensions that were confirmed. */
  leaseEnd: Nanos;
  /** With those too whose answer is not known. */
  possibleLeaseEnd: Nanos;
  /** The process did not run for a while between the deciding reply and the `ok`. */
  stoppedInside: boolean;
  readonly thefts: Theft[];
  releaseInvokedAt: Nanos | undefined;
  releasedAt: Nanos | undefined;
}

/** A stay in the critical section. */
export interface Hold {
  readonly contender: string;
  readonly incarnation: number;
  readonly key: string;
  readonly op: number;
  /** Absent in foreign histories, which may hold nothing but enter and exit. */
  readonly grant: Grant | undefined;
  readonly enterAt: Nanos;
  readonly enterLine: number;
  /** The last line that proves it was inside: its own, or a `kill` line about it. */
  certainLine: number;
  certainAt: Nanos;
  end: 'open' | 'exit' | 'death';
  endAt: Nanos;
  endLine: number;
}

/** What one line changed. */
export interface Change {
  readonly granted?: Grant;
  readonly opened?: Hold;
  readonly closed?: Hold;
}

/** Timer ticks of the gap monitor are shorter than this, so a shorter overlap may be an artefact of its ticks. */
const GAP_TOLERANCE: Nanos = nanos(25);
const GAPS_KEPT = 16;

interface Life {
  readonly invokes: Map<number, { readonly event: EventOf<'invoke'>; readonly line: number }>;
  readonly gaps: EventOf<'gap'>[];
  grant: Grant | undefined;
  hold: Hold | undefined;
  lastSeq: number | undefined;
}

const NOTHING: Change = {};

export class Holds {
  readonly #ttl: Millis | undefined;
  readonly #lives = new Map<string, Life>();
  readonly #open = new Map<string, Set<Hold>>();
  /** Whose key a node holds, as the answers have it. */
  readonly #owners = new Map<string, Grant>();

  /** `ttl`: undefined for a lock whose grants do not end by themselves. */
  constructor(ttl: Millis | undefined) {
    this.#ttl = ttl;
  }

  /** Holds of a key that have neither ended nor died so far. */
  open(key: string): ReadonlySet<Hold> {
    return this.#open.get(key) ?? new Set();
  }

  observe(event: HistoryEvent, line: number): Change {
    if (event.type === 'kill') return this.#kill(event, line);
    if (event.type === 'death') return this.#death(event, line);
    if (event.writer === 'conductor' || event.writer === 'nemesis') return NOTHING;
    const life = this.#life(event.writer, event.incarnation);
    const interrupted = this.#interrupted(life, event);
    if (life.hold) {
      life.hold.certainLine = line;
      life.hold.certainAt = event.at;
    }
    const change = this.#own(life, event, line);
    return interrupted ? { closed: interrupted, ...change } : change;
  }

  /**
   * A hole in a writer's numbers may hide its exit: from there on nothing is certain about its hold.
   * The same where it enters again without having left.
   */
  #interrupted(life: Life, event: HistoryEvent): Hold | undefined {
    const whole = life.lastSeq === undefined || event.seq === life.lastSeq + 1;
    life.lastSeq = event.seq;
    if (!life.hold || (whole && event.type !== 'enter')) return undefined;
    return this.#close(life, life.hold, 'death', life.hold.certainAt, life.hold.certainLine).closed;
  }

  #own(life: Life, event: HistoryEvent, line: number): Change {
    switch (event.type) {
      case 'invoke':
        life.invokes.set(event.op, { event, line });
        if (event.f === 'release' && life.grant) life.grant.releaseInvokedAt = event.at;
        return NOTHING;
      case 'ok':
        return this.#ok(life, event, line);
      case 'fail':
      case 'info':
        this.#unsuccessful(life, event, line);
        return NOTHING;
      case 'enter':
        return this.#enter(life, event, line);
      case 'exit':
        return this.#exit(life, event, line);
      case 'gap':
        this.#gap(life, event);
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  #life(writer: string, incarnation: number): Life {
    const name = `${writer}#${incarnation}`;
    const life = this.#lives.get(name) ?? { invokes: new Map(), gaps: [], grant: undefined, hold: undefined, lastSeq: undefined };
    this.#lives.set(name, life);
    return life;
  }

  #ok(life: Life, event: EventOf<'ok'>, line: number): Change {
    const invoke = life.invokes.get(event.op);
    life.invokes.delete(event.op);
    if (event.f === 'extend' || event.f === 'release') this.#afterGrant(life, event, invoke?.event, line);
    if (event.f === 'extend') this.#extended(life, invoke?.event.at, event.until, true);
    if (event.f === 'release' && life.grant) life.grant.releasedAt = event.at;
    if (event.f !== 'acquire') return NOTHING;
    const start = event.start ?? invoke?.event.at ?? event.at;
    const ttlEnd = this.#ttl === undefined ? Number.POSITIVE_INFINITY : start + nanos(this.#ttl);
    const firstLeaseEnd = Math.min(ttlEnd, event.until ?? Number.POSITIVE_INFINITY);
    const grant: Grant = {
      contender: event.writer,
      incarnation: event.incarnation,
      op: event.op,
      key: event.key,
      token: event.token ?? '',
      fencing: event.fencing,
      invokedAt: invoke?.event.at ?? start,
      invokeLine: invoke?.line ?? line,
      okAt: event.at,
      okLine: line,
      answers: event.answers ?? [],
      until: event.until,
      start,
      firstLeaseEnd,
      leaseEnd: firstLeaseEnd,
      possibleLeaseEnd: firstLeaseEnd,
      stoppedInside: false,
      thefts: [],
      releaseInvokedAt: undefined,
      releasedAt: undefined,
    };
    grant.stoppedInside = life.gaps.some((gap) => stoppedIn(grant, gap));
    life.grant = grant;
    for (const { node, said } of grant.answers) if (said === 'granted') this.#owners.set(`${grant.key} ${node}`, grant);
    return { granted: grant };
  }

  #unsuccessful(life: Life, event: EventOf<'fail' | 'info'>, line: number): void {
    const invoke = life.invokes.get(event.op);
    life.invokes.delete(event.op);
    if (event.f === 'extend' || event.f === 'release') this.#afterGrant(life, event, invoke?.event, line);
    if (event.f === 'extend' && event.type === 'info') this.#extended(life, invoke?.event.at, undefined, false);
    if (event.f === 'release' && life.grant) life.grant.releasedAt = event.at;
  }

  #extended(life: Life, invokedAt: Nanos | undefined, until: Nanos | undefined, confirmed: boolean): void {
    if (!life.grant || invokedAt === undefined || this.#ttl === undefined) return;
    const end = Math.min(invokedAt + nanos(this.#ttl), until ?? Number.POSITIVE_INFINITY);
    if (confirmed) life.grant.leaseEnd = end;
    life.grant.possibleLeaseEnd = Math.max(life.grant.possibleLeaseEnd, end);
  }

  /**
   * An answer 1 to a release or extension: whose key was it? Certainly the owner's, where the owner had been told that the node
   * granted it before the request was sent, and neither its lease had ended nor its own release begun when the answer came.
   * Lines of two writers may stand in either order, so it is the times that decide.
   */
  #afterGrant(life: Life, event: EventOf<'ok' | 'fail' | 'info'>, invoke: EventOf<'invoke'> | undefined, line: number): void {
    const token = invoke?.token ?? life.grant?.token;
    for (const { node, said, at } of event.answers ?? []) {
      const owner = this.#owners.get(`${event.key} ${node}`);
      if (said !== '1' || !owner || !invoke) continue;
      if (owner.token === token) {
        if (event.f === 'release') this.#owners.delete(`${event.key} ${node}`);
        continue;
      }
      const told = owner.answers.find((answer) => answer.node === node)?.at ?? Number.POSITIVE_INFINITY;
      const heldThroughout = told < invoke.at && owner.leaseEnd > at && (owner.releaseInvokedAt ?? Number.POSITIVE_INFINITY) > at;
      if (heldThroughout) owner.thefts.push({ node, by: `${event.writer}#${event.incarnation}`, at, line });
    }
  }

  #enter(life: Life, event: EventOf<'enter'>, line: number): Change {
    const grant = life.grant?.op === event.op && life.grant.key === event.key ? life.grant : undefined;
    const hold: Hold = {
      contender: event.writer,
      incarnation: event.incarnation,
      key: event.key,
      op: event.op,
      grant,
      enterAt: event.at,
      enterLine: line,
      certainLine: line,
      certainAt: event.at,
      end: 'open',
      endAt: event.at,
      endLine: line,
    };
    life.hold = hold;
    const open = this.#open.get(event.key) ?? new Set();
    this.#open.set(event.key, open.add(hold));
    return { opened: hold };
  }

  #exit(life: Life, event: EventOf<'exit'>, line: number): Change {
    const { hold } = life;
    if (!hold || hold.op !== event.op) return NOTHING;
    return this.#close(life, hold, 'exit', event.at, line);
  }

  #close(life: Life, hold: Hold, end: 'exit' | 'death', at: Nanos, line: number): Change {
    hold.end = end;
    hold.endAt = at;
    hold.endLine = line;
    life.hold = undefined;
    const open = this.#open.get(hold.key);
    open?.delete(hold);
    if (open?.size === 0) this.#open.delete(hold.key);
    return { closed: hold };
  }

  /** Whoever is killed was certainly inside until then: the line is written before the signal is sent. */
  #kill(event: EventOf<'kill'>, line: number): Change {
    const hold = this.#lives.get(`${event.contender}#${event.of}`)?.hold;
    if (hold) {
      hold.certainLine = line;
      hold.certainAt = event.at;
    }
    return NOTHING;
  }

  #death(event: EventOf<'death'>, line: number): Change {
    const name = `${event.contender}#${event.of}`;
    const life = this.#lives.get(name);
    this.#lives.delete(name);
    return life?.hold ? this.#close(life, life.hold, 'death', event.at, line) : NOTHING;
  }

  #gap(life: Life, gap: EventOf<'gap'>): void {
    life.gaps.push(gap);
    if (life.gaps.length > GAPS_KEPT) life.gaps.shift();
    if (life.grant && stoppedIn(life.grant, gap)) life.grant.stoppedInside = true;
  }
}

/** Whether a gap lies between the deciding reply and the `ok`: then nobody knows when the lock had really decided. */
const stoppedIn = ({ answers, invokedAt, okAt }: Grant, gap: EventOf<'gap'>): boolean => {
  const decidedAt = answers.length === 0 ? invokedAt : Math.max(...answers.map(({ at }) => at));
  return Math.min(gap.to, okAt) - Math.max(gap.from, decidedAt) > GAP_TOLERANCE;
};
