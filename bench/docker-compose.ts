/** Docker Compose v2, given the same pods and servers as a file of its own: `up -d` and `down`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServicePlan } from '../src/infra/plan.ts';
import { type Contestant, type Course, imageOf, LABEL } from './contestant.ts';

const execute = promisify(execFile);

/** Strings stay templates: they are compose's own. */
const serviceOf = (course: Course, service: ServicePlan, project: string): object => ({
  image: imageOf(course, service),
  command: service.command,
  ...(service.entrypoint && { entrypoint: service.entrypoint }),
  environment: service.environment,
  user: service.user,
  working_dir: service.workingDir,
  ...(service.stopSignal && { stop_signal: service.stopSignal }),
  cap_drop: service.capDrop,
  security_opt: service.securityOpt,
  pids_limit: service.pidsLimit,
  mem_limit: service.memLimit,
  labels: { [LABEL]: project },
});

const fileFor = (course: Course, project: string): string => {
  const { pods, nodes } = course.plan;
  const owners = pods.map((pod) => [
    pod.owner.name,
    {
      ...serviceOf(course, pod.owner, project),
      ports: pod.ports.map((port) => `127.0.0.1::${port}`),
      extra_hosts: Object.entries(pod.hosts).map(([name, to]) => `${name}:${to}`),
      networks: { default: { aliases: pod.aliases } },
    },
  ]);
  const inside = [
    ...pods.map((pod) => ({ service: pod.toxiproxy, owner: pod.owner.name })),
    ...nodes.map((node) => ({ service: node.service, owner: pods.find(({ name }) => name === node.pod)?.owner.name })),
  ];
  const members = inside.map(({ service, owner }) => [
    service.name,
    { ...serviceOf(course, service, project), network_mode: `service:${owner}` },
  ]);
  const networks = { default: { labels: { [LABEL]: project } } };
  return JSON.stringify({ services: Object.fromEntries([...owners, ...members]), networks }); // JSON is YAML
};

/** @param program the path of docker-compose */
export const dockerCompose = (program: string): Contestant => ({
  name: 'docker-compose 2.40',
  until: 'started',
  start: async (course, project) => {
    const folder = mkdtempSync(join(tmpdir(), 'rlc-bench-'));
    const file = join(folder, 'compose.yml');
    writeFileSync(file, fileFor(course, project));
    await execute(program, ['-f', file, '-p', project, 'up', '-d']);
    return async () => {
      await execute(program, ['-f', file, '-p', project, 'down', '-v', '-t', '0']);
      rmSync(folder, { recursive: true });
    };
  },
});
