/** From the compose file to what one run needs of it: only the servers asked for, in as few pods as its faults tell apart. */
import { UsageError } from '../../model/errors.ts';
import type { NodeRole, TopologyKind } from '../../model/topology.ts';
import type { ClusterPlan, LinkPlan, NodePlan, PodPlan, ServicePlan } from '../plan.ts';
import type { ComposeFile, ComposeProxy, ComposeService } from './file.ts';

/** What a run asks for. */
export interface ClusterWish {
  readonly topologies: readonly TopologyKind[];
  /** Names of pods that must stay by themselves, so that links from them can be told apart. */
  readonly apart: readonly string[];
}

const ROLES: Readonly<Record<TopologyKind, readonly NodeRole[]>> = {
  single: ['independent'],
  independent: ['independent'],
  sentinel: ['primary', 'replica', 'sentinel'],
};

const BYTES: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

const servicePlan = (name: string, service: ComposeService, command = service.command): ServicePlan => ({
  name,
  image: service.image,
  ...(service.entrypoint && { entrypoint: service.entrypoint }),
  command,
  environment: service.environment,
  ...(service.user && { user: service.user }),
  ...(service.working_dir && { workingDir: service.working_dir }),
  ...(service.stop_signal && { stopSignal: service.stop_signal }),
  capDrop: service.cap_drop,
  securityOpt: service.security_opt,
  ...(service.pids_limit && { pidsLimit: service.pids_limit }),
  ...(service.mem_limit && { memLimit: Number(service.mem_limit.slice(0, -1)) * (BYTES[service.mem_limit.slice(-1)] ?? 1) }),
  labels: Object.fromEntries(Object.entries(service.labels).map(([key, value]) => [key, String(value)])),
});

/** Toxiproxy's command without `-config FILE`: the CLI makes the proxies itself, since it may have merged pods. */
const withoutConfig = (command: readonly string[]): string[] =>
  command.filter((word, index) => word !== '-config' && command[index - 1] !== '-config');

const podOf = (name: string, service: ComposeService): string => service.network_mode?.slice('service:'.length) ?? name;
const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));

/** The pods of `names` as one. Ports are unique in the whole file, so only links to the same node fall together. */
const mergePods = (file: ComposeFile, names: readonly string[], nodes: readonly string[], source: string): PodPlan => {
  const [first] = names;
  const owner = first === undefined ? undefined : file.services[first];
  if (first === undefined || owner === undefined) throw new UsageError(`${file.path}: no such pod: ${String(first)}`);
  const toxiproxies = Object.entries(file.services).filter(
    ([name, service]) => service.labels['redlock-chaos.role'] === 'toxiproxy' && names.includes(podOf(name, service)),
  );
  const [toxiproxy] = toxiproxies;
  if (toxiproxy === undefined) throw new UsageError(`${file.path}: pod ${first} has no service with the role toxiproxy`);
  const proxies: ComposeProxy[] = toxiproxies.flatMap(([, service]) => service.configs.flatMap((config) => file.proxies(config.source)));
  const links = new Map<number, LinkPlan>();
  for (const proxy of proxies) {
    const [from = '', to = ''] = proxy.name.split('>');
    const port = portOf(proxy.listen);
    if (!nodes.includes(to) || links.has(port)) continue;
    const group = from === 'contenders' || from === 'sentinels' || names.length === 1 ? from : source;
    links.set(port, { name: `${group}>${to}`, from: group, to, port, upstream: proxy.upstream });
  }
  const ports = names.flatMap((name) => file.services[name]?.ports ?? []).map(portOf);
  return {
    name: first,
    aliases: names,
    hosts: Object.fromEntries(owner.extra_hosts.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)])),
    ports: [...new Set(ports)],
    links: [...links.values()],
    owner: servicePlan(first, owner),
    toxiproxy: servicePlan(toxiproxy[0], toxiproxy[1], withoutConfig(toxiproxy[1].command)),
  };
};

/** Ports of nodes that were not asked for need not be published: publishing is most of what starting a pod costs. */
const onlyNeeded = (pod: PodPlan, nodes: readonly NodePlan[]): PodPlan => {
  const needed = new Set([
    8474,
    ...pod.links.map((link) => link.port),
    ...nodes.filter((node) => node.pod === pod.name).map((node) => node.port),
  ]);
  return { ...pod, ports: pod.ports.filter((port) => needed.has(port)) };
};

const sentinelSettings = (file: ComposeFile, nodes: readonly NodePlan[]): ClusterPlan['sentinel'] => {
  const conf = nodes.find((node) => node.role === 'sentinel')?.service.environment['SENTINEL_CONF'];
  if (conf === undefined) return undefined;
  const monitor = /^sentinel monitor (\S+) /m.exec(conf);
  const downAfter = /^sentinel down-after-milliseconds \S+ (\d+)$/m.exec(conf);
  if (!monitor?.[1] || !downAfter?.[1])
    throw new UsageError(`${file.path}: SENTINEL_CONF needs "sentinel monitor" and "down-after-milliseconds"`);
  return { group: monitor[1], downAfter: Number(downAfter[1]) };
};

/** @throws UsageError where the file lacks something that the wish needs. */
export const planCluster = (file: ComposeFile, wish: ClusterWish): ClusterPlan => {
  const wanted = new Set<NodeRole>(['ledger', ...wish.topologies.flatMap((kind) => ROLES[kind])]);
  const onlyOne = wish.topologies.every((kind) => kind === 'single');
  const services = Object.entries(file.services)
    .filter(([, service]) => wanted.has(service.labels['redlock-chaos.role'] as NodeRole))
    .filter(([, service], _, all) => !onlyOne || service.labels['redlock-chaos.role'] === 'ledger' || service === firstIndependent(all));
  const sentinelPod = services
    .filter(([, service]) => service.labels['redlock-chaos.role'] === 'sentinel')
    .map(([name, service]) => podOf(name, service));

  // One group for everything but the sentinels, unless a fault tells a pod apart.
  const groups = new Map<string, string[]>();
  for (const [name, service] of services) {
    const pod = podOf(name, service);
    const group = wish.apart.includes(pod) ? pod : sentinelPod.includes(pod) ? 'sentinels' : 'replicas';
    const members = groups.get(group) ?? groups.set(group, []).get(group);
    if (members && !members.includes(pod)) members.push(pod);
  }
  const merged = new Map([...groups].flatMap(([, members]) => members.map((pod) => [pod, members[0] ?? pod] as const)));
  const nodes = services.map(([name, service]): NodePlan => {
    const port = service.labels['redlock-chaos.port'];
    if (port === undefined) throw new UsageError(`${file.path}: services.${name}.labels: redlock-chaos.port is missing`);
    const pod = podOf(name, service);
    return {
      name,
      role: service.labels['redlock-chaos.role'] as NodeRole,
      pod: merged.get(pod) ?? pod,
      port,
      service: servicePlan(name, service),
    };
  });
  const names = nodes.map((node) => node.name);
  const pods = [...groups].map(([group, members]) => onlyNeeded(mergePods(file, members, names, group), nodes));
  const sentinel = sentinelSettings(file, nodes);
  return { pods, nodes, file: file.path, ...(sentinel && { sentinel }) };
};

const firstIndependent = (services: readonly (readonly [string, ComposeService])[]): ComposeService | undefined =>
  services.find(([, service]) => service.labels['redlock-chaos.role'] === 'independent')?.[1];
