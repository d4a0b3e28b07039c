/** The faults that scenarios can name. */
import { UsageError } from '../model/errors.ts';
import type { FaultSpec } from '../model/scenario.ts';
import { cut } from './cut.ts';
import { cutReplication } from './cut-replication.ts';
import type { CheckedFault, Fault } from './fault.ts';
import { kill } from './kill.ts';

const FAULTS: readonly Fault[] = [cut, cutReplication, kill];

/** @throws UsageError naming the unknown fault or the wrong parameter. */
export const checkFault = (spec: FaultSpec): CheckedFault => {
  const fault = FAULTS.find(({ kind }) => kind === spec.kind);
  if (!fault) throw new UsageError(`unknown fault: ${spec.kind}`, { hint: `Known: ${FAULTS.map(({ kind }) => kind).join(', ')}.` });
  return fault.check(spec);
};
