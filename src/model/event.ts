/** The lines of a history, as written and as read. Field order on disk is that of `docs/history-format.md`. */
import type { Expectation } from './expectation.ts';
import type { Millis, Nanos, Origin } from './time.ts';
import type { TopologyKind } from './topology.ts';

export const HISTORY_VERSION = 1;

/** What every line carries: who wrote it, in which life, as its how-manyth line, and when the event was. */
export interface Stamp {
  /** `conductor`, `nemesis` or a contender's name. */
  readonly writer: string;
  /** 1 for the first process of that name, 2 after it was restarted, … */
  readonly incarnation: number;
  /** 1, 2, 3, … within a writer's incarnation, without a hole. */
  readonly seq: number;
  /** The event's own time, also when the line was written later. */
  readonly at: Nanos;
}

/** First line of a file: all that `check` needs to judge the rest. */
export interface Begin {
  readonly type: 'begin';
  readonly version: number;
  readonly scenario: string;
  readonly lock: string;
  readonly topology: TopologyKind;
  readonly infra: string;
  readonly seed: string;
  readonly keys: readonly string[];
  /** The lease asked for; absent for a lock without one. */
  readonly ttl?: Millis;
  readonly contenders: readonly string[];
  /** The servers that hold the lock's keys. */
  readonly nodes: readonly string[];
  readonly expectation: Expectation;
  readonly thresholds: readonly string[];
  /** What the run must have seen to count, beside contention and a grant. */
  readonly coverage: CoverageDemand;
  readonly origin: Origin;
  /** Wall-clock time at the origin, for people. ISO 8601. */
  readonly startedAt: string;
}

export interface CoverageDemand {
  /** Every fault must meet a live lease. */
  readonly faultsMeetLiveLock: boolean;
}

export type OperationKind = 'acquire' | 'extend' | 'release' | 'read' | 'write';

/** One node's answer inside a lock operation. */
export interface NodeAnswer {
  readonly node: string;
  /**
   * acquire: `granted`, `refused`. release and extend: `1` took effect, `0` did not.
   * Any: `timeout` and `error` (may or may not have been applied), `unsent` (never left the client).
   */
  readonly said: 'granted' | 'refused' | '1' | '0' | 'timeout' | 'error' | 'unsent';
  /** When the answer was seen. */
  readonly at: Nanos;
  readonly detail?: string;
}

/** An operation begins. `op` numbers the operations of one incarnation; its outcome carries the same number. */
export interface Invoke {
  readonly type: 'invoke';
  readonly op: number;
  readonly f: OperationKind;
  readonly key: string;
  /** extend and release: the token offered. */
  readonly token?: string;
  /** write: the value offered to the ledger. */
  readonly value?: string;
  /** write: the ledger value that this writer had read before. */
  readonly basis?: string;
}

/** An operation succeeded. */
export interface Ok {
  readonly type: 'ok';
  readonly op: number;
  readonly f: OperationKind;
  readonly key: string;
  readonly token?: string;
  /** acquire: start of the winning attempt, where the lock retries inside itself. */
  readonly start?: Nanos;
  /** acquire and extend: until when the lock itself says the lease is safe to use. */
  readonly until?: Nanos;
  /** acquire: the fencing token, a non-negative integer in decimal. */
  readonly fencing?: string;
  readonly answers?: readonly NodeAnswer[];
  /** read: what the ledger held (`''` when it held nothing). */
  readonly value?: string;
  /** write: the ledger value that this write replaced. */
  readonly replaced?: string;
}

/** An operation certainly had no effect that counts: refused, or fenced off. */
export interface Fail {
  readonly type: 'fail';
  readonly op: number;
  readonly f: OperationKind;
  readonly key: string;
  readonly reason: string;
  readonly answers?: readonly NodeAnswer[];
}

/** An operation's outcome is not known: it may have taken effect. */
export interface Info {
  readonly type: 'info';
  readonly op: number;
  readonly f: OperationKind;
  readonly key: string;
  readonly reason: string;
  readonly answers?: readonly NodeAnswer[];
}

/** Written after acquire has returned. `op` is the acquire's. */
export interface Enter {
  readonly type: 'enter';
  readonly op: number;
  readonly key: string;
}

/** Written before release is sent, and after the ledger has answered. `op` is the acquire's. */
export interface Exit {
  readonly type: 'exit';
  readonly op: number;
  readonly key: string;
}

/** A contender came to a gate that was closed, or went on through it. */
export interface GateLine {
  readonly type: 'gate';
  readonly gate: GateName;
  readonly state: 'waiting' | 'passed';
}

/** `acquire`: before an attempt, holding nothing. `exit`: inside the critical section, before the ledger is written. */
export type GateName = 'acquire' | 'exit';

/** The event loop of a contender did not run. */
export interface Gap {
  readonly type: 'gap';
  readonly from: Nanos;
  readonly to: Nanos;
  /** CPU time used in it: near the gap's length the loop was blocked, near nothing the process was stopped. */
  readonly cpu: Nanos;
}

/** A contender began (all connections made) or ended its life in order. */
export interface Life {
  readonly type: 'started' | 'stopped';
  readonly pid: number;
}

/** A contender met an error outside any operation, or is about to die of one. */
export interface ContenderError {
  readonly type: 'error';
  readonly message: string;
}

/** Written before a contender is killed on purpose, by the nemesis or by the conductor. */
export interface Kill {
  readonly type: 'kill';
  readonly contender: string;
  readonly of: number;
  readonly reason: string;
}

/** The conductor has seen a contender's process end without `stopped`. */
export interface Death {
  readonly type: 'death';
  readonly contender: string;
  /** The incarnation that died. */
  readonly of: number;
  readonly code: number | null;
  readonly signal: string | null;
}

export type FaultPhase = 'inject' | 'proved' | 'unproved' | 'heal' | 'healed' | 'unhealed';

/** A fault goes through its phases; `inject` is written before it acts. */
export interface FaultLine {
  readonly type: 'fault';
  readonly step: string;
  readonly phase: FaultPhase;
  /** The fault's kind: `cut`, `kill`, … */
  readonly fault: string;
  /** Names of the nodes, links or contenders it acts on. */
  readonly targets: readonly string[];
  /** Nodes whose keys it can affect: what coverage asks about. */
  readonly nodes: readonly string[];
  /** In words: what was done, or what the proof showed. */
  readonly detail: string;
}

/** Something that the nemesis waited for and saw (`promotion`), or waited for in vain (`missed`). */
export interface Milestone {
  readonly type: 'milestone';
  readonly step: string;
  readonly what: 'triggered' | 'missed' | 'promoted' | 'recovered';
  readonly node?: string;
  readonly detail: string;
}

/** The lock's key on every node, read over the admin links. */
export interface Observed {
  readonly type: 'observed';
  /** What made the conductor look: `enter c1 4`, `cut proved`, `end`. */
  readonly on: string;
  readonly key: string;
  /** When the first request was sent; `at` is when the last answer came. */
  readonly from: Nanos;
  readonly nodes: Readonly<Record<string, ObservedKey>>;
}

/** `null`: no such key. `pttl` is -1 for a key without expiry. `error`: the node did not answer. */
export type ObservedKey = { readonly value: string; readonly pttl: Millis } | { readonly error: string } | null;

/** The wall clock of the conductor moved against its monotonic one by more than 50 ms (suspend, step). */
export interface ClockMoved {
  readonly type: 'clock';
  readonly by: Millis;
}

/** Last line: how many lines each writer's incarnation wrote, itself included. Keys are `writer#incarnation`. */
export interface End {
  readonly type: 'end';
  readonly counts: Readonly<Record<string, number>>;
}

export type Body =
  | Begin
  | Invoke
  | Ok
  | Fail
  | Info
  | Enter
  | Exit
  | GateLine
  | Gap
  | Life
  | ContenderError
  | Kill
  | Death
  | FaultLine
  | Milestone
  | Observed
  | ClockMoved
  | End;

/** One line of a history. */
export type HistoryEvent = Stamp & Body;

/** A line of one type. */
export type EventOf<T extends Body['type']> = Stamp & Extract<Body, { type: T }>;
