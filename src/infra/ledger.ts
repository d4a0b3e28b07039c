/** The protected resource: a Redis that no fault touches, where each write says what it replaced. */
import { Redis } from 'ioredis';
import { within } from '../model/deadline.ts';
import type { Millis } from '../model/time.ts';
import type { Address } from '../model/topology.ts';

const LIMIT: Millis = 5_000;

/** Atomic, so that the replaced values put all writes into their one true order. */
const WRITE = `local old = redis.call('get', KEYS[1]) redis.call('set', KEYS[1], ARGV[1]) return old or ''`;

export class Ledger implements AsyncDisposable {
  readonly #redis: Redis;

  constructor(address: Address) {
    this.#redis = new Redis({
      ...address,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: true,
      autoResendUnfulfilledCommands: false,
      retryStrategy: () => 50,
    });
    this.#redis.on('error', () => {}); // every call reports its own failure
  }

  async connected(): Promise<void> {
    await within(LIMIT, 'the ledger', this.#redis.ping());
  }

  /** The current value, `''` where there is none yet. @throws InfrastructureError */
  async read(resource: string): Promise<string> {
    return (await within(LIMIT, 'reading the ledger', this.#redis.get(`ledger:${resource}`))) ?? '';
  }

  /** Stores `value` and returns what it replaced. @throws InfrastructureError */
  async write(resource: string, value: string): Promise<string> {
    return String(await within(LIMIT, 'writing the ledger', this.#redis.eval(WRITE, 1, `ledger:${resource}`, value)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#redis.disconnect();
  }
}
