/** Black-holes what the primary sends to its replicas, while every connection stays open and ACKs go on. */
import { z } from 'zod';
import type { Node } from '../infra/cluster.ts';
import { pause, until } from '../model/deadline.ts';
import { UsageError } from '../model/errors.ts';
import type { Millis } from '../model/time.ts';
import { type AimedFault, defineFault, type Field, type Proof } from './fault.ts';
import { findNode } from './target.ts';

const IN_SYNC_LIMIT: Millis = 5_000;
/** A marker that is on its way arrives within a few milliseconds; one that has not come by then was dropped. */
const WATCH: Millis = 100;

const parameters = z.strictObject({ kind: z.literal('cut-replication') });

const TOXIC = 'cut-replication';

/** How much of the replication stream a node has: sent, for a primary; applied, for a replica. */
const offset = async (node: Node): Promise<number> => {
  const info = String(await node.admin.call('INFO', 'replication'));
  const name = info.includes('role:master') ? 'master_repl_offset' : 'slave_repl_offset';
  return Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1]);
};

/** PUBLISH is replicated and leaves no key behind. */
const sendMarker = (primary: Node): Promise<unknown> => primary.admin.call('PUBLISH', 'redlock-chaos', 'marker');

const aim = async (_: z.infer<typeof parameters>, field: Field): Promise<AimedFault> => {
  const { cluster, signal } = field;
  const primary = await findNode(field, 'primary');
  const replicas = cluster.withRole('primary', 'replica').filter(({ name }) => name !== primary.name);
  const links = cluster.links.filter(({ from, to }) => to === primary.name && from !== 'contenders' && from !== 'sentinels');
  if (links.length === 0) throw new UsageError(`there is no replication link to ${primary.name}`);
  const allAt = async (least: number): Promise<true | undefined> => {
    const offsets = await Promise.all(replicas.map(offset));
    return offsets.every((applied) => applied >= least) || undefined;
  };
  return {
    targets: links.map(({ name }) => name),
    nodes: [primary.name, ...replicas.map(({ name }) => name)],
    words: `cut ${primary.name} > ${replicas.map(({ name }) => name).join(', ')}`,
    async inject(): Promise<void> {
      // What was released before the cut must be released on the replicas too, or the cut would keep a dead key alive there.
      await sendMarker(primary);
      const sent = await offset(primary);
      await until(IN_SYNC_LIMIT, 'replicas in sync before the cut', () => allAt(sent), signal);
      await Promise.all(links.map((link) => link.blackHole(TOXIC, 'downstream')));
    },
    /** A marker moves the primary's offset and not the replicas'. Never `lag` or `state`: ACKs go on and they look healthy. */
    async prove(): Promise<Proof> {
      const before = await Promise.all(replicas.map(offset));
      await sendMarker(primary);
      const sent = await offset(primary);
      await pause(WATCH, signal);
      const after = await Promise.all(replicas.map(offset));
      const still = after.every((now, index) => now === before[index] && now < sent);
      const detail = `a marker moved ${primary.name} to offset ${sent}; ${replicas.map(({ name }, index) => `${name} at ${after[index]}`).join(', ')}`;
      return { proved: still, detail };
    },
    async heal(): Promise<void> {
      await Promise.all(links.map((link) => link.remove(TOXIC)));
    },
    async proveHealed(): Promise<Proof> {
      const left = (await Promise.all(links.map((link) => link.toxics()))).flat();
      return {
        proved: left.length === 0,
        detail: left.length === 0 ? 'Toxiproxy lists no toxic on it' : `toxics left: ${left.join(', ')}`,
      };
    },
  };
};

export const cutReplication = defineFault({
  kind: 'cut-replication',
  sentence: 'Black-hole the bytes from the primary to its replicas; ACKs, sentinels and clients go on.',
  parameters,
  apart: () => [],
  aim,
});
