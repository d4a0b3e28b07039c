/** Finds the node that a scenario speaks of: by name, `primary`, or `a vote` (one that granted the holder, and still runs). */
import type { Node } from '../infra/cluster.ts';
import { InfrastructureError, UsageError } from '../model/errors.ts';
import type { Field } from './fault.ts';

/** @throws UsageError for a name that the topology does not have, InfrastructureError where there is no primary now. */
export const findNode = async ({ cluster, votes }: Field, selector: string): Promise<Node> => {
  if (selector === 'a vote') {
    for (const name of votes) if ((await cluster.runtime.state(name)) === 'running') return cluster.node(name);
    throw new InfrastructureError('no running node is known to have granted the holder its lock');
  }
  if (selector === 'primary') {
    const name = await cluster.primary();
    if (name === undefined) throw new InfrastructureError('no node is the primary now, as a majority of sentinels and ROLE have it');
    return cluster.node(name);
  }
  const node = cluster.nodes.get(selector);
  if (!node || node.role === 'ledger') {
    const names = [...cluster.nodes.values()].filter(({ role }) => role !== 'ledger').map(({ name }) => name);
    throw new UsageError(`a fault names the node ${selector}, which this topology does not have`, { hint: `It has: ${names.join(', ')}.` });
  }
  return node;
};
