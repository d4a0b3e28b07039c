/** Gives a run a loopback /24 of its own, so that every run may use the same ports. */
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { InfrastructureError } from '../../model/errors.ts';

const CONTROL_PORT = 8474;

const listen = (host: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(CONTROL_PORT, host, () => resolve(server.unref()));
  });

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** A reserved network: address(1) … address(253) are this run's until it is disposed of. */
export class LoopbackNetwork implements AsyncDisposable {
  readonly #prefix: string;
  readonly #reservation: Server;

  private constructor(prefix: string, reservation: Server) {
    this.#prefix = prefix;
    this.#reservation = reservation;
  }

  /** A listening socket on .254 is the reservation: the kernel drops it with its process. .1 may be in use by a cluster left running. */
  static async reserve(): Promise<LoopbackNetwork> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const prefix = `127.${randomInt(1, 255)}.${randomInt(0, 255)}`;
      const reservation = await listen(`${prefix}.254`);
      if (!reservation) continue;
      const first = await listen(`${prefix}.1`);
      if (first) {
        await close(first);
        return new LoopbackNetwork(prefix, reservation);
      }
      await close(reservation);
    }
    throw new InfrastructureError('no free loopback network found in 100 tries', {
      hint: 'Is something listening on port 8474 of all of 127.0.0.0/8?',
    });
  }

  address(index: number): string {
    return `${this.#prefix}.${index}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await close(this.#reservation);
  }
}
