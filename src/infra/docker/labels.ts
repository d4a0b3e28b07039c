/** The labels that everything of a run carries: compose's own, so that `docker compose -p` works on it, and ours. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

export const RUN_LABEL = 'redlock-chaos.run';
export const KEPT_LABEL = 'redlock-chaos.kept';

/** Host, process id and its start (ticks since boot, where /proc tells): an owner that a later process cannot be taken for. */
const owner = (): string => {
  let started = '';
  try {
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
    started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    // no /proc on this system
  }
  return `${hostname()}:${process.pid}:${started}`;
};

export interface LabelOptions {
  readonly project: string;
  readonly kept: boolean;
  readonly file: string;
}

const ours = ({ project, kept }: LabelOptions): Record<string, string> => ({
  [RUN_LABEL]: project,
  'redlock-chaos.owner': owner(),
  ...(kept && { [KEPT_LABEL]: 'true' }),
});

export const networkLabels = (options: LabelOptions): Record<string, string> => ({
  ...ours(options),
  'com.docker.compose.project': options.project,
  'com.docker.compose.network': 'default',
});

export const containerLabels = (options: LabelOptions, service: string): Record<string, string> => ({
  ...ours(options),
  'com.docker.compose.project': options.project,
  'com.docker.compose.service': service,
  'com.docker.compose.container-number': '1',
  'com.docker.compose.oneoff': 'False',
  'com.docker.compose.project.config_files': options.file,
  'com.docker.compose.project.working_dir': dirname(options.file),
});
