/**
 * How long the servers of `failover × sentinel` take to come up: by us until they are ready, by others until they are merely started.
 * `npx tsx bench/cluster-start.ts [rounds]`; needs Go and npm the first time, and images (`redlock-chaos images build`, or pulled).
 */
import { randomBytes } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import type Docker from 'dockerode';
import { readComposeFile } from '../src/infra/compose/file.ts';
import { planCluster } from '../src/infra/compose/plan-cluster.ts';
import { connectEngine } from '../src/infra/docker/engine.ts';
import { chooseImage } from '../src/infra/docker/images.ts';
import { type Contestant, type Course, LABEL } from './contestant.ts';
import { dockerCompose } from './docker-compose.ts';
import { dockerodeLoop } from './dockerode-loop.ts';
import { oursReady, oursStarted } from './ours.ts';
import { buildCompose, installTestcontainers } from './rivals.ts';
import { testcontainers } from './testcontainers.ts';

const ROUNDS = 7;
const COMPOSE_FILE = new URL('../docker-compose.yml', import.meta.url).pathname;

interface Times {
  readonly start: number[];
  readonly remove: number[];
  /** Containers that ran once it said it was done. */
  containers: number;
}

const say = (line: string): void => console.error(line);

const openCourse = async (): Promise<Course> => {
  const docker = await connectEngine();
  const plan = planCluster(readComposeFile(COMPOSE_FILE), { topologies: ['sentinel'], apart: [] });
  const services = [...plan.pods.flatMap((pod) => [pod.owner, pod.toxiproxy]), ...plan.nodes.map(({ service }) => service)];
  const images = new Map<string, string>();
  for (const image of new Set(services.map((service) => service.image))) images.set(image, (await chooseImage(docker, image, say)).name);
  return { docker, plan, images };
};

const seconds = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const from = performance.now();
  const result = await work();
  return [(performance.now() - from) / 1_000, result];
};

/** A rival that says it is done while a container has ended has not started the cluster. */
const countRunning = async (docker: Docker, project: string): Promise<number> => {
  const found = await Promise.all(
    [`${LABEL}=${project}`, `redlock-chaos.run=${project}`].map((label) =>
      docker.listContainers({ all: true, filters: { label: [label] } }),
    ),
  );
  const ended = found.flat().find(({ State }) => State !== 'running');
  if (ended) throw new Error(`${ended.Names[0]} is ${ended.State}: ${ended.Status}`);
  return found.flat().length;
};

/** What a contestant left that failed in the middle of a start. */
const sweep = async (docker: Docker, project: string): Promise<void> => {
  const filters = { label: [`${LABEL}=${project}`] };
  const containers = await docker.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  const networks = await docker.listNetworks({ filters });
  await Promise.all(networks.map(({ Id }) => docker.getNetwork(Id).remove()));
};

const compete = async (course: Course, contestant: Contestant, times: Times, counts: boolean): Promise<void> => {
  const project = `rlc-bench-${randomBytes(3).toString('hex')}`;
  try {
    const [start, remove] = await seconds(() => contestant.start(course, project));
    times.containers = await countRunning(course.docker, project);
    const [removal] = await seconds(remove);
    if (!counts) return;
    times.start.push(start);
    times.remove.push(removal);
  } catch (cause) {
    throw new Error(`${contestant.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    await sweep(course.docker, project);
  }
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
};

const row = (cells: readonly string[]): string =>
  cells.map((cell, column) => (column < 2 ? cell.padEnd([21, 9][column] ?? 0) : cell.padStart(13))).join('');

const report = (results: readonly (readonly [Contestant, Times])[]): void => {
  const ours = median(results[0]?.[1].start ?? []);
  console.log(row(['', 'until', 'containers', 'median', 'min-max', 'ratio', 'removal']));
  for (const [{ name, until }, { start, remove, containers }] of results) {
    const range = `${Math.min(...start).toFixed(2)}-${Math.max(...start).toFixed(2)} s`;
    const ratio = `${(median(start) / ours).toFixed(2)} ×`;
    console.log(row([name, until, String(containers), `${median(start).toFixed(2)} s`, range, ratio, `${median(remove).toFixed(2)} s`]));
  }
};

const main = async (): Promise<void> => {
  const rounds = Number(process.argv[2] ?? ROUNDS);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`rounds: a whole number from 1, not ${process.argv[2]}`);
  const course = await openCourse();
  const contestants = [oursReady, oursStarted, dockerodeLoop, dockerCompose(buildCompose(say)), testcontainers(installTestcontainers(say))];
  const results = contestants.map((contestant) => [contestant, { start: [], remove: [], containers: 0 } as Times] as const);
  for (let round = 0; round <= rounds; round += 1) {
    say(round === 0 ? 'Warming up' : `Round ${round} of ${rounds}`);
    // In turn, each time from another one on: what else this machine does meets all alike.
    const order = [...results.slice(round % results.length), ...results.slice(0, round % results.length)];
    for (const [contestant, times] of order) await compete(course, contestant, times, round > 0);
  }
  const { ServerVersion } = (await course.docker.info()) as { ServerVersion: string };
  const load = loadavg().map((value) => value.toFixed(1));
  console.log(`Engine ${ServerVersion}, ${cpus().length} cores, load ${load.join(' ')}, ${rounds} rounds\n`);
  report(results);
};

await main();
