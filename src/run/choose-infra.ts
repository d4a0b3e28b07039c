/** Decides where servers run, and opens that runtime: Docker where an engine answers, else this machine's own processes. */
import { randomBytes } from 'node:crypto';
import { connectEngine, engineAnswers } from '../infra/docker/engine.ts';
import { DockerRuntime } from '../infra/docker/runtime.ts';
import { LocalRuntime } from '../infra/local/runtime.ts';
import { checkLocalMode } from '../infra/programs.ts';
import type { Runtime } from '../infra/runtime.ts';

export const INFRA_CHOICES = ['auto', 'docker', 'local'] as const;
export type InfraChoice = (typeof INFRA_CHOICES)[number];

/** Everything of a run carries this name. */
export const newProject = (): string => `redlock-chaos-${randomBytes(3).toString('hex')}`;

/** `auto` becomes one or the other, and says so in one line. @throws UsageError or InfrastructureError where it cannot be. */
export const chooseInfra = async (choice: InfraChoice, say: (line: string) => void): Promise<Runtime['mode']> => {
  if (choice === 'docker') {
    await connectEngine();
    return 'docker';
  }
  if (choice === 'local') {
    await checkLocalMode();
    return 'local';
  }
  if (await engineAnswers()) return 'docker';
  await checkLocalMode();
  say('No Docker engine answers: servers run as local processes (--infra local).');
  return 'local';
};

export interface OpenOptions {
  readonly project: string;
  /** The servers may outlive this process. */
  readonly kept: boolean;
  /** The compose file. */
  readonly file: string;
  readonly say: (line: string) => void;
}

export const openRuntime = async (mode: Runtime['mode'], { project, kept, file, say }: OpenOptions): Promise<Runtime> => {
  if (mode === 'local') return LocalRuntime.open(project, { kept });
  return new DockerRuntime({ docker: await connectEngine(), project, kept, file, say });
};
