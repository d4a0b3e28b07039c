/** One Redis as a lock sees it: a connection that never queues, never resends, and answers or gives up in time. */
import type { Redis, RedisOptions } from 'ioredis';
import { within } from '../model/deadline.ts';
import { InfrastructureError, messageOf } from '../model/errors.ts';
import type { NodeAnswer } from '../model/event.ts';
import type { Clock, Millis } from '../model/time.ts';

const CONNECT_LIMIT: Millis = 10_000;

/**
 * ioredis as a lock needs it. By default it parks commands while it has no connection and sends unanswered ones again after
 * reconnecting: a SET that its caller gave up on would take the lock later, with no owner (case B06).
 */
export const LOCK_CONNECTION = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // With it, a connection that closes while CLIENT SETINFO is under way is declared ready when it is dead, for good (ioredis 5.11).
  disableClientInfo: true,
  retryStrategy: () => 50,
} as const satisfies RedisOptions;

/** Compare-and-delete: only the owner's own key goes. https://redis.io/docs/latest/develop/use/patterns/distributed-locks/ */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`;

export class RedisNode {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #timeout: Millis;
  readonly #nameNow: () => string;

  /** `nameNow` tells which server the connection leads to; behind Sentinel that changes. */
  constructor(redis: Redis, options: { readonly clock: Clock; readonly timeout: Millis; readonly nameNow: () => string }) {
    this.#redis = redis;
    this.#clock = options.clock;
    this.#timeout = options.timeout;
    this.#nameNow = options.nameNow;
    redis.on('error', () => {}); // each request reports its own failure
  }

  async connected(): Promise<void> {
    if (this.#redis.status === 'ready') return;
    const ready = new Promise<void>((resolve) => this.#redis.once('ready', () => resolve()));
    await within(CONNECT_LIMIT, `connecting to ${this.#nameNow()}`, ready);
  }

  /** SET key token NX PX ttl. */
  async set(key: string, token: string, ttl: Millis): Promise<NodeAnswer> {
    return this.#ask(async () => ((await this.#redis.set(key, token, 'PX', ttl, 'NX')) === 'OK' ? 'granted' : 'refused'));
  }

  async compareAndDelete(key: string, token: string): Promise<NodeAnswer> {
    return this.#ask(async () => ((await this.#redis.eval(RELEASE, 1, key, token)) === 1 ? '1' : '0'));
  }

  async #ask(request: () => Promise<NodeAnswer['said']>): Promise<NodeAnswer> {
    const node = this.#nameNow();
    if (this.#redis.status !== 'ready') return { node, said: 'unsent', at: this.#clock.now(), detail: 'no connection' };
    try {
      return { node, said: await within(this.#timeout, node, request()), at: this.#clock.now() };
    } catch (error) {
      const detail = messageOf(error);
      if (detail.startsWith("Stream isn't writeable")) return { node, said: 'unsent', at: this.#clock.now(), detail: 'no connection' };
      // A server that answers with an error has not done it (READONLY, MISCONF, NOREPLICAS, …).
      const said = error instanceof InfrastructureError ? 'timeout' : /^[A-Z]+ /.test(detail) ? 'refused' : 'error';
      return { node, said, at: this.#clock.now(), detail };
    }
  }

  close(): void {
    this.#redis.disconnect();
  }
}
