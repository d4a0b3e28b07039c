/** Finds the node that a scenario speaks of: by name, or by what it is at that moment. */
import type { Node } from '../infra/cluster.ts';
import { InfrastructureError, UsageError } from '../model/errors.ts';
import type { Field } from './fault.ts';

/** @throws UsageError for a name that the topology does not have, InfrastructureError where there is no primary now. */
export const findNode = async ({ cluster }: Field, selector: string): Promise<Node> => {
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
