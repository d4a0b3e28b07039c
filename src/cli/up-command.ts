/** `redlock-chaos up`: the whole cluster, left running, with how to reach every node. */
import type { Command } from 'commander';
import { Cluster } from '../infra/cluster.ts';
import { readComposeFile } from '../infra/compose/file.ts';
import { planCluster } from '../infra/compose/plan-cluster.ts';
import { clockFrom, newOrigin } from '../model/time.ts';
import type { Address } from '../model/topology.ts';
import { Progress } from '../report/progress.ts';
import { chooseInfra, INFRA_CHOICES, type InfraChoice, newProject, openRuntime } from '../run/choose-infra.ts';
import { listenForInterrupt } from './interrupt.ts';
import { oneOf } from './options.ts';
import { composePath } from './package-root.ts';

const at = ({ host, port }: Address): string => `${host}:${port}`;

const describe = (cluster: Cluster): string => {
  const rows = [...cluster.addresses].map(([name, address]): string[] => {
    const link = cluster.links.find((candidate) => candidate.from === 'contenders' && candidate.to === name);
    return [name, cluster.node(name).role, at(address), link ? at(link.address) : '-'];
  });
  const table = [['NODE', 'ROLE', 'DIRECT', 'THROUGH TOXIPROXY'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const up = async (flags: { infra: InfraChoice; composeFile?: string }): Promise<void> => {
  const compose = readComposeFile(flags.composeFile ?? composePath());
  const progress = new Progress(clockFrom(newOrigin()));
  const say = (line: string): void => progress.say(line);
  using interrupt = listenForInterrupt(say);
  try {
    const mode = await chooseInfra(flags.infra, say);
    const project = newProject();
    progress.phase('servers starting');
    const runtime = await openRuntime(mode, { project, kept: true, file: compose.path, say });
    try {
      await using cluster = await Cluster.start({
        runtime,
        plan: planCluster(compose, { topologies: ['independent', 'sentinel'], apart: [] }),
        signal: interrupt.signal,
      });
      progress.stop();
      process.stdout.write(`${describe(cluster)}\n\n${runtime.hint}\nRemove it with: redlock-chaos down ${project}\n`);
    } catch (error) {
      await runtime[Symbol.asyncDispose]();
      throw error;
    }
  } finally {
    progress.stop();
  }
};

export const addUpCommand = (program: Command): void => {
  program
    .command('up')
    .description('Start all servers and leave them running')
    .option('--infra <where>', 'docker, local or auto', oneOf('--infra', INFRA_CHOICES), 'auto')
    .option('--compose-file <file>', 'another description of the servers')
    .action(up);
};
