/** Links as they run: Toxiproxy's proxies, and what can be done to one. */
import { Toxiproxy, type Proxy as ToxiproxyProxy } from 'toxiproxy-node-client';
import { namedWithin, until, within } from '../model/deadline.ts';
import { InfrastructureError } from '../model/errors.ts';
import type { Millis } from '../model/time.ts';
import type { Address } from '../model/topology.ts';
import type { LinkPlan, PodPlan } from './plan.ts';
import type { Runtime } from './runtime.ts';

/** Toxiproxy's client sets no timeout of its own, and a control call has been seen to hang (Shopify/toxiproxy #558). */
const CONTROL_LIMIT: Millis = 5_000;
const START_LIMIT: Millis = 10_000;

/** `upstream`: what the source sends; `downstream`: what the node answers. */
export type Direction = 'upstream' | 'downstream';

/** @throws InfrastructureError naming the link and the call. */
const control = <T>(what: string, call: Promise<T>): Promise<T> => namedWithin(CONTROL_LIMIT, `toxiproxy, ${what}`, call);

export class Link {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Where those on the host reach it; only links from contenders are published. */
  readonly address: Address;
  readonly #proxy: ToxiproxyProxy;

  constructor(plan: LinkPlan, address: Address, proxy: ToxiproxyProxy) {
    this.name = plan.name;
    this.from = plan.from;
    this.to = plan.to;
    this.address = address;
    this.#proxy = proxy;
  }

  /** Drops the bytes of one direction without closing anything: a black hole. `name` identifies it for `remove`. */
  async blackHole(name: string, direction: Direction): Promise<void> {
    await control(
      `cutting ${this.name}`,
      this.#proxy.addToxic({ name, type: 'timeout', stream: direction, toxicity: 1, attributes: { timeout: 0 } }),
    );
  }

  /** Removes a toxic. Removing a `timeout` closes the connections that it held. */
  async remove(name: string): Promise<void> {
    const toxic = await control(`healing ${this.name}`, this.#proxy.getToxic(name));
    await control(`healing ${this.name}`, toxic.remove());
  }

  /** The names of the toxics on it, as Toxiproxy lists them now. */
  async toxics(): Promise<string[]> {
    const answer = await control(`looking at ${this.name}`, this.#proxy.api.get<{ toxics: { name: string }[] }>(this.#proxy.getPath()));
    return answer.data.toxics.map(({ name }) => name);
  }

  /** Refuses connections, and closes those that stand. */
  async disable(): Promise<void> {
    await control(
      `closing ${this.name}`,
      this.#proxy.update({ enabled: false, listen: this.#proxy.listen, upstream: this.#proxy.upstream }),
    );
  }

  async enable(): Promise<void> {
    await control(
      `opening ${this.name}`,
      this.#proxy.update({ enabled: true, listen: this.#proxy.listen, upstream: this.#proxy.upstream }),
    );
  }
}

/** Since 2.6 the answer is JSON; a build from source says `git`. */
const versionIn = (answer: string): string => /"version":\s*"([^"]+)"/.exec(answer)?.[1] ?? answer.trim();

/** Creates the proxies of one pod, once its Toxiproxy answers. Returns its version too. */
export const openLinks = async (runtime: Runtime, pod: PodPlan, signal: AbortSignal): Promise<{ links: Link[]; version: string }> => {
  const { host, port } = runtime.address(pod.name, 8474);
  const toxiproxy = new Toxiproxy(`http://${host}:${port}`);
  const version = await until(
    START_LIMIT,
    `toxiproxy of pod ${pod.name}`,
    () => within(CONTROL_LIMIT, 'toxiproxy', toxiproxy.getVersion(), signal).catch(() => undefined),
    signal,
  );
  signal.throwIfAborted();
  const listen = runtime.listenAddress(pod.name);
  const bodies = pod.links.map((link) => ({ name: link.name, listen: `${listen}:${link.port}`, upstream: link.upstream, enabled: true }));
  const byName: Readonly<Record<string, ToxiproxyProxy>> = await control(`making the links of pod ${pod.name}`, toxiproxy.populate(bodies));
  const links = pod.links.map((plan) => {
    const proxy = byName[plan.name];
    if (!proxy) throw new InfrastructureError(`toxiproxy of pod ${pod.name} did not make the link ${plan.name}`);
    return new Link(plan, runtime.address(pod.name, plan.port), proxy);
  });
  return { links, version: versionIn(version) };
};
