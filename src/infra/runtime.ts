/** The small interface that docker and local mode each implement: where pods and servers really run. */
import type { Address } from '../model/topology.ts';
import type { NodePlan, PodPlan } from './plan.ts';

/** What the engine or the operating system says of a server's process. `stopped`: SIGSTOP or the engine's pause. */
export type ProcessState = 'running' | 'stopped' | 'exited' | 'absent';

export interface Runtime extends AsyncDisposable {
  readonly mode: 'docker' | 'local';
  /** The compose project: one name a run. */
  readonly project: string;

  /** Starts pods with their Toxiproxies, in parallel. Resolves once every Toxiproxy's control port can be reached or fails. */
  startPods(pods: readonly PodPlan[], signal: AbortSignal): Promise<void>;
  /** Starts servers, in parallel. Resolves when the processes run; whether they are ready is not its business. */
  startNodes(nodes: readonly NodePlan[], signal: AbortSignal): Promise<void>;
  /** Where this host reaches a port of a pod. Stays the same for the pod's life, whatever happens to the servers in it. */
  address(pod: string, port: number): Address;
  /** The address that a pod's Toxiproxy listens on, as it must be told. */
  listenAddress(pod: string): string;

  /** SIGKILL. Resolves when the engine or the kernel says that the process is gone. */
  kill(node: string): Promise<void>;
  /** Starts a killed server again, in the same place. */
  start(node: string): Promise<void>;
  state(node: string): Promise<ProcessState>;

  /** Everything that a server, sentinel or Toxiproxy has written so far, by service name. */
  logs(): Promise<ReadonlyMap<string, string>>;
  /** Image ids by image name; empty in local mode. */
  images(): Promise<Readonly<Record<string, string>>>;
  /** In words, how a person reaches this cluster's things by hand (`docker compose -p … ps`, or the folder). */
  readonly hint: string;

  /** Thaws what is stopped, then removes everything of this project. Safe to call at any moment, also during a start. Throws an InfrastructureError naming what was left. */
  [Symbol.asyncDispose](): Promise<void>;
}
