/** Cuts the contenders' link to a node: a black hole, one direction or both. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Admin } from '../infra/admin.ts';
import type { Direction } from '../infra/links.ts';
import { UsageError } from '../model/errors.ts';
import type { Millis } from '../model/time.ts';
import { type AimedFault, defineFault, type Field, type Proof } from './fault.ts';
import { findNode } from './target.ts';

const CONNECT_LIMIT: Millis = 5_000;
const SILENCE: Millis = 150;

const parameters = z.strictObject({ kind: z.literal('cut'), node: z.string(), direction: z.enum(['upstream', 'downstream', 'both']) });

const aim = async ({ node: selector, direction }: z.infer<typeof parameters>, field: Field): Promise<AimedFault> => {
  const node = await findNode(field, selector);
  const link = field.cluster.links.find(({ from, to }) => from === 'contenders' && to === node.name);
  if (!link) throw new UsageError(`contenders have no link to ${node.name}`);
  const directions: readonly Direction[] = direction === 'both' ? ['upstream', 'downstream'] : [direction];
  const probe = new Admin(`the link ${link.name}`, link.address);
  await probe.answered(CONNECT_LIMIT, field.signal);
  const toxic = (stream: Direction): string => `cut-${stream}`;
  return {
    targets: [link.name],
    nodes: [node.name],
    words: `cut contenders > ${node.name} (${direction})`,
    async inject(): Promise<void> {
      await Promise.all(directions.map((stream) => link.blackHole(toxic(stream), stream)));
    },
    /** Not answered over a connection that stood before, while the node answers us; and the command arrived only if the way there is open. */
    async prove(): Promise<Proof> {
      const marker = `redlock-chaos:probe:${randomBytes(6).toString('hex')}`;
      const answered = await Promise.race([
        probe.call('SET', marker, '1', 'PX', '10000').then(
          () => true,
          () => false,
        ),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), SILENCE)),
      ]);
      const applied = Number(await node.admin.call('DEL', marker)) === 1;
      const shouldArrive = direction === 'downstream';
      const detail = `a probe over ${link.name} was ${answered ? 'answered' : 'not answered'} and its command ${applied ? 'arrived' : 'did not arrive'}; ${node.name} answers its admin link`;
      return { proved: !answered && applied === shouldArrive, detail };
    },
    async heal(): Promise<void> {
      await Promise.all(directions.map((stream) => link.remove(toxic(stream))));
    },
    async proveHealed(): Promise<Proof> {
      await probe.answered(CONNECT_LIMIT);
      await probe[Symbol.asyncDispose]();
      return { proved: true, detail: `a probe over ${link.name} is answered` };
    },
  };
};

export const cut = defineFault({
  kind: 'cut',
  sentence: "Black-hole the contenders' link to a node: upstream the command never arrives, downstream it is applied and the answer lost.",
  parameters,
  apart: () => [],
  aim,
});
