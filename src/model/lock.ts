/** What a lock is to this tool: something that can be connected, asked once, and released. */
import type { NodeAnswer } from './event.ts';
import type { Clock, Millis, Nanos } from './time.ts';
import type { LockServers, TopologyKind } from './topology.ts';

/** What a lock gets when a contender connects it. */
export interface LockContext {
  readonly servers: LockServers;
  /** The lease to ask for. */
  readonly ttl: Millis;
  readonly clock: Clock;
  /** Lock options of the run, as given by `--lock-option name=value`. */
  readonly options: Readonly<Record<string, string>>;
}

/** The lock was given. */
export interface Granted {
  readonly outcome: 'granted';
  readonly token: string;
  /** Start of the winning attempt, where the lock retries inside itself. */
  readonly start?: Nanos;
  /** Until when the lock itself says the lease is safe to use, on `context.clock`. Absent where it says nothing. */
  readonly until?: Nanos;
  /** Fencing token: a non-negative integer in decimal. */
  readonly fencing?: string;
  readonly answers: readonly NodeAnswer[];
}

/** The lock was not given, and nothing of this attempt is meant to stay behind. */
export interface Refused {
  readonly outcome: 'refused';
  readonly reason: string;
  readonly answers: readonly NodeAnswer[];
}

/** Nobody knows: no answer, or a broken connection. The key may have been set. */
export interface Unknown {
  readonly outcome: 'unknown';
  readonly reason: string;
  readonly answers: readonly NodeAnswer[];
}

/** Release or extension. `refused`: it had no effect on a majority (or on the one server). */
export type AfterGrant = { readonly outcome: 'done'; readonly until?: Nanos; readonly answers: readonly NodeAnswer[] } | Refused | Unknown;

/** A connected lock, in a contender's process. */
export interface Lock extends AsyncDisposable {
  /** One attempt. Must settle: each request carries its own timeout. */
  acquire(key: string, signal: AbortSignal): Promise<Granted | Refused | Unknown>;
  release(key: string, token: string): Promise<AfterGrant>;
}

/** A lock as it stands in a catalogue or in a user's own file. */
export interface LockDefinition {
  readonly name: string;
  /** One sentence for `redlock-chaos list`. */
  readonly sentence: string;
  /** The server arrangements it can be run on. */
  readonly topologies: readonly TopologyKind[];
  /** Whether a grant ends by itself after the ttl. */
  readonly lease: boolean;
  /** Option names with what they mean; anything else given is a usage error. */
  readonly options: Readonly<Record<string, string>>;
  /** The ttl below which it can never grant, if any. */
  readonly leastTtl?: (options: Readonly<Record<string, string>>) => Millis;
  /** The keys it keeps on each node for one resource: what the conductor reads over the admin links. */
  keys(resource: string): readonly string[];
  /** Resolves once every connection is made. */
  connect(context: LockContext): Promise<Lock>;
}
