/** Waits for the moment of a step. */
import { pause } from '../model/deadline.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { Trigger } from '../model/scenario.ts';
import { type Clock, type Millis, millis, type Nanos, nanos } from '../model/time.ts';
import type { ContenderControl } from './contender-control.ts';
import type { Watch } from './watch.ts';

export interface TriggerContext {
  readonly watch: Watch;
  readonly contenders: ContenderControl;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly ttl: Millis;
  /** When the clock of the workload started. */
  readonly start: Nanos;
}

const pauseUntil = (moment: Nanos, { clock, signal }: TriggerContext): Promise<void> =>
  pause(Math.max(0, millis(moment - clock.now())), signal);

/** A predicate that says true at the `count`-th event it would have matched. */
const nth = (count: number, matches: (event: HistoryEvent) => boolean): ((event: HistoryEvent) => boolean) => {
  let seen = 0;
  return (event) => {
    if (!matches(event)) return false;
    seen += 1;
    return seen === count;
  };
};

/** Every contender stands at its acquire gate, so nobody holds and no request is under way. */
const everyoneAtTheGate = async (context: TriggerContext, limit: Millis): Promise<void> => {
  const { contenders, watch, signal } = context;
  watch.mark();
  const missing = new Set(contenders.alive);
  await Promise.all(contenders.alive.map((name) => contenders.gate(name, 'acquire', true)));
  await watch.next(
    (event) => {
      if (event.type === 'gate' && event.gate === 'acquire' && event.state === 'waiting') missing.delete(event.writer);
      return missing.size === 0;
    },
    limit,
    signal,
  );
};

/**
 * Resolves at the step's moment, with the event that made it, if one did.
 * @throws InfrastructureError where the moment did not come within `limit`.
 */
export const waitFor = async (trigger: Trigger, limit: Millis, context: TriggerContext): Promise<HistoryEvent | undefined> => {
  const { watch, signal, clock, ttl } = context;
  switch (trigger.on) {
    case 'previous':
      if (trigger.plus !== undefined) await pauseUntil(clock.now() + nanos(trigger.plus === 'ttl' ? ttl : trigger.plus), context);
      return undefined;
    case 'time':
      await pauseUntil(context.start + nanos(trigger.at), context);
      return undefined;
    case 'event': {
      const matches = (event: HistoryEvent): boolean =>
        event.type === trigger.type &&
        (trigger.by === undefined || event.writer === trigger.by) &&
        (event.type !== 'ok' || event.f === 'acquire');
      return watch.next(nth(trigger.count ?? 1, matches), limit, signal);
    }
    case 'gate':
      if (trigger.after > 0)
        await watch.next(
          nth(trigger.after, (event) => event.type === 'exit'),
          limit,
          signal,
        );
      await everyoneAtTheGate(context, limit);
      return undefined;
  }
};
