/** A running, ready cluster, whichever runtime it runs on: nodes, links, and the questions that others ask of them. */
import { until } from '../model/deadline.ts';
import { InfrastructureError, messageOf } from '../model/errors.ts';
import type { ObservedKey } from '../model/event.ts';
import type { Millis } from '../model/time.ts';
import type { Address, LockServers, NodeRole } from '../model/topology.ts';
import { Admin } from './admin.ts';
import { type Link, openLinks } from './links.ts';
import type { ClusterPlan, NodePlan, ServicePlan } from './plan.ts';
import type { Runtime } from './runtime.ts';
import { calm, hurry, primaryAsToldBy, seesEveryone } from './sentinel.ts';

/** Longer than any start takes, so that nothing fails over before the run begins. */
const DOWN_AFTER_UNTIL_READY: Millis = 60_000;
const READY_LIMIT: Millis = 30_000;
const LOOK_EVERY: Millis = 1_000;

export interface Node {
  readonly name: string;
  readonly role: NodeRole;
  readonly admin: Admin;
}

export interface StartOptions {
  readonly runtime: Runtime;
  readonly plan: ClusterPlan;
  readonly signal: AbortSignal;
}

export class Cluster implements AsyncDisposable {
  readonly runtime: Runtime;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly links: readonly Link[];
  readonly #plan: ClusterPlan;
  #versions: Readonly<Record<string, string>> = {};

  private constructor(options: StartOptions, nodes: ReadonlyMap<string, Node>, links: readonly Link[]) {
    this.runtime = options.runtime;
    this.#plan = options.plan;
    this.nodes = nodes;
    this.links = links;
  }

  /** Starts everything of the plan and resolves when it is ready. The runtime is the caller's to dispose of. */
  static async start({ runtime, plan, signal }: StartOptions): Promise<Cluster> {
    await runtime.startPods(plan.pods, signal);
    const opened = await Promise.all(plan.pods.map((pod) => openLinks(runtime, pod, signal)));
    const nodes = new Map(plan.nodes.map((node): [string, Node] => [node.name, connect(runtime, node)]));
    const cluster = new Cluster(
      { runtime, plan, signal },
      nodes,
      opened.flatMap(({ links }) => links),
    );
    try {
      await cluster.#startNodes(signal);
      cluster.#versions = { redis: await cluster.#redisVersion(), toxiproxy: opened[0]?.version ?? 'unknown' };
      return cluster;
    } catch (cause) {
      await cluster[Symbol.asyncDispose]();
      throw cause;
    }
  }

  /** As the servers report them. */
  get versions(): Readonly<Record<string, string>> {
    return this.#versions;
  }

  /**
   * In the order in which they need each other: a replica that finds no primary tries again a second later, and a sentinel that
   * asks a replica before that is in sync learns it from the next INFO, a second later too, whatever INFO-PERIOD says.
   */
  async #startNodes(signal: AbortSignal): Promise<void> {
    const start = async (roles: readonly NodeRole[]): Promise<void> => {
      const plans = this.#plan.nodes.filter(({ role }) => roles.includes(role)).map(withLongDownAfter);
      await this.runtime.startNodes(plans, signal);
      await Promise.all(plans.map((plan) => this.#answered(plan.name, signal)));
    };
    await start(['ledger', 'independent', 'primary']);
    const { sentinel } = this.#plan;
    if (!sentinel) return;
    await start(['replica']);
    await this.#replicasOnline(signal);
    await start(['sentinel']);
    const hurried = await Promise.all(this.sentinels.map(({ admin }) => hurry(admin)));
    const replicas = this.withRole('replica').length;
    const sees = async ({ admin }: Node): Promise<true | undefined> =>
      (await seesEveryone(admin, sentinel.group, replicas, this.sentinels.length - 1)) || undefined;
    await Promise.all(this.sentinels.map((node) => until(READY_LIMIT, `${node.name} seeing everyone`, () => sees(node), signal)));
    await Promise.all(this.sentinels.map(({ admin }, index) => calm(admin, sentinel.group, sentinel.downAfter, hurried[index] ?? false)));
  }

  /** A server that ends at its start is named within a second, with its last words. */
  async #answered(name: string, signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < READY_LIMIT; waited += LOOK_EVERY) {
      const answered = await this.node(name)
        .admin.answered(LOOK_EVERY, signal)
        .then(
          () => true,
          () => false,
        );
      signal.throwIfAborted();
      if (answered) return;
      if ((await this.runtime.state(name)) === 'exited') break;
    }
    const log = (await this.runtime.logs()).get(name)?.trimEnd().split('\n').at(-1);
    throw new InfrastructureError(`${name} does not answer; the last line of its log: ${log ?? 'none'}`);
  }

  /** Both sides must say so: with a diskless transfer the primary calls a replica online while that is still loading. */
  async #replicasOnline(signal: AbortSignal): Promise<void> {
    const replication = async ({ admin }: Node): Promise<string> => String(await admin.call('INFO', 'replication'));
    const replicas = this.withRole('replica');
    const online = async (): Promise<true | undefined> => {
      const [primary = '', ...seen] = await Promise.all([...this.withRole('primary'), ...replicas].map(replication));
      const known = (primary.match(/state=online/g) ?? []).length;
      return (known === replicas.length && seen.every((info) => info.includes('master_link_status:up'))) || undefined;
    };
    await until(READY_LIMIT, 'replicas online on the primary', online, signal);
  }

  async #redisVersion(): Promise<string> {
    const info = String(await this.node('ledger').admin.call('INFO', 'server'));
    return /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown';
  }

  node(name: string): Node {
    const node = this.nodes.get(name);
    if (!node) throw new InfrastructureError(`no such node: ${name}`);
    return node;
  }

  withRole(...roles: readonly NodeRole[]): Node[] {
    return [...this.nodes.values()].filter((node) => roles.includes(node.role));
  }

  /** The servers that keep the lock's keys. */
  get lockNodes(): Node[] {
    return this.withRole('independent', 'primary', 'replica');
  }

  get sentinels(): Node[] {
    return this.withRole('sentinel');
  }

  get ledger(): Address {
    return this.#directAddress('ledger');
  }

  #directAddress(name: string): Address {
    const plan = this.#plan.nodes.find((node) => node.name === name);
    if (!plan) throw new InfrastructureError(`no such node: ${name}`);
    return this.runtime.address(plan.pod, plan.port);
  }

  /** Addresses for people: each node past the proxies. */
  get addresses(): ReadonlyMap<string, Address> {
    return new Map(this.#plan.nodes.map((node) => [node.name, this.#directAddress(node.name)]));
  }

  /** What contenders get: their own links. */
  get servers(): LockServers {
    const own = this.links.filter((link) => link.from === 'contenders');
    const sentinelNames = new Set(this.sentinels.map((node) => node.name));
    const announced = (name: string): string => {
      const inside = this.links.find((link) => link.to === name && link.from !== 'contenders');
      const port = this.#plan.pods.flatMap((pod) => pod.links).find((link) => link.name === inside?.name)?.port;
      return `${name}:${port ?? 0}`;
    };
    const data = own.filter((link) => !sentinelNames.has(link.to));
    return {
      nodes: data.map((link) => ({ name: link.to, address: link.address })),
      sentinels: own.filter((link) => sentinelNames.has(link.to)).map((link) => link.address),
      ...(this.#plan.sentinel && { group: this.#plan.sentinel.group }),
      natMap: this.#plan.sentinel ? Object.fromEntries(data.map((link) => [announced(link.to), link.address])) : {},
    };
  }

  /** The node that a majority of sentinels call the primary and that says so itself; undefined while there is none. */
  async primary(): Promise<string | undefined> {
    const group = this.#plan.sentinel?.group;
    if (group === undefined) return undefined;
    const told = await Promise.all(this.sentinels.map(({ admin }) => primaryAsToldBy(admin, group).catch(() => undefined)));
    const name = told.find((candidate) => candidate !== undefined && told.filter((other) => other === candidate).length * 2 > told.length);
    const node = name === undefined ? undefined : this.nodes.get(name);
    const role = (await node?.admin.call('ROLE').catch(() => undefined)) as [string] | undefined;
    return role?.[0] === 'master' ? name : undefined;
  }

  /** A key on every node that could hold it, read over the admin links. */
  async observe(key: string): Promise<Readonly<Record<string, ObservedKey>>> {
    const read = async ({ admin }: Node): Promise<ObservedKey> => {
      try {
        const [value, pttl] = await Promise.all([admin.call('GET', key), admin.call('PTTL', key)]);
        return value === null ? null : { value: String(value), pttl: Number(pttl) };
      } catch (error) {
        return { error: messageOf(error) };
      }
    };
    return Object.fromEntries(await Promise.all(this.lockNodes.map(async (node) => [node.name, await read(node)] as const)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.nodes.values()].map((node) => node.admin[Symbol.asyncDispose]()));
  }
}

const connect = (runtime: Runtime, node: NodePlan): Node => ({
  name: node.name,
  role: node.role,
  admin: new Admin(node.name, runtime.address(node.pod, node.port)),
});

const withLongDownAfter = (node: NodePlan): NodePlan => {
  const conf = node.service.environment['SENTINEL_CONF'];
  if (node.role !== 'sentinel' || conf === undefined) return node;
  const long = conf.replace(/^(sentinel down-after-milliseconds \S+) \d+$/m, `$1 ${DOWN_AFTER_UNTIL_READY}`);
  const service: ServicePlan = { ...node.service, environment: { ...node.service.environment, SENTINEL_CONF: long } };
  return { ...node, service };
};
