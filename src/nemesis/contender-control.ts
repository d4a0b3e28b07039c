/** What the nemesis may do to contenders: close and open their gates. */
import type { GateName } from '../model/event.ts';
import type { Millis } from '../model/time.ts';

export interface ContenderControl {
  /** Names of those that are alive. */
  readonly alive: readonly string[];
  /** Resolves once the contender has confirmed. A closed `exit` gate lets go by itself after `atMost`. */
  gate(contender: string, gate: GateName, closed: boolean, atMost?: Millis): Promise<void>;
}
