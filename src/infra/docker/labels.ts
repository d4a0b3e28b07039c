/** The labels that everything of a run carries: compose's own, so that `docker compose -p` works on it, and ours. */
import { execFileSync } from 'node:child_process';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { procStat } from '../proc-stat.ts';

export const RUN_LABEL = 'redlock-chaos.run';
export const KEPT_LABEL = 'redlock-chaos.kept';
export const OWNER_LABEL = 'redlock-chaos.owner';

/** When this process started: ticks since boot where there is /proc, else as `ps` puts it. */
const startOfThisProcess = (): string =>
  procStat(process.pid)?.startedAt ?? execFileSync('ps', ['-o', 'lstart=', '-p', String(process.pid)], { encoding: 'utf8' }).trim();

/** Host, process id and its start: an owner that a later process cannot be taken for. */
export const thisOwner = (): string => `${hostname()}:${process.pid}:${startOfThisProcess()}`;

export interface LabelOptions {
  readonly project: string;
  readonly kept: boolean;
  readonly owner: string;
  /** The compose file. */
  readonly file: string;
}

const ours = ({ project, kept, owner }: LabelOptions): Record<string, string> => ({
  [RUN_LABEL]: project,
  [OWNER_LABEL]: owner,
  ...(kept && { [KEPT_LABEL]: 'true' }),
});

export const networkLabels = (options: LabelOptions): Record<string, string> => ({
  ...ours(options),
  'com.docker.compose.project': options.project,
  'com.docker.compose.network': 'default',
});

/** `docker compose ps`, `logs` and `down` look only at containers with a config-hash; its value matters to `up` alone. */
export const containerLabels = (options: LabelOptions, service: string): Record<string, string> => ({
  ...ours(options),
  'com.docker.compose.project': options.project,
  'com.docker.compose.service': service,
  'com.docker.compose.container-number': '1',
  'com.docker.compose.oneoff': 'False',
  'com.docker.compose.config-hash': 'redlock-chaos',
  'com.docker.compose.project.config_files': options.file,
  'com.docker.compose.project.working_dir': dirname(options.file),
});
