/** testcontainers 11 from a scratch folder, given the same pods: first their owners, then everything inside them at once. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ServicePlan } from '../src/infra/plan.ts';
import { type Contestant, type Course, fill, imageOf, LABEL } from './contestant.ts';

interface Started {
  getId(): string;
  stop(options: { timeout: number }): Promise<unknown>;
}

/** The part of the library that is used here; it is no dependency of this package. */
interface Library {
  Network: new () => { start(): Promise<{ getName(): string; stop(): Promise<unknown> }> };
  GenericContainer: new (image: string) => Builder;
}

interface Builder {
  withName(name: string): Builder;
  withCommand(words: string[]): Builder;
  withEntrypoint(words: string[]): Builder;
  withEnvironment(environment: Record<string, string>): Builder;
  withUser(user: string): Builder;
  withWorkingDir(folder: string): Builder;
  withLabels(labels: Record<string, string>): Builder;
  withDroppedCapabilities(...names: string[]): Builder;
  withSecurityOpt(...options: string[]): Builder;
  withNetworkMode(mode: string): Builder;
  withNetworkAliases(...names: string[]): Builder;
  withExtraHosts(hosts: { host: string; ipAddress: string }[]): Builder;
  withExposedPorts(...ports: number[]): Builder;
  withWaitStrategy(strategy: object): Builder;
  start(): Promise<Started>;
}

/** Merely started: its own wait for ports would need a shell in Toxiproxy's image, and nobody listens in a pod's owner. */
const noWait = {
  waitUntilReady: async (): Promise<void> => {},
  withStartupTimeout: (): object => noWait,
  isStartupTimeoutSet: (): boolean => false,
  getStartupTimeout: (): number => 60_000,
};

const builderFor = (library: Library, course: Course, service: ServicePlan, project: string): Builder => {
  const builder = new library.GenericContainer(imageOf(course, service))
    .withName(`${project}-${service.name}`)
    .withCommand(service.command.map(fill))
    .withEnvironment(Object.fromEntries(Object.entries(service.environment).map(([name, value]) => [name, fill(value)])))
    .withUser(service.user ?? '')
    .withWorkingDir(service.workingDir ?? '')
    .withDroppedCapabilities(...service.capDrop)
    .withSecurityOpt(...service.securityOpt)
    .withLabels({ [LABEL]: project })
    .withWaitStrategy(noWait);
  return service.entrypoint ? builder.withEntrypoint(service.entrypoint.map(fill)) : builder;
};

/** @param folder where testcontainers is installed */
export const testcontainers = (folder: string): Contestant => {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'; // in its favour: one container less, and its image is not here
  const library = createRequire(join(folder, 'package.json'))('testcontainers') as Library;
  return {
    name: 'testcontainers 11',
    until: 'started',
    start: async (course, project) => {
      const { pods, nodes } = course.plan;
      const network = await new library.Network().start();
      const owners = new Map(
        await Promise.all(
          pods.map(async (pod): Promise<[string, Started]> => {
            const owner = await builderFor(library, course, pod.owner, project)
              .withNetworkMode(network.getName())
              .withNetworkAliases(...pod.aliases)
              .withExtraHosts(Object.entries(pod.hosts).map(([host, to]) => ({ host, ipAddress: fill(to) })))
              .withExposedPorts(...pod.ports)
              .start();
            return [pod.name, owner];
          }),
        ),
      );
      const inside = [
        ...pods.map((pod) => ({ service: pod.toxiproxy, pod: pod.name })),
        ...nodes.map(({ service, pod }) => ({ service, pod })),
      ];
      const members = await Promise.all(
        inside.map(({ service, pod }) =>
          builderFor(library, course, service, project)
            .withNetworkMode(`container:${owners.get(pod)?.getId()}`)
            .start(),
        ),
      );
      return async () => {
        await Promise.all([...members, ...owners.values()].map((container) => container.stop({ timeout: 0 })));
        await network.stop();
      };
    },
  };
};
