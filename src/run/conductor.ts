/** Brings one run from a plan to a finished history: servers up, contenders in, nemesis through its steps, everything down. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Assignment } from '../contender/protocol.ts';
import { Tail } from '../history/tail.ts';
import { HistoryWriter } from '../history/writer.ts';
import { Cluster } from '../infra/cluster.ts';
import type { ComposeFile } from '../infra/compose/file.ts';
import { planCluster } from '../infra/compose/plan-cluster.ts';
import type { ClusterPlan } from '../infra/plan.ts';
import type { Runtime } from '../infra/runtime.ts';
import { InfrastructureError } from '../model/errors.ts';
import { type EventOf, HISTORY_VERSION, type HistoryEvent } from '../model/event.ts';
import { plural } from '../model/phrases.ts';
import { type Clock, type Millis, millis, type Nanos, type Origin } from '../model/time.ts';
import type { NodeRole } from '../model/topology.ts';
import type { Phase } from '../model/verdict.ts';
import { Healings } from '../nemesis/healings.ts';
import { Nemesis } from '../nemesis/nemesis.ts';
import { Scribe } from '../nemesis/scribe.ts';
import { unlessLate } from '../nemesis/unless-late.ts';
import { Watch } from '../nemesis/watch.ts';
import type { RunProgress } from '../report/progress.ts';
import { Contenders } from './contenders.ts';
import type { RunFolder } from './folder.ts';
import { Observer } from './observer.ts';
import type { RunPlan } from './resolve.ts';
import { watchWallClock } from './wall-clock.ts';

const STOP_LIMIT: Millis = 5_000;

export interface ConductorOptions {
  readonly plan: RunPlan;
  readonly compose: ComposeFile;
  readonly mode: Runtime['mode'];
  readonly folder: RunFolder;
  readonly seed: string;
  readonly origin: Origin;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** What the conductor saw that the history does not hold. */
export interface Conducted {
  readonly phases: readonly Phase[];
  readonly versions: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, string>>;
}

export class Conductor {
  readonly #options: ConductorOptions;
  readonly #cluster: ClusterPlan;
  readonly #conductor: HistoryWriter;
  readonly #nemesis: HistoryWriter;
  readonly #watch: Watch;
  readonly #tail: Tail;
  readonly #phases: Phase[] = [];
  /** Highest line number seen of each writer: what a writer that died cannot say itself. */
  readonly #seen = new Map<string, number>();
  /** Each step's `inject` line. */
  readonly #injected = new Map<string, EventOf<'fault'>>();
  #grants = 0;
  /** `nanos`: from injecting to proved, of all faults. */
  readonly #faults = { injected: 0, proved: 0, healed: 0, nanos: 0 };
  #versions: Readonly<Record<string, string>> = {};
  #images: Readonly<Record<string, string>> = {};

  constructor(options: ConductorOptions) {
    this.#options = options;
    const { folder, clock, plan, compose } = options;
    this.#cluster = planCluster(compose, { topologies: [plan.topology], apart: plan.apart });
    this.#conductor = new HistoryWriter({ file: folder.history, writer: 'conductor', incarnation: 1, clock });
    this.#nemesis = new HistoryWriter({ file: folder.history, writer: 'nemesis', incarnation: 1, clock });
    this.#tail = new Tail(folder.history);
    this.#watch = new Watch(() => this.#tail.read());
    this.#watch.onEvent((event) => this.#count(event));
    this.#begin();
  }

  /**
   * Conducts the run. The servers are left for the caller to remove; contenders are gone and faults healed on every way out.
   * @throws InfrastructureError, InterruptedError: the history then lacks its end, and is judged as far as it goes.
   */
  async run(runtime: Runtime): Promise<void> {
    const { plan, folder, clock, signal, progress } = this.#options;
    const { story } = plan;
    await using contenders = new Contenders({ conductor: this.#conductor, clock, logs: folder.logs, wrote: () => this.#watch.look() });
    const names = contenderNames(story.workload.contenders);
    for (const name of names) contenders.launch(name);
    await using cluster = await this.#startCluster(runtime);
    const observer = new Observer({ cluster, keys: this.#keys, writer: this.#conductor, clock, wrote: () => this.#watch.look() });
    this.#watch.onEvent((event) => observer.seen(event));
    using _ = watchWallClock(clock, (by) => this.#conductor.append({ type: 'clock', by }, clock.now()));

    progress.doing('contenders connecting');
    await contenders.assign((name, incarnation) => this.#assignment(name, incarnation, cluster), signal);
    const start = await this.#tellStory(contenders, cluster);
    progress.doing('contenders finishing');
    await contenders.stop(STOP_LIMIT + story.workload.hold[1]);
    observer.look('end');
    await observer.finished();
    this.#end(contenders);
    const failed = contenders.failures[0];
    this.#phase(
      'workload',
      failed === undefined,
      `${names.length} contenders, ${this.#grants} grants, ttl ${story.workload.ttl / 1_000} s`,
      start,
    );
    this.#faultsPhase();
    if (failed !== undefined) throw new InfrastructureError(`contender ${failed}`);
  }

  get conducted(): Conducted {
    return { phases: this.#phases, versions: this.#versions, images: this.#images };
  }

  get #resource(): string {
    return this.#options.plan.story.workload.resource ?? 'orders';
  }

  get #keys(): readonly string[] {
    return this.#options.plan.lock.keys(this.#resource);
  }

  #begin(): void {
    const { plan, mode, seed, origin, clock } = this.#options;
    const { scenario, lock, topology, story, expectation } = plan;
    this.#conductor.append(
      {
        type: 'begin',
        version: HISTORY_VERSION,
        scenario: scenario.name,
        lock: lock.name,
        topology,
        infra: mode,
        seed,
        keys: this.#keys,
        ...(lock.lease && { ttl: story.workload.ttl }),
        contenders: contenderNames(story.workload.contenders),
        nodes: this.#cluster.nodes.filter(({ role }) => role !== 'sentinel' && role !== 'ledger').map(({ name }) => name),
        expectation,
        thresholds: [],
        coverage: story.coverage,
        origin,
        startedAt: clock.date().toISOString(),
      },
      0,
    );
  }

  async #startCluster(runtime: Runtime): Promise<Cluster> {
    const { signal, progress, clock } = this.#options;
    const began = clock.now();
    progress.doing('servers starting');
    const cluster = await Cluster.start({ runtime, plan: this.#cluster, signal });
    this.#versions = cluster.versions;
    this.#images = await runtime.images();
    this.#phase('topology', true, describe(cluster), began);
    return cluster;
  }

  async #tellStory(contenders: Contenders, cluster: Cluster): Promise<Nanos> {
    const { plan, clock, signal, progress } = this.#options;
    const { story } = plan;
    const scribe = new Scribe(this.#nemesis, clock, () => this.#watch.look());
    const healings = new Healings(scribe);
    let healed = false;
    const ttl = story.workload.ttl;
    const nemesis = new Nemesis({
      cluster,
      scribe,
      healings,
      watch: this.#watch,
      contenders,
      clock,
      signal,
      ttl,
      progress: progress.doing,
    });
    await nemesis.prepare(story.steps);
    const start = clock.now();
    contenders.go();
    try {
      await nemesis.run(story.steps, start);
    } finally {
      progress.doing('healing');
      healed = await healings.heal();
    }
    if (healed) await this.#recover(scribe);
    return start;
  }

  /** After the faults the lock must be seen to work again. */
  async #recover(scribe: Scribe): Promise<void> {
    const { plan, signal, progress } = this.#options;
    const { grants, within } = plan.story.recovery;
    progress.doing(`waiting for ${grants} more grants`);
    this.#watch.mark();
    let seen = 0;
    const granted = (event: HistoryEvent): boolean => event.type === 'ok' && event.f === 'acquire' && ++seen === grants;
    const recovered = await unlessLate(this.#watch.next(granted, within, signal), undefined, signal);
    if (recovered) scribe.milestone('recovery', 'recovered', `${grants} more grants`);
    else scribe.milestone('recovery', 'missed', `${seen} of ${grants} grants within ${within} ms after everything was healed`);
  }

  #assignment(name: string, incarnation: number, cluster: Cluster): Assignment {
    const { plan, folder, origin, seed } = this.#options;
    const { workload } = plan.story;
    return {
      type: 'assignment',
      name,
      incarnation,
      history: folder.history,
      origin,
      seed,
      lock: plan.lock.name,
      lockOptions: plan.lockOptions,
      resource: this.#resource,
      workload,
      servers: cluster.servers,
      ledger: cluster.ledger,
    };
  }

  #count(event: HistoryEvent): void {
    this.#seen.set(`${event.writer}#${event.incarnation}`, event.seq);
    if (event.type === 'ok' && event.f === 'acquire') {
      this.#grants += 1;
      this.#options.progress.granted();
    }
    if (event.type === 'fault') {
      if (event.phase === 'inject') {
        this.#faults.injected += 1;
        this.#injected.set(event.step, event);
      }
      if (event.phase === 'proved') {
        this.#faults.proved += 1;
        const injected = this.#injected.get(event.step) ?? event;
        this.#faults.nanos += event.at - injected.at;
        this.#options.progress.happened(injected.detail);
      }
      if (event.phase === 'healed') this.#faults.healed += 1;
    }
  }

  #end(contenders: Contenders): void {
    this.#watch.look();
    const counts: Record<string, number> = {
      ...Object.fromEntries(this.#seen),
      ...Object.fromEntries(contenders.counts),
      'conductor#1': this.#conductor.count + 1,
    };
    if (this.#nemesis.count > 0) counts['nemesis#1'] = this.#nemesis.count;
    this.#conductor.append({ type: 'end', counts }, this.#options.clock.now());
  }

  #faultsPhase(): void {
    const { injected, proved, healed, nanos } = this.#faults;
    if (injected === 0) return;
    this.#phases.push({
      name: 'faults',
      ok: proved === injected && healed === injected,
      summary: `${injected} injected, ${proved} proved, ${healed} healed`,
      took: millis(nanos),
    });
  }

  #phase(name: Phase['name'], ok: boolean, summary: string, since: Nanos): void {
    this.#phases.push({ name, ok, summary, took: millis(this.#options.clock.now() - since) });
  }

  /** Every server's log, into the run folder. */
  async keepLogs(runtime: Runtime): Promise<void> {
    const { folder } = this.#options;
    for (const [name, log] of await runtime.logs()) writeFileSync(join(folder.logs, `${name}.log`), log);
  }
}

const contenderNames = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${index + 1}`);

const describe = (cluster: Cluster): string => {
  const count = (role: NodeRole, one: string, many = `${one}s`): string[] => {
    const number = cluster.withRole(role).length;
    return number === 0 ? [] : [plural(number, one, many)];
  };
  return [
    ...count('independent', 'independent Redis', 'independent Redis'),
    ...count('primary', 'primary', 'primaries'),
    ...count('replica', 'replica'),
    ...count('sentinel', 'sentinel'),
    plural(cluster.links.length, 'link'),
  ].join(', ');
};
