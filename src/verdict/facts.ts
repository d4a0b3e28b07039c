/** What the why is told from: the few facts of a history that explain an overlap, gathered as its lines go by. */
import type { Grant } from '../history/holds.ts';
import type { EventOf, HistoryEvent } from '../model/event.ts';
import type { Nanos } from '../model/time.ts';

/** So many grants are remembered; the why is about the latest before an overlap, or about the run's first. */
const GRANTS_KEPT = 2_000;

export class Facts {
  /** When the workload began: what reports count time from. */
  start: Nanos | undefined;
  readonly grants: Grant[] = [];
  readonly faults: EventOf<'fault'>[] = [];
  readonly milestones: EventOf<'milestone'>[] = [];
  readonly observed: EventOf<'observed'>[] = [];
  readonly gaps: EventOf<'gap'>[] = [];
  /** Refused attempts, by time. */
  readonly refusals: Nanos[] = [];
  readonly deaths: EventOf<'death'>[] = [];

  see(event: HistoryEvent, granted: Grant | undefined): void {
    if (granted && this.grants.length < GRANTS_KEPT) this.grants.push(granted);
    switch (event.type) {
      case 'invoke':
        this.start ??= event.at;
        return;
      case 'fail':
        if (event.f === 'acquire' && this.refusals.length < GRANTS_KEPT * 50) this.refusals.push(event.at);
        return;
      case 'fault':
        this.faults.push(event);
        return;
      case 'milestone':
        this.milestones.push(event);
        return;
      case 'observed':
        if (this.observed.length < GRANTS_KEPT) this.observed.push(event);
        return;
      case 'gap':
        if (this.gaps.length < GRANTS_KEPT) this.gaps.push(event);
        return;
      case 'death':
        this.deaths.push(event);
        return;
    }
  }

  /** `0.7 s`, counted from the workload's start. */
  at(moment: Nanos): string {
    return `${((moment - (this.start ?? 0)) / 1e9).toFixed(1)} s`;
  }

  /** The grant that a contender held at that moment. */
  grantOf(contender: string, moment: Nanos): Grant | undefined {
    return this.grants.findLast((grant) => grant.contender === contender && grant.okAt <= moment);
  }

  fault(kind: string, phase: EventOf<'fault'>['phase'], node?: string): EventOf<'fault'> | undefined {
    return this.faults.find((line) => line.fault === kind && line.phase === phase && (node === undefined || line.nodes.includes(node)));
  }
}
