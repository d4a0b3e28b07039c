/** Clusters of local mode that were left running on purpose: listed and ended from the note each keeps in its folder. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { until } from '../../model/deadline.ts';
import { procStat } from '../proc-stat.ts';

const NOTE = 'cluster.json';
const GONE_LIMIT = 5_000;

const note = z.strictObject({ project: z.string(), processes: z.array(z.strictObject({ pid: z.number(), startedAt: z.string() })) });

export interface KeptCluster {
  readonly project: string;
  readonly folder: string;
  readonly processes: readonly { readonly pid: number; readonly startedAt: string }[];
}

export const writeNote = (folder: string, project: string, pids: readonly number[]): void => {
  const processes = pids.map((pid) => ({ pid, startedAt: procStat(pid)?.startedAt ?? '' }));
  writeFileSync(join(folder, NOTE), `${JSON.stringify({ project, processes }, null, 2)}\n`);
};

/** Folders without a note, or with one that is not ours, are not touched. */
export const listKept = (): KeptCluster[] =>
  readdirSync(tmpdir()).flatMap((name) => {
    if (!name.startsWith('redlock-chaos-')) return [];
    const folder = join(tmpdir(), name);
    try {
      return [{ folder, ...note.parse(JSON.parse(readFileSync(join(folder, NOTE), 'utf8'))) }];
    } catch {
      return [];
    }
  });

const alive = ({ pid, startedAt }: KeptCluster['processes'][number]): boolean => startedAt !== '' && procStat(pid)?.startedAt === startedAt;

/** Ends the cluster's processes and removes its folder. @throws InfrastructureError where one does not end. */
export const removeKept = async ({ folder, project, processes }: KeptCluster): Promise<void> => {
  for (const process_ of processes) if (alive(process_)) process.kill(process_.pid, 'SIGKILL');
  await until(GONE_LIMIT, `the processes of ${project} ending`, async () => (processes.some(alive) ? undefined : true));
  rmSync(folder, { recursive: true, force: true });
};
