/** Local mode: pods are loopback addresses, servers are processes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InfrastructureError } from '../../model/errors.ts';
import type { Address } from '../../model/topology.ts';
import { interpolate, userEnvironment } from '../compose/interpolate.ts';
import type { NodePlan, PodPlan, ServicePlan } from '../plan.ts';
import { checkLocalMode } from '../programs.ts';
import type { ProcessState, Runtime } from '../runtime.ts';
import { LoopbackNetwork } from './loopback.ts';
import { LocalProcess } from './process.ts';
import { writeNote } from './remains.ts';

interface Pod {
  readonly address: string;
  readonly hosts: string;
}

export class LocalRuntime implements Runtime {
  readonly mode = 'local';
  readonly project: string;
  readonly hint: string;
  readonly #folder: string;
  readonly #network: LoopbackNetwork;
  readonly #kept: boolean;
  readonly #pods = new Map<string, Pod>();
  readonly #processes = new Map<string, LocalProcess>();
  #disposed = false;

  private constructor(project: string, folder: string, network: LoopbackNetwork, kept: boolean) {
    this.project = project;
    this.hint = `processes and logs in ${folder}`;
    this.#folder = folder;
    this.#network = network;
    this.#kept = kept;
  }

  /**
   * A kept cluster outlives this process, and is ended by `redlock-chaos down`.
   * @throws UsageError or InfrastructureError where this machine cannot do it; nothing has started then.
   */
  static async open(project: string, options: { readonly kept: boolean }): Promise<LocalRuntime> {
    await checkLocalMode();
    const network = await LoopbackNetwork.reserve();
    return new LocalRuntime(project, mkdtempSync(join(tmpdir(), `${project}-`)), network, options.kept);
  }

  async startPods(pods: readonly PodPlan[]): Promise<void> {
    const addresses = pods.map((_, index) => this.#network.address(index + 1));
    const names = pods.map((pod, index) => `${addresses[index]} ${pod.aliases.join(' ')}`);
    for (const [index, plan] of pods.entries()) {
      const address = addresses[index] ?? '';
      const hosts = join(this.#folder, `${plan.name}.hosts`);
      const led = Object.entries(plan.hosts).map(([name, to]) => `${this.#fill(to, address)} ${name}`);
      writeFileSync(hosts, `${['127.0.0.1 localhost', ...names, ...led].join('\n')}\n`);
      this.#pods.set(plan.name, { address, hosts });
      this.#launch(plan.toxiproxy, plan.name);
    }
  }

  async startNodes(nodes: readonly NodePlan[]): Promise<void> {
    for (const node of nodes) this.#launch(node.service, node.pod);
    if (this.#kept) this.#writeNote();
  }

  #fill(text: string, address: string): string {
    return interpolate(text, { ...userEnvironment(), REDLOCK_CHAOS_ADDRESS: address });
  }

  #launch(service: ServicePlan, podName: string): void {
    // A start that a removal has overtaken must not leave a process behind.
    if (this.#disposed) throw new InfrastructureError(`${service.name} was not started: the run is over`);
    const pod = this.#pod(podName);
    const process = new LocalProcess({
      name: service.name,
      argv: [...(service.entrypoint ?? []), ...service.command].map((word) => this.#fill(word, pod.address)),
      environment: Object.fromEntries(Object.entries(service.environment).map(([key, value]) => [key, this.#fill(value, pod.address)])),
      folder: this.#folder,
      hosts: pod.hosts,
      kept: this.#kept,
    });
    this.#processes.set(service.name, process);
    process.start();
  }

  #pod(name: string): Pod {
    const pod = this.#pods.get(name);
    if (!pod) throw new InfrastructureError(`no such pod: ${name}`);
    return pod;
  }

  #process(name: string): LocalProcess {
    const process = this.#processes.get(name);
    if (!process) throw new InfrastructureError(`no such server: ${name}`);
    return process;
  }

  address(pod: string, port: number): Address {
    return { host: this.#pod(pod).address, port };
  }

  listenAddress(pod: string): string {
    return this.#pod(pod).address;
  }

  async kill(node: string): Promise<void> {
    await this.#process(node).kill();
  }

  async start(node: string): Promise<void> {
    if (this.#disposed) throw new InfrastructureError(`${node} was not started: the run is over`);
    this.#process(node).start();
    if (this.#kept) this.#writeNote();
  }

  #writeNote(): void {
    writeNote(
      this.#folder,
      this.project,
      [...this.#processes.values()].flatMap((process) => process.pid ?? []),
    );
  }

  async state(node: string): Promise<ProcessState> {
    return this.#process(node).state();
  }

  async logs(): Promise<ReadonlyMap<string, string>> {
    return new Map([...this.#processes.values()].map((process) => [process.name, process.log()]));
  }

  async images(): Promise<Readonly<Record<string, string>>> {
    return {};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#processes.values()].map((process) => process.kill()));
    rmSync(this.#folder, { recursive: true, force: true });
    await this.#network[Symbol.asyncDispose]();
  }
}
