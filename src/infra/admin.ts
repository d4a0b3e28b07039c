/** The conductor's own connection to a server: direct, past every proxy, and each call with a deadline. */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { namedWithin, pause, within } from '../model/deadline.ts';
import { InfrastructureError } from '../model/errors.ts';
import type { Millis } from '../model/time.ts';
import type { Address } from '../model/topology.ts';

const CALL_LIMIT: Millis = 2_000;
const RECONNECT: Millis = 20;

export class Admin implements AsyncDisposable {
  readonly #redis: Redis;
  readonly #name: string;

  constructor(name: string, address: Address) {
    this.#name = name;
    this.#redis = new Redis({
      ...address,
      retryStrategy: () => RECONNECT,
      // A command must never wait for a server to come back: it would act long after it was meant to.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      enableReadyCheck: false,
      // No CLIENT command on connecting: if the connection closes during one, ioredis 5.11 calls it ready for good when it is dead.
      disableClientInfo: true,
      maxRetriesPerRequest: 0,
    });
    this.#redis.on('error', () => {}); // every call reports its own failure
  }

  /** @throws InfrastructureError naming the server and the command, after 2 s at the latest. */
  async call(command: string, ...words: (string | number)[]): Promise<unknown> {
    return namedWithin(CALL_LIMIT, `${this.#name} ${command}`, this.#redis.call(command, ...words));
  }

  /** Whether it answers now. */
  async answers(limit: Millis = 200): Promise<boolean> {
    return within(limit, `${this.#name} PING`, this.#redis.ping()).then(
      () => true,
      () => false,
    );
  }

  /** Resolves once the server answers. @throws InfrastructureError after `limit`. */
  async answered(limit: Millis, signal?: AbortSignal): Promise<void> {
    const failed = AbortSignal.timeout(limit);
    const either = signal ? AbortSignal.any([failed, signal]) : failed;
    while (!(await this.answers())) {
      signal?.throwIfAborted();
      if (failed.aborted) throw new InfrastructureError(`${this.#name} does not answer within ${limit} ms`);
      await this.#connected(either).catch(() => {});
    }
  }

  /** The next connection, or a short while: behind a published port a connection may be accepted for nobody. */
  async #connected(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const ready = once(this.#redis, 'ready', { signal: stop.signal });
    await Promise.race([ready, pause(RECONNECT, signal)]);
    ready.catch(() => {});
    stop.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#redis.disconnect();
  }
}
