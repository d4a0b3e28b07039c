/** What one would write first: every server in a container of its own, all created and started at once. */
import type { ContainerCreateOptions } from 'dockerode';
import type { ServicePlan } from '../src/infra/plan.ts';
import { type Contestant, type Course, fill, imageOf, LABEL } from './contestant.ts';

interface Server {
  readonly service: ServicePlan;
  readonly ports: readonly number[];
  readonly hosts: readonly string[];
}

/** No pods: Toxiproxy publishes the ports of its proxies, each server its own. */
const serversOf = ({ plan }: Course): Server[] => [
  ...plan.pods.map((pod) => ({ service: pod.toxiproxy, ports: [8474, ...pod.links.map(({ port }) => port)], hosts: [] })),
  ...plan.nodes.map((node) => {
    const hosts = Object.entries(plan.pods.find(({ name }) => name === node.pod)?.hosts ?? {});
    return { service: node.service, ports: [node.port], hosts: hosts.map(([name, to]) => `${name}:${fill(to)}`) };
  }),
];

const optionsOf = (course: Course, { service, ports, hosts }: Server, project: string): ContainerCreateOptions => ({
  name: `${project}-${service.name}`,
  Image: imageOf(course, service),
  Cmd: service.command.map(fill),
  ...(service.entrypoint && { Entrypoint: service.entrypoint.map(fill) }),
  Env: Object.entries(service.environment).map(([name, value]) => `${name}=${fill(value)}`),
  User: service.user ?? '',
  WorkingDir: service.workingDir ?? '',
  Labels: { [LABEL]: project },
  ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
  HostConfig: {
    NetworkMode: project,
    ExtraHosts: [...hosts],
    PortBindings: Object.fromEntries(ports.map((port) => [`${port}/tcp`, [{ HostIp: '127.0.0.1', HostPort: '0' }]])),
  },
});

export const dockerodeLoop: Contestant = {
  name: 'dockerode loop',
  until: 'started',
  start: async (course, project) => {
    const network = await course.docker.createNetwork({ Name: project, Labels: { [LABEL]: project } });
    const containers = await Promise.all(
      serversOf(course).map(async (server) => {
        const container = await course.docker.createContainer(optionsOf(course, server, project));
        await container.start();
        return container;
      }),
    );
    return async () => {
      await Promise.all(containers.map((container) => container.remove({ force: true, v: true })));
      await network.remove();
    };
  },
};
