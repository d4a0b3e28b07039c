/** Time as this project speaks of it: branded units, and the only place that reads a clock. */

/** A duration in milliseconds. */
export type Millis = number & { readonly unit?: 'ms' };

/** A moment or duration in nanoseconds on the monotonic clock, counted from the run's origin. */
export type Nanos = number & { readonly unit?: 'ns' };

const NANOS_PER_MILLI = 1_000_000;

export const nanos = (duration: Millis): Nanos => duration * NANOS_PER_MILLI;
export const millis = (duration: Nanos): Millis => duration / NANOS_PER_MILLI;

/** The clocks of one process. Passed as an argument, so that nothing else reads the time. */
export interface Clock {
  /** Monotonic time since the run's origin. On one host it is the same clock in every process. */
  now(): Nanos;
  /** Wall-clock time since 1970, in milliseconds. May be stepped; never used to order events. */
  wall(): Millis;
  /** The wall clock as a date, for people. */
  date(): Date;
}

/** The monotonic origin of a run, as a decimal string of nanoseconds: it does not fit a double on a host that has long been up. */
export type Origin = string;

export const newOrigin = (): Origin => process.hrtime.bigint().toString();

/** A clock that counts from `origin`. */
export const clockFrom = (origin: Origin): Clock => {
  const zero = BigInt(origin);
  return {
    now: () => Number(process.hrtime.bigint() - zero),
    wall: () => Date.now(),
    date: () => new Date(),
  };
};
