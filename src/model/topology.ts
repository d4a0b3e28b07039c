/** The kinds of server arrangement a lock is made for. */

/** `single`: one Redis. `sentinel`: a primary with replicas under Sentinel. `independent`: N Redis that know nothing of each other. */
export const TOPOLOGY_KINDS = ['single', 'sentinel', 'independent'] as const;
export type TopologyKind = (typeof TOPOLOGY_KINDS)[number];

/** What a server does, as its `redlock-chaos.role` label in docker-compose.yml says. */
export const NODE_ROLES = ['independent', 'primary', 'replica', 'sentinel', 'ledger'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** A place to connect to. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a lock gets to know of the servers: where its own links lead. */
export interface LockServers {
  /** The data nodes, by name, each through the contender's link. */
  readonly nodes: readonly { readonly name: string; readonly address: Address }[];
  /** The sentinels, each through the contender's link. Empty without Sentinel. */
  readonly sentinels: readonly Address[];
  /** The name Sentinel knows the primary's group by. */
  readonly group?: string;
  /** `host:port` as Sentinel tells it → where that leads from here (ioredis' natMap). */
  readonly natMap: Readonly<Record<string, Address>>;
}
