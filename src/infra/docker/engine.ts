/** Finds the Docker engine that the `docker` command would use, and connects to it within five seconds or says why not. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { z } from 'zod';
import { within } from '../../model/deadline.ts';
import { InfrastructureError, messageOf } from '../../model/errors.ts';
import type { Millis } from '../../model/time.ts';

const LIMIT: Millis = 5_000;
const QUICK: Millis = 2_000;
const DEFAULT_ENDPOINT = 'unix:///var/run/docker.sock';

const cliConfig = z.object({ currentContext: z.string().optional() });
const contextMeta = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string() }) }) });

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/** @throws InfrastructureError. DOCKER_HOST, else the current context, else the default socket: the order of the `docker` command. */
const findEndpoint = (): string => {
  if (process.env['DOCKER_HOST']) return process.env['DOCKER_HOST'];
  const folder = process.env['DOCKER_CONFIG'] || join(homedir(), '.docker');
  const context = process.env['DOCKER_CONTEXT'] || cliConfig.safeParse(readJson(join(folder, 'config.json'))).data?.currentContext;
  if (!context || context === 'default') return DEFAULT_ENDPOINT;
  const digest = createHash('sha256').update(context).digest('hex');
  const meta = contextMeta.safeParse(readJson(join(folder, 'contexts', 'meta', digest, 'meta.json')));
  if (!meta.success) {
    throw new InfrastructureError(`the Docker context ${context} has no endpoint in ${folder}`, {
      hint: 'Choose another with `docker context use`, set DOCKER_HOST, or use --infra local.',
    });
  }
  return meta.data.Endpoints.docker.Host;
};

const clientFor = (endpoint: string): Docker => {
  if (endpoint.startsWith('unix://')) return new Docker({ socketPath: endpoint.slice('unix://'.length) });
  if (process.env['DOCKER_HOST']) return new Docker(); // tcp and ssh: docker-modem reads DOCKER_HOST, DOCKER_TLS_VERIFY and DOCKER_CERT_PATH
  const { protocol, hostname, port } = new URL(endpoint);
  return new Docker({ protocol: protocol === 'ssh:' ? 'ssh' : 'http', host: hostname, ...(port && { port: Number(port) }) });
};

/** dockerode takes the signal, its types do not know. */
const ping = (docker: Docker, abortSignal: AbortSignal): Promise<unknown> =>
  (docker.ping as (options: { abortSignal: AbortSignal }) => Promise<unknown>).call(docker, { abortSignal });

const adviceFor = (cause: unknown): string => {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'EACCES') return 'Add yourself to the group docker, or use --infra local.';
  return 'Start Docker, set DOCKER_HOST, or use --infra local.';
};

/** @throws InfrastructureError naming the endpoint that was tried, and what to set. */
export const connectEngine = async (limit: Millis = LIMIT): Promise<Docker> => {
  const endpoint = findEndpoint();
  const over = new AbortController();
  try {
    const docker = clientFor(endpoint);
    await within(limit, 'the engine', ping(docker, over.signal));
    return docker;
  } catch (cause) {
    over.abort(); // an engine that takes the connection and says nothing must not keep this process alive
    const reason = (cause as NodeJS.ErrnoException).code ?? messageOf(cause);
    throw new InfrastructureError(`no Docker engine answers at ${endpoint} (${reason})`, { hint: adviceFor(cause), cause });
  }
};

export const engineAnswers = (): Promise<boolean> =>
  connectEngine(QUICK).then(
    () => true,
    () => false,
  );
