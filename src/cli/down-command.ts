/** `redlock-chaos down`: removes what `up` or `--keep` left running. */
import type { Command } from 'commander';
import { connectEngine, engineAnswers } from '../infra/docker/engine.ts';
import { listKeptProjects, removeProject } from '../infra/docker/remains.ts';
import { listKept, removeKept } from '../infra/local/remains.ts';
import { UsageError } from '../model/errors.ts';

interface Kept {
  readonly project: string;
  readonly remove: () => Promise<void>;
}

const everythingKept = async (): Promise<Kept[]> => {
  const local = listKept().map((cluster): Kept => ({ project: cluster.project, remove: () => removeKept(cluster) }));
  if (!(await engineAnswers())) return local;
  const docker = await connectEngine();
  const projects = await listKeptProjects(docker);
  return [...local, ...projects.map((project): Kept => ({ project, remove: () => removeProject(docker, project) }))];
};

const down = async (project: string | undefined): Promise<void> => {
  const kept = await everythingKept();
  const chosen = project === undefined ? kept : kept.filter((candidate) => candidate.project === project);
  if (project !== undefined && chosen.length === 0) {
    throw new UsageError(`nothing of the name ${project} is running`, {
      hint: kept.length === 0 ? 'Nothing is left running at all.' : `Left running: ${kept.map((one) => one.project).join(', ')}.`,
    });
  }
  for (const one of chosen) {
    await one.remove();
    process.stdout.write(`Removed ${one.project}.\n`);
  }
  if (chosen.length === 0) process.stdout.write('Nothing is left running.\n');
};

export const addDownCommand = (program: Command): void => {
  program.command('down').description('Remove what `up` or `run --keep` left running').argument('[project]', 'only this one').action(down);
};
