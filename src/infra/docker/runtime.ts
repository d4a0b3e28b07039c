/** Docker mode: a pod is a container that does nothing and owns the namespace; Toxiproxy and the servers join it. */
import type Docker from 'dockerode';
import type { Container, ContainerCreateOptions } from 'dockerode';
import { within } from '../../model/deadline.ts';
import { InfrastructureError } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';
import type { Address } from '../../model/topology.ts';
import type { NodePlan, PodPlan, ServicePlan } from '../plan.ts';
import type { ProcessState, Runtime } from '../runtime.ts';
import { call, callUnlessGone } from './call.ts';
import { memberOptions, podOptions } from './container-options.ts';
import { type ChosenImage, chooseImage } from './images.ts';
import { type LabelOptions, networkLabels, thisOwner } from './labels.ts';
import { decodeLogs } from './logs.ts';
import { processState } from './process-state.ts';
import { removeProject } from './remains.ts';

const LOOPBACK = '127.0.0.1';

/** How long the end of a run waits for what the engine is still making. */
const UNDER_WAY_LIMIT: Millis = 10_000;

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
  readonly #images = new Map<string, Promise<ChosenImage>>();
  /** Creations that the engine has not answered yet, also those we no longer wait for: what they make must be removed too. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Gives up what is still under way when the run has been removed. */
  readonly #over = new AbortController();
  #disposed = false;

  constructor({ docker, project, kept, file, say }: DockerRuntimeOptions) {
    this.project = project;
    this.hint = `docker compose -p ${project} ps`;
    this.#docker = docker;
    this.#labels = { project, kept, file, owner: thisOwner() };
    this.#say = say;
  }

  async startPods(pods: readonly PodPlan[], signal: AbortSignal): Promise<void> {
    // All images first: a message about a missing one must not come in the middle of a start.
    for (const service of pods.flatMap((pod) => [pod.owner, pod.toxiproxy])) await this.#image(service);
    await this.#creating('making the network', signal, (abortSignal) =>
      this.#docker.createNetwork({ Name: this.project, Labels: networkLabels(this.#labels), CheckDuplicate: true, abortSignal }),
    );
    await Promise.all(pods.map((pod) => this.#startPod(pod, signal)));
  }

  /** Toxiproxy's container is made while the pod's starts: it needs only its id. */
  async #startPod(pod: PodPlan, signal: AbortSignal): Promise<void> {
    const container = await this.#make(pod.owner.name, podOptions(pod, await this.#image(pod.owner), this.#labels), signal);
    const [ports, toxiproxy] = await Promise.all([
      this.#launch(pod.owner.name, container, signal).then(() => this.#publishedPorts(pod.name, container)),
      this.#makeMember(pod.toxiproxy, container, signal),
    ]);
    this.#pods.set(pod.name, { container, ports });
    await this.#launch(pod.toxiproxy.name, toxiproxy, signal);
  }

  async #publishedPorts(name: string, container: Container): Promise<Pod['ports']> {
    const { NetworkSettings, State } = await call(`looking at ${name}`, (abortSignal) => container.inspect({ abortSignal }));
    if (!State.Running) throw new InfrastructureError(await this.#lastWords(name, container));
    return new Map(
      Object.entries(NetworkSettings.Ports).map(([port, bindings]) => [Number.parseInt(port, 10), Number(bindings?.[0]?.HostPort)]),
    );
  }

  async startNodes(nodes: readonly NodePlan[], signal: AbortSignal): Promise<void> {
    await Promise.all(
      nodes.map(async ({ service, pod }) => {
        const container = await this.#makeMember(service, this.#pod(pod).container, signal);
        await this.#launch(service.name, container, signal);
      }),
    );
  }

  async #makeMember(service: ServicePlan, pod: Container, signal: AbortSignal): Promise<Container> {
    const options = memberOptions(service, pod.id, await this.#image(service), this.#labels);
    const container = await this.#make(service.name, options, signal);
    this.#members.set(service.name, container);
    return container;
  }

  #make(name: string, options: ContainerCreateOptions, signal: AbortSignal): Promise<Container> {
    return this.#creating(`making the container ${name}`, signal, (abortSignal) =>
      this.#docker.createContainer({ ...options, abortSignal }),
    );
  }

  async #launch(name: string, container: Container, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#refuseIfOver(`starting ${name}`);
    await call(`starting ${name}`, (abortSignal) => container.start({ abortSignal }));
  }

  async #creating<T>(what: string, signal: AbortSignal, create: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    this.#refuseIfOver(what);
    const work = create(this.#over.signal);
    this.#underWay.add(work);
    const settled = (): void => void this.#underWay.delete(work);
    work.then(settled, settled);
    return await call(what, () => work);
  }

  #refuseIfOver(what: string): void {
    if (this.#disposed) throw new InfrastructureError(`${what}: the run is over`);
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
    await callUnlessGone(`killing ${node}`, (abortSignal) => container.kill({ signal: 'SIGKILL', abortSignal }));
    await call(`waiting for ${node} to end`, (abortSignal) => container.wait({ abortSignal }));
  }

  async start(node: string): Promise<void> {
    this.#refuseIfOver(`starting ${node}`);
    await call(`starting ${node}`, (abortSignal) => this.#member(node).start({ abortSignal }));
  }

  async state(node: string): Promise<ProcessState> {
    const container = this.#members.get(node);
    return container ? await processState(container, node) : 'absent';
  }

  /** A log that cannot be had does not keep the others from being kept: it says so in its place. */
  async logs(): Promise<ReadonlyMap<string, string>> {
    const read = async ([name, container]: [string, Container]): Promise<[string, string]> => {
      const log = await this.#log(name, container).catch((error: InfrastructureError) => `[${error.message}]\n`);
      return [name, log];
    };
    return new Map(await Promise.all([...this.#members].map(read)));
  }

  async #log(name: string, container: Container): Promise<string> {
    const options = { stdout: true, stderr: true, follow: false } as const;
    return decodeLogs(await call(`reading the log of ${name}`, (abortSignal) => container.logs({ ...options, abortSignal })));
  }

  async #lastWords(name: string, container: Container): Promise<string> {
    const log = await this.#log(name, container);
    return `the container of ${name} ended at once; the last line of its log: ${log.trimEnd().split('\n').at(-1) || 'none'}`;
  }

  async images(): Promise<Readonly<Record<string, string>>> {
    const images = await Promise.all(this.#images.values());
    return Object.fromEntries(images.map(({ name, id }) => [name, id]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await within(UNDER_WAY_LIMIT, 'what is being made', Promise.allSettled(this.#underWay)).catch(() => {});
    this.#over.abort();
    await removeProject(this.#docker, this.project);
  }
}
