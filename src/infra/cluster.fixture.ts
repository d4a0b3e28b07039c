/** A ready cluster for end-to-end tests, in either mode, removed whatever happens. */
import { randomBytes } from 'node:crypto';
import { Cluster } from './cluster.ts';
import { readComposeFile } from './compose/file.ts';
import { type ClusterWish, planCluster } from './compose/plan-cluster.ts';
import { connectEngine, engineAnswers } from './docker/engine.ts';
import { DockerRuntime } from './docker/runtime.ts';
import { LocalRuntime } from './local/runtime.ts';
import type { Runtime } from './runtime.ts';

const COMPOSE = new URL('../../docker-compose.yml', import.meta.url).pathname;

/** Both modes; docker only where an engine answers, which bin/check sees to. */
export const MODES: readonly Runtime['mode'][] = (await engineAnswers()) ? ['local', 'docker'] : ['local'];

export const openTestRuntime = async (mode: Runtime['mode']): Promise<Runtime> => {
  const project = `redlock-chaos-${randomBytes(3).toString('hex')}`;
  if (mode === 'local') return LocalRuntime.open(project, { kept: false });
  return new DockerRuntime({ docker: await connectEngine(), project, kept: false, file: COMPOSE, say: () => {} });
};

export const withCluster = async (mode: Runtime['mode'], wish: ClusterWish, use: (cluster: Cluster) => Promise<void>): Promise<void> => {
  await using runtime = await openTestRuntime(mode);
  await using cluster = await Cluster.start({
    runtime,
    plan: planCluster(readComposeFile(COMPOSE), wish),
    signal: AbortSignal.timeout(60_000),
  });
  await use(cluster);
};
