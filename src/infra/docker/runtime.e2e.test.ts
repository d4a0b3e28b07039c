/** The docker runtime on a real engine: one pod, its Toxiproxy and one Redis, and what it leaves behind (nothing). */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type Docker from 'dockerode';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pause } from '../../model/deadline.ts';
import { InfrastructureError } from '../../model/errors.ts';
import { Admin } from '../admin.ts';
import type { NodePlan, PodPlan, ServicePlan } from '../plan.ts';
import { connectEngine, engineAnswers } from './engine.ts';
import { chooseImage } from './images.ts';
import { listKeptProjects, listRuns, removeProject } from './remains.ts';
import { DockerRuntime } from './runtime.ts';

const answers = await engineAnswers();
const REDIS = '${REDIS_IMAGE:-redis:7.4.2-bookworm}';
const TOXIPROXY = '${TOXIPROXY_IMAGE:-ghcr.io/shopify/toxiproxy:2.12.0}';

const service = (name: string, image: string, command: readonly string[]): ServicePlan => ({
  name,
  image,
  command,
  environment: {},
  user: '999:999',
  workingDir: '/tmp',
  capDrop: ['ALL'],
  securityOpt: ['no-new-privileges:true'],
  pidsLimit: 128,
  memLimit: 256 * 2 ** 20,
  labels: {},
});

const POD: PodPlan = {
  name: 'pod',
  aliases: ['pod', 'another-name'],
  hosts: { 'redis-9': '${REDLOCK_CHAOS_ADDRESS:-127.0.0.1}' },
  ports: [8474, 16401],
  links: [],
  owner: { ...service('pod', REDIS, ['sleep', 'infinity']), stopSignal: 'SIGKILL' },
  toxiproxy: { ...service('toxiproxy', TOXIPROXY, ['-host', '0.0.0.0', '-port', '8474']), entrypoint: ['/toxiproxy'] },
};

const NODE: NodePlan = {
  name: 'redis-1',
  role: 'independent',
  pod: 'pod',
  port: 16401,
  service: service('redis-1', REDIS, ['redis-server', '--port', '16401', '--bind', '0.0.0.0', '--protected-mode', 'no', '--save', '']),
};

const openRuntime = async ({ kept = false } = {}): Promise<{ docker: Docker; runtime: DockerRuntime }> => {
  const docker = await connectEngine();
  const project = `redlock-chaos-${randomBytes(3).toString('hex')}`;
  return { docker, runtime: new DockerRuntime({ docker, project, kept, file: '/somewhere/docker-compose.yml', say: () => {} }) };
};

const never = new AbortController().signal;

const start = async (runtime: DockerRuntime): Promise<void> => {
  await runtime.startPods([POD], never);
  await runtime.startNodes([NODE], never);
};

/** Containers and networks of a project. */
const left = async (docker: Docker, project: string): Promise<string[]> => {
  const filters = { label: [`com.docker.compose.project=${project}`] };
  const [containers, networks] = await Promise.all([docker.listContainers({ all: true, filters }), docker.listNetworks({ filters })]);
  return [...containers.flatMap(({ Names }) => Names), ...networks.map(({ Name }) => Name)];
};

const failure = async (work: Promise<unknown>): Promise<InfrastructureError> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof InfrastructureError)) throw new Error(`it did not fail as it should: ${String(error)}`);
  return error;
};

describe.skipIf(!answers)(answers ? 'docker runtime' : 'docker runtime (skipped: no Docker engine answers; bin/check starts one)', () => {
  it('starts a pod and a server, kills it, and brings it back in the same place', async () => {
    const { docker, runtime } = await openRuntime();
    {
      await using _ = runtime;
      await start(runtime);
      const control = runtime.address('pod', 8474);
      expect(await (await fetch(`http://${control.host}:${control.port}/version`)).text()).toContain('version');
      await using admin = new Admin('redis-1', runtime.address('pod', 16401));
      await admin.answered(5_000);
      expect(await runtime.state('redis-1')).toBe('running');

      await runtime.kill('redis-1');
      expect(await runtime.state('redis-1')).toBe('exited');
      expect(await admin.answers()).toBe(false);
      await runtime.kill('redis-1'); // killing the dead is no error
      await runtime.start('redis-1');
      await admin.answered(5_000);
      expect(await runtime.state('redis-1')).toBe('running');

      const logs = await runtime.logs();
      expect(logs.get('redis-1')?.match(/Ready to accept connections/g)).toHaveLength(2);
      expect(logs.get('toxiproxy')).not.toBe('');
      const images = Object.entries(await runtime.images());
      expect(images).toHaveLength(2);
      for (const [, id] of images) expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
    expect(await left(docker, runtime.project)).toEqual([]);
  });

  it('tells a server that is stopped by a signal or a pause, and removes it all the same', async () => {
    const { docker, runtime } = await openRuntime();
    {
      await using _ = runtime;
      await start(runtime);
      const container = docker.getContainer(`${runtime.project}-redis-1-1`);
      await container.kill({ signal: 'SIGSTOP' });
      await vi.waitFor(async () => expect(await runtime.state('redis-1')).toBe('stopped'));
      await container.kill({ signal: 'SIGCONT' });
      await vi.waitFor(async () => expect(await runtime.state('redis-1')).toBe('running'));
      await container.pause();
      expect(await runtime.state('redis-1')).toBe('stopped');
    }
    expect(await left(docker, runtime.project)).toEqual([]);
  });

  it('may be ended twice at once', async () => {
    const { docker, runtime } = await openRuntime();
    await start(runtime);
    await Promise.all([runtime[Symbol.asyncDispose](), runtime[Symbol.asyncDispose]()]);
    expect(await left(docker, runtime.project)).toEqual([]);
  });

  it('kills a paused server', async () => {
    const { docker, runtime } = await openRuntime();
    await using _ = runtime;
    await start(runtime);
    await docker.getContainer(`${runtime.project}-redis-1-1`).pause();
    await runtime.kill('redis-1');
    expect(await runtime.state('redis-1')).toBe('exited');
  });

  it('names a server that somebody removed, and keeps the logs of the others', async () => {
    const { docker, runtime } = await openRuntime();
    await using _ = runtime;
    await start(runtime);
    await docker.getContainer(`${runtime.project}-redis-1-1`).remove({ force: true });
    expect(await runtime.state('redis-1')).toBe('absent');
    expect((await failure(runtime.kill('redis-1'))).message).toMatch(/^Docker, waiting for redis-1 to end: No such container/);
    expect((await failure(runtime.start('redis-1'))).message).toMatch(/^Docker, starting redis-1: No such container/);
    const logs = await runtime.logs();
    expect(logs.get('redis-1')).toMatch(/^\[Docker, reading the log of redis-1: No such container/);
    expect(logs.get('toxiproxy')).toMatch(/Starting|started|level/i);
  });

  it('gives a pod its names, limits, and labels that compose and `down` go by', async () => {
    const { docker, runtime } = await openRuntime({ kept: true });
    await using _ = runtime;
    await start(runtime);
    const pod = await docker.getContainer(`${runtime.project}-pod-1`).inspect();
    expect(pod.NetworkSettings.Networks[runtime.project]?.Aliases).toEqual(expect.arrayContaining(['pod', 'another-name']));
    expect(pod.HostConfig.ExtraHosts).toEqual(['redis-9:127.0.0.1']);
    expect(pod.NetworkSettings.Ports['16401/tcp']?.[0]?.HostIp).toBe('127.0.0.1');
    const redis = await docker.getContainer(`${runtime.project}-redis-1-1`).inspect();
    expect(redis.HostConfig).toMatchObject({
      NetworkMode: `container:${pod.Id}`,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      PidsLimit: 128,
      Memory: 256 * 2 ** 20,
    });
    expect(redis.Config).toMatchObject({ User: '999:999', WorkingDir: '/tmp' });
    expect(redis.Config.Labels).toMatchObject({
      'com.docker.compose.project': runtime.project,
      'com.docker.compose.service': 'redis-1',
      'com.docker.compose.config-hash': expect.any(String),
      'redlock-chaos.run': runtime.project,
      'redlock-chaos.kept': 'true',
    });
    expect(await listKeptProjects(docker)).toContain(runtime.project);
    const found = (await listRuns(docker)).find(({ project }) => project === runtime.project);
    expect(found?.owner).toMatch(new RegExp(`:${process.pid}:\\d+$`));
    await removeProject(docker, runtime.project);
    expect(await listKeptProjects(docker)).not.toContain(runtime.project);
  });

  it('leaves nothing when it ends in the middle of its start, at whichever moment', async () => {
    const projects: string[] = [];
    const docker = await connectEngine();
    for (const after of [0, 20, 40, 60, 80, 120, 200, 350, 600]) {
      const { runtime } = await openRuntime();
      projects.push(runtime.project);
      const starting = start(runtime).catch((cause: unknown) => cause);
      await pause(after);
      await runtime[Symbol.asyncDispose]();
      await starting;
      await expect(runtime.startPods([POD], never)).rejects.toThrow(/the run is over/);
    }
    await pause(500); // a creation that nobody waited for would appear now
    for (const project of projects) expect(await left(docker, project)).toEqual([]);
  });

  it('stops starting when asked to', async () => {
    const { docker, runtime } = await openRuntime();
    const stop = new AbortController();
    const starting = runtime.startPods([POD], stop.signal);
    const reason = new Error('enough');
    setTimeout(() => stop.abort(reason), 100);
    await expect(starting).rejects.toBe(reason);
    await runtime[Symbol.asyncDispose]();
    expect(await left(docker, runtime.project)).toEqual([]);
  });

  it('names a pod that ends at once, with its last words', async () => {
    const { runtime } = await openRuntime();
    await using _ = runtime;
    const owner = { ...POD.owner, command: ['sh', '-c', 'echo first; echo no room here; exit 1'] };
    const { message } = await failure(runtime.startPods([{ ...POD, owner }], never));
    expect(message).toMatch(/^the container of pod ended at once; the last line of its log: no room here$|^Docker, starting toxiproxy/);
  });

  it('says in one line, and soon, that an image cannot be pulled', async () => {
    const docker = await connectEngine();
    const from = performance.now();
    const error = await failure(chooseImage(docker, 'registry.invalid/nobody/nothing:1', () => {}));
    expect(performance.now() - from).toBeLessThan(35_000);
    expect(error.message).toMatch(/^Docker, pulling registry\.invalid\/nobody\/nothing:1: .*registry\.invalid/);
    expect(error.message).not.toContain('\n');
    expect(error.hint).toMatch(/redlock-chaos images build.*--infra local/);
  });

  it('puts nothing in the place of an image that the user has named', async () => {
    const docker = await connectEngine();
    vi.stubEnv('REDIS_IMAGE', 'registry.invalid/redis:7');
    const said: string[] = [];
    const error = await failure(chooseImage(docker, REDIS, (line) => said.push(line)));
    expect(error.message).toMatch(/registry\.invalid\/redis:7/);
    expect(said).toEqual(['Pulling registry.invalid/redis:7 …']);
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
});
