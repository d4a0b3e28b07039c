/** Kills a node (SIGKILL), and starts it again, empty, when healed. */
import { z } from 'zod';
import type { Millis } from '../model/time.ts';
import { type AimedFault, defineFault, type Field, type Proof } from './fault.ts';
import { findNode } from './target.ts';

const SILENCE: Millis = 100;
const RESTART_LIMIT: Millis = 10_000;

const parameters = z.strictObject({ kind: z.literal('kill'), node: z.string() });

const runId = async (info: Promise<unknown>): Promise<string> => /run_id:(\S+)/.exec(String(await info))?.[1] ?? '';

const aim = async ({ node: selector }: z.infer<typeof parameters>, field: Field): Promise<AimedFault> => {
  const node = await findNode(field, selector);
  const { runtime } = field.cluster;
  const before = await runId(node.admin.call('INFO', 'server'));
  return {
    targets: [node.name],
    nodes: [node.name],
    words: `kill ${node.name}`,
    inject: () => runtime.kill(node.name),
    async prove(): Promise<Proof> {
      const [state, answers] = [await runtime.state(node.name), await node.admin.answers(SILENCE)];
      return {
        proved: state === 'exited' && !answers,
        detail: `${node.name}: process ${state}, ${answers ? 'still answers' : 'silent on its admin link'}`,
      };
    },
    async heal(): Promise<void> {
      await runtime.start(node.name);
      await node.admin.answered(RESTART_LIMIT);
    },
    async proveHealed(): Promise<Proof> {
      const [after, keys] = [await runId(node.admin.call('INFO', 'server')), Number(await node.admin.call('DBSIZE'))];
      return { proved: after !== before, detail: `${node.name}: ${after === before ? 'the same run_id' : 'a new run_id'}, ${keys} keys` };
    },
  };
};

export const kill = defineFault({
  kind: 'kill',
  sentence: 'SIGKILL a node; it starts again, empty, when healed.',
  parameters,
  apart: () => [],
  aim,
});
