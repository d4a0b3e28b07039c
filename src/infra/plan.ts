/** What is to be made of docker-compose.yml for one run: pods with their links, and the servers in them. */
import type { NodeRole } from '../model/topology.ts';

/** One network namespace (docker) or loopback address (local), with a Toxiproxy of its own. */
export interface PodPlan {
  /** The compose service that owns it; after a merge, the first of them. */
  readonly name: string;
  /** Every name that other pods know it by: its own, and those of the pods merged into it. */
  readonly aliases: readonly string[];
  /** Names that lead elsewhere for this pod's processes only (`extra_hosts`). Values are templates. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Ports that the host must reach. */
  readonly ports: readonly number[];
  readonly links: readonly LinkPlan[];
  readonly owner: ServicePlan;
  readonly toxiproxy: ServicePlan;
}

/** A link: one Toxiproxy proxy, from those in a pod (or the contenders) to one node. */
export interface LinkPlan {
  /** `<from>><to>`, e.g. `contenders>redis-1`, `replicas>redis-6`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Port on which the pod's Toxiproxy listens. */
  readonly port: number;
  /** `pod:port` as seen from this pod. */
  readonly upstream: string;
}

/** One container (docker) or process (local). Strings are templates: `${NAME:-default}` is filled in per pod. */
export interface ServicePlan {
  readonly name: string;
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly workingDir?: string;
  readonly stopSignal?: string;
  readonly capDrop: readonly string[];
  readonly securityOpt: readonly string[];
  readonly pidsLimit?: number;
  /** Bytes. */
  readonly memLimit?: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** A server of the run that is not a pod's own furniture. */
export interface NodePlan {
  readonly name: string;
  readonly role: NodeRole;
  /** Name of its pod. */
  readonly pod: string;
  /** The port it listens on itself, in its pod. */
  readonly port: number;
  readonly service: ServicePlan;
}

export interface ClusterPlan {
  readonly pods: readonly PodPlan[];
  readonly nodes: readonly NodePlan[];
  /** The group's name at Sentinel, where there is one, with the down-after that the compose file asks for. */
  readonly sentinel?: { readonly group: string; readonly downAfter: number };
  /** Where the file stands, for compose's own labels and for messages. */
  readonly file: string;
}
