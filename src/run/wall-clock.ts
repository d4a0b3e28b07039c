/** Notices when the host's wall clock moves against its monotonic one: a suspended laptop, a stepped clock. */
import { type Clock, type Millis, millis } from '../model/time.ts';

const LOOK_EVERY: Millis = 200;
const MOVED: Millis = 50;

/** Calls `moved` with by how much, each time it moved more than 50 ms; until disposed of. */
export const watchWallClock = (clock: Clock, moved: (by: Millis) => void): Disposable => {
  const difference = (): Millis => clock.wall() - millis(clock.now());
  let last = difference();
  const timer = setInterval(() => {
    const now = difference();
    if (Math.abs(now - last) <= MOVED) return;
    moved(now - last);
    last = now;
  }, LOOK_EVERY);
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
