/** What sentinels say, asked over their admin links. */
import type { Admin } from './admin.ts';

/** Sentinel's flat lists of names and values as objects. */
const rows = (reply: unknown): Readonly<Record<string, string>>[] =>
  (reply as string[][]).map((flat) =>
    Object.fromEntries(flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []))),
  );

/** The primary's name as one sentinel tells it (hostnames are announced). */
export const primaryAsToldBy = async (sentinel: Admin, group: string): Promise<string | undefined> => {
  const reply = (await sentinel.call('SENTINEL', 'get-master-addr-by-name', group)) as [string, string] | null;
  return reply?.[0];
};

/**
 * Whether a sentinel really sees everyone: both replicas in sync, both peers alive, nobody suspected.
 * Counts (num-slaves, CKQUORUM) are satisfied by configuration alone, with nobody there.
 */
export const seesEveryone = async (sentinel: Admin, group: string, replicas: number, peers: number): Promise<boolean> => {
  const [primary, seenReplicas, seenPeers] = await Promise.all([
    sentinel.call('SENTINEL', 'master', group),
    sentinel.call('SENTINEL', 'replicas', group),
    sentinel.call('SENTINEL', 'sentinels', group),
  ]);
  const healthyReplicas = rows(seenReplicas).filter((row) => row['flags'] === 'slave' && row['master-link-status'] === 'ok');
  const healthyPeers = rows(seenPeers).filter((row) => row['flags'] === 'sentinel');
  return rows([primary])[0]?.['flags'] === 'master' && healthyReplicas.length === replicas && healthyPeers.length === peers;
};

/** Redis' fixed periods, and what they are shortened to until the cluster is ready (milliseconds; Redis 7 and later). */
const HURRIED = ['PING-PERIOD', '100', 'INFO-PERIOD', '100', 'PUBLISH-PERIOD', '200'] as const;
const DEFAULT = ['PING-PERIOD', '1000', 'INFO-PERIOD', '10000', 'PUBLISH-PERIOD', '2000'] as const;

/** @returns false where this Redis does not know SENTINEL DEBUG; getting ready takes longer then. */
export const hurry = (sentinel: Admin): Promise<boolean> =>
  sentinel.call('SENTINEL', 'DEBUG', ...HURRIED).then(
    () => true,
    () => false,
  );

/** Back to Redis' own periods, and the down-after that the workload is to meet. */
export const calm = async (sentinel: Admin, group: string, downAfter: number, hurried: boolean): Promise<void> => {
  if (hurried) await sentinel.call('SENTINEL', 'DEBUG', ...DEFAULT);
  await sentinel.call('SENTINEL', 'SET', group, 'down-after-milliseconds', downAfter);
};
