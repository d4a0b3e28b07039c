/** Docker mode: a pod is a container that does nothing and owns the namespace; Toxiproxy and the servers join it. */
import type Docker from 'dockerode';
import type { Container, ContainerCreateOptions } from 'dockerode';
import { InfrastructureError } from '../../model/errors.ts';
import type { Address } from '../../model/topology.ts';
import type { NodePlan, PodPlan, ServicePlan } from '../plan.ts';
import type { ProcessState, Runtime } from '../runtime.ts';
import { call, callUnlessGone } from './call.ts';
import { memberOptions, podOptions } from './container-options.ts';
import { chooseImage } from './images.ts';
import { type LabelOptions, networkLabels } from './labels.ts';
import { decodeLogs } from './logs.ts';
import { removeProject } from './remains.ts';

const LOOPBACK = '127.0.0.1';

export interface DockerRuntimeOptions {
  readonly docker: Docker;
  readonly project: string;
  readonly kept: boolean;
  /** The compose file, for compose's own labels. */
  readonly file: string;
  readonly say: (line: string) => void;
}

interface Pod {
  readonly container: Container;
  /** Published ports, by the port inside. */
  readonly ports: ReadonlyMap<number, number>;
}

export class DockerRuntime implements Runtime {
  readonly mode = 'docker';
  readonly project: string;
  readonly hint: string;
  readonly #docker: Docker;
  readonly #labels: LabelOptions;
  readonly #say: (line: string) => void;
  readonly #pods = new Map<string, Pod>();
  readonly #members = new Map<string, Container>();
  readonly #images = new Map<string, Promise<{ name: string; id: string }>>();
  /** Creations that the engine has not answered yet: what they make must be removed too. */
  readonly #underWay = new Set<Promise<unknown>>();
  #disposed = false;

  constructor({ docker, project, kept, file, say }: DockerRuntimeOptions) {
    this.project = project;
    this.hint = `docker compose -p ${project} ps`;
    this.#docker = docker;
    this.#labels = { project, kept, file };
    this.#say = say;
  }

  async startPods(pods: readonly PodPlan[]): Promise<void> {
    // All images first: a message about a missing one must not come in the middle of a start.
    for (const service of pods.flatMap((pod) => [pod.owner, pod.toxiproxy])) await this.#image(service);
    await this.#creating('making the network', () =>
      this.#docker.createNetwork({ Name: this.project, Labels: networkLabels(this.#labels), CheckDuplicate: true }),
    );
    await Promise.all(pods.map((pod) => this.#startPod(pod)));
  }

  async #startPod(pod: PodPlan): Promise<void> {
    const container = await this.#run(pod.owner.name, podOptions(pod, await this.#image(pod.owner), this.#labels));
    const { NetworkSettings } = await call(`looking at ${pod.name}`, container.inspect());
    const ports = Object.entries(NetworkSettings.Ports).map(([port, bindings]): [number, number] => [
      Number.parseInt(port, 10),
      Number(bindings?.[0]?.HostPort),
    ]);
    this.#pods.set(pod.name, { container, ports: new Map(ports) });
    await this.#join(pod.toxiproxy, pod.name);
  }

  async startNodes(nodes: readonly NodePlan[]): Promise<void> {
    await Promise.all(nodes.map((node) => this.#join(node.service, node.pod)));
  }

  async #join(service: ServicePlan, pod: string): Promise<void> {
    const image = await this.#image(service);
    this.#members.set(
      service.name,
      await this.#run(service.name, memberOptions(service, this.#pod(pod).container.id, image, this.#labels)),
    );
  }

  async #run(name: string, options: ContainerCreateOptions): Promise<Container> {
    const container = await this.#creating(`making the container ${name}`, () => this.#docker.createContainer(options));
    if (this.#disposed) throw new InfrastructureError(`${name} was not started: the run is over`);
    await call(`starting ${name}`, container.start());
    return container;
  }

  async #creating<T>(what: string, create: () => Promise<T>): Promise<T> {
    if (this.#disposed) throw new InfrastructureError(`${what}: the run is over`);
    const work = create();
    this.#underWay.add(work);
    try {
      return await call(what, work);
    } finally {
      this.#underWay.delete(work);
    }
  }

  async #image(service: ServicePlan): Promise<string> {
    const known = this.#images.get(service.image) ?? chooseImage(this.#docker, service.image, this.#say);
    this.#images.set(service.image, known);
    return (await known).name;
  }

  #pod(name: string): Pod {
    const pod = this.#pods.get(name);
    if (!pod) throw new InfrastructureError(`no such pod: ${name}`);
    return pod;
  }

  #member(name: string): Container {
    const container = this.#members.get(name);
    if (!container) throw new InfrastructureError(`no such server: ${name}`);
    return container;
  }

  address(pod: string, port: number): Address {
    // What is not published can be reached inside the pod only; nobody on the host has business there.
    return { host: LOOPBACK, port: this.#pod(pod).ports.get(port) ?? 0 };
  }

  listenAddress(): string {
    return '0.0.0.0';
  }

  async kill(node: string): Promise<void> {
    const container = this.#member(node);
    const gone = call(`waiting for ${node} to end`, container.wait());
    await callUnlessGone(`killing ${node}`, container.kill({ signal: 'SIGKILL' }));
    await gone;
  }

  async start(node: string): Promise<void> {
    if (this.#disposed) throw new InfrastructureError(`${node} was not started: the run is over`);
    await call(`starting ${node}`, this.#member(node).start());
  }

  async state(node: string): Promise<ProcessState> {
    const { State } = await call(`looking at ${node}`, this.#member(node).inspect());
    if (State.Paused) return 'stopped';
    return State.Running ? 'running' : 'exited';
  }

  async logs(): Promise<ReadonlyMap<string, string>> {
    const read = async ([name, container]: [string, Container]): Promise<[string, string]> => {
      const stream = await call(`reading the log of ${name}`, container.logs({ stdout: true, stderr: true, follow: false }));
      return [name, decodeLogs(stream)];
    };
    return new Map(await Promise.all([...this.#members].map(read)));
  }

  async images(): Promise<Readonly<Record<string, string>>> {
    const images = await Promise.all(this.#images.values());
    return Object.fromEntries(images.map(({ name, id }) => [name, id]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await Promise.allSettled(this.#underWay);
    await removeProject(this.#docker, this.project);
  }
}
