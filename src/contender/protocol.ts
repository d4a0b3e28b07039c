/** What conductor and contender tell each other over the IPC channel. The history itself goes into the file. */
import type { GateName } from '../model/event.ts';
import type { Workload } from '../model/scenario.ts';
import type { Millis, Origin } from '../model/time.ts';
import type { Address, LockServers } from '../model/topology.ts';

/** Everything a contender needs to know; its first message. */
export interface Assignment {
  readonly type: 'assignment';
  readonly name: string;
  readonly incarnation: number;
  readonly history: string;
  readonly origin: Origin;
  readonly seed: string;
  readonly lock: string;
  readonly lockOptions: Readonly<Record<string, string>>;
  readonly resource: string;
  readonly workload: Workload;
  readonly servers: LockServers;
  readonly ledger: Address;
}

export type ToContender =
  | Assignment
  /** The clock starts. */
  | { readonly type: 'go' }
  /** Closes or opens a gate; answered by `gate-set` with the same id. A closed `exit` gate lets go by itself after `atMost`. */
  | { readonly type: 'gate'; readonly id: number; readonly gate: GateName; readonly closed: boolean; readonly atMost?: Millis }
  /** Finish what is under way, then end. */
  | { readonly type: 'stop' };

export type FromContender =
  /** Connected, and waiting for `go`. */
  | { readonly type: 'ready' }
  /** A line has been written. */
  | { readonly type: 'wrote' }
  | { readonly type: 'gate-set'; readonly id: number }
  /** The last line is written; so many there were. */
  | { readonly type: 'done'; readonly count: number }
  /** It cannot go on; the reason, in one line. */
  | { readonly type: 'failed'; readonly message: string; readonly count: number };
