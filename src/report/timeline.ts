/** What a report draws: who waited and held when, what the nemesis did, and where stays overlapped. Pure; short histories only. */
import { type Hold, Holds } from '../history/holds.ts';
import type { EventOf, HistoryEvent } from '../model/event.ts';
import type { Nanos } from '../model/time.ts';
import { type NemesisMark, NemesisMarks } from './nemesis-marks.ts';
import { type OverlapSpan, OverlapSpans } from './overlap-spans.ts';
import { type Pause, Pauses } from './pauses.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { Waiting } from './waiting.ts';

export interface Lane {
  readonly contender: string;
  readonly segments: readonly Segment[];
  readonly pauses: readonly Pause[];
}

export interface KeyTimeline {
  readonly key: string;
  /** In the order of the file's first line. */
  readonly lanes: readonly Lane[];
  /** From the order in the file, never from columns. */
  readonly overlaps: readonly OverlapSpan[];
}

export interface Timeline {
  /** The workload's start: the zero of every time that is shown. */
  readonly from: Nanos;
  /** The last line that tells of a contender's work, a fault or a death. */
  readonly to: Nanos;
  /** Keys that somebody wanted. Empty where the workload never began. */
  readonly keys: readonly KeyTimeline[];
  readonly nemesis: readonly NemesisMark[];
}

/** When the workload began: the first invoke. The servers come up before it, so reports count time from here. */
export const workloadStart = (events: Iterable<HistoryEvent>): Nanos => {
  for (const { type, at } of events) if (type === 'invoke') return at;
  return 0;
};

const interesting = ({ writer, type }: HistoryEvent): boolean =>
  type === 'death' || type === 'kill' || (writer !== 'conductor' && type !== 'started' && type !== 'stopped');

export const buildTimeline = (events: Iterable<HistoryEvent>): Timeline => {
  const lines = [...events];
  const begin = lines.find((event): event is EventOf<'begin'> => event.type === 'begin');
  const from = workloadStart(lines);
  const to = lines.reduce((latest, event) => (interesting(event) ? Math.max(latest, event.at) : latest), from);
  const holds = new Holds(begin?.ttl);
  const [waiting, pauses, overlapSpans, nemesis] = [new Waiting(), new Pauses(), new OverlapSpans(), new NemesisMarks()];
  const stays: Hold[] = [];
  lines.forEach((event, index) => {
    const { granted, opened } = holds.observe(event, index + 1);
    if (opened) {
      stays.push(opened);
      overlapSpans.opened(opened, holds.open(opened.key));
    }
    waiting.observe(event, granted);
    pauses.observe(event);
    nemesis.observe(event);
  });

  const shown = [
    ...waiting.conclude(to).map(({ contender, key, ...wait }) => ({ contender, key, segments: [{ kind: 'waiting' as const, ...wait }] })),
    ...stays.map((hold) => ({ contender: hold.contender, key: hold.key, segments: segmentsOf(hold, to) })),
  ];
  const [paused, overlaps] = [pauses.conclude(to), overlapSpans.conclude(to)];
  const laneOf = (contender: string, key: string): Lane => ({
    contender,
    segments: shown.filter((one) => one.contender === contender && one.key === key).flatMap(({ segments }) => segments),
    pauses: paused.filter((pause) => pause.contender === contender),
  });
  const contenders = [...new Set([...(begin?.contenders ?? []), ...shown.map(({ contender }) => contender)])];
  const keys = [...new Set(shown.map(({ key }) => key))];
  return {
    from,
    to,
    keys: keys.map((key) => ({
      key,
      // With one key everybody is meant to want it, so that a lane without anything in it tells something.
      lanes: contenders.map((contender) => laneOf(contender, key)).filter(({ segments }) => keys.length === 1 || segments.length > 0),
      overlaps: overlaps.filter((overlap) => overlap.key === key),
    })),
    nemesis: nemesis.conclude(to),
  };
};
