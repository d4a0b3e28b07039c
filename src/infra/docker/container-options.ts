/** From a service of the plan to what the engine's API wants. */
import type { ContainerCreateOptions } from 'dockerode';
import { interpolate, userEnvironment } from '../compose/interpolate.ts';
import type { PodPlan, ServicePlan } from '../plan.ts';
import { containerLabels, type LabelOptions } from './labels.ts';

const fill = (text: string): string => interpolate(text, userEnvironment());

/** What every container of ours has in common. `image` is the one chosen for the service's own. */
const common = (service: ServicePlan, image: string, labels: LabelOptions): ContainerCreateOptions => ({
  name: `${labels.project}-${service.name}-1`,
  Image: image,
  Cmd: service.command.map(fill),
  ...(service.entrypoint && { Entrypoint: service.entrypoint.map(fill) }),
  Env: Object.entries(service.environment).map(([name, value]) => `${name}=${fill(value)}`),
  ...(service.user && { User: service.user }),
  ...(service.workingDir && { WorkingDir: service.workingDir }),
  ...(service.stopSignal && { StopSignal: service.stopSignal }),
  Labels: { ...service.labels, ...containerLabels(labels, service.name) },
});

const limits = (service: ServicePlan): ContainerCreateOptions['HostConfig'] => ({
  CapDrop: [...service.capDrop],
  SecurityOpt: [...service.securityOpt],
  ...(service.pidsLimit && { PidsLimit: service.pidsLimit }),
  ...(service.memLimit && { Memory: service.memLimit }),
});

/** The container that owns a pod's namespace, names and published ports. */
export const podOptions = (pod: PodPlan, image: string, labels: LabelOptions): ContainerCreateOptions => {
  const ports = pod.ports.map((port) => `${port}/tcp`);
  return {
    ...common(pod.owner, image, labels),
    ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
    HostConfig: {
      ...limits(pod.owner),
      NetworkMode: labels.project,
      ExtraHosts: Object.entries(pod.hosts).map(([name, to]) => `${name}:${fill(to)}`),
      // A free port, on loopback: works the same on Docker Desktop, and nobody else can reach it.
      PortBindings: Object.fromEntries(ports.map((port) => [port, [{ HostIp: '127.0.0.1', HostPort: '0' }]])),
    },
    NetworkingConfig: { EndpointsConfig: { [labels.project]: { Aliases: [...pod.aliases] } } },
  };
};

/** A container inside a pod's namespace. */
export const memberOptions = (service: ServicePlan, podContainer: string, image: string, labels: LabelOptions): ContainerCreateOptions => ({
  ...common(service, image, labels),
  HostConfig: { ...limits(service), NetworkMode: `container:${podContainer}` },
});
