/** Why, in plain words: who held what on which node, which node forgot it or never had it, and when the other got in. */
import type { Grant } from '../history/holds.ts';
import { list, plural, span } from '../model/phrases.ts';
import type { Finding } from '../model/verdict.ts';
import type { Facts } from './facts.ts';

/** Sentences, for the first overlap that counts. */
export const causeOf = (overlap: Finding, facts: Facts): string[] => {
  const [first = '', second = ''] = overlap.contenders;
  const moment = overlap.from ?? 0;
  const earlier = facts.grantOf(first, moment);
  const later = facts.grantOf(second, moment);
  if (!earlier || !later) return ['The history does not tell how they got the lock, so why cannot be told.'];
  const story = [...gotIt(earlier, facts)];
  switch (overlap.class) {
    case 'expired-grant':
      return [...story, ...expiredGrant(earlier, later, facts)];
    case 'overrun':
      return [...story, ...overrun(earlier, later, facts)];
    case 'chained':
      return [...story, ...chained(earlier, later, facts)];
    case 'split-brain':
      return [
        ...story,
        ...(promotedWithoutKey(earlier, later, facts) ??
          cameBackEmpty(earlier, later, facts) ??
          tooFewNodes(earlier, later, facts) ??
          cannotTell(later, facts)),
      ];
    default:
      return [...story, 'Whether the lock or its user was at fault cannot be told from this history.'];
  }
};

const nodesOf = (grant: Grant): string[] => grant.answers.filter(({ said }) => said === 'granted').map(({ node }) => node);

const gotIt = (grant: Grant, facts: Facts): string[] => {
  const nodes = nodesOf(grant);
  const where = nodes.length > 0 ? ` on ${list(nodes)}` : '';
  const until = Number.isFinite(grant.leaseEnd) ? `, with its lease to run to ${facts.at(grant.leaseEnd)}` : '';
  return [`${grant.contender} got ${grant.key}${where} at ${facts.at(grant.okAt)}${until}.`];
};

/** A replica without the key was made the primary. */
const promotedWithoutKey = (earlier: Grant, later: Grant, facts: Facts): string[] | undefined => {
  const promoted = facts.milestones.find(({ what, at }) => what === 'promoted' && at >= earlier.okAt - 1e9);
  const node = promoted?.node;
  if (!promoted || node === undefined || !nodesOf(later).includes(node)) return undefined;
  const seen = facts.observed.find((line) => line.at >= earlier.okAt && line.from <= later.okAt && line.nodes[node] === null);
  const cut = facts.fault('cut-replication', 'inject', node);
  const kill = facts.fault('kill', 'inject', nodesOf(earlier)[0]);
  const never = cut
    ? `Its write never reached ${node}: replication was cut at ${facts.at(cut.at)}.`
    : seen
      ? `${node} did not have the key at ${facts.at(seen.at)}.`
      : undefined;
  if (!never) return undefined;
  const killed = kill ? `${list(kill.targets)} was killed at ${facts.at(kill.at)}; ` : '';
  return [
    never,
    `${killed}${node} was promoted at ${facts.at(promoted.at)} without the key; ${later.contender} got the lock there at ${facts.at(later.okAt)}.`,
  ];
};

/** A node that had the earlier key came back without it. */
const cameBackEmpty = (earlier: Grant, later: Grant, facts: Facts): string[] | undefined => {
  const both = nodesOf(earlier).filter((node) => nodesOf(later).includes(node));
  for (const node of both) {
    const killed = facts.fault('kill', 'inject', node);
    const back = facts.fault('kill', 'healed', node);
    if (!killed || !back || back.at > later.okAt || back.at < earlier.okAt) continue;
    return [
      `${node} was killed at ${facts.at(killed.at)} and came back empty by ${facts.at(back.at)}: it had forgotten ${earlier.contender}.`,
      `${later.contender} got the lock on ${list(nodesOf(later))} at ${facts.at(later.okAt)}.`,
    ];
  }
  return undefined;
};

/** Two majorities of the same nodes must share one; these do not. */
const tooFewNodes = (earlier: Grant, later: Grant, facts: Facts): string[] | undefined => {
  const mine = nodesOf(earlier);
  const theirs = nodesOf(later);
  if (mine.length === 0 || theirs.length === 0 || mine.some((node) => theirs.includes(node))) return undefined;
  return [
    `${later.contender} got it on ${list(theirs)} at ${facts.at(later.okAt)}: no node is in both, so at least one of them was no majority.`,
  ];
};

const cannotTell = (later: Grant, facts: Facts): string[] => {
  const nodes = nodesOf(later);
  return [
    `${later.contender} got the lock${nodes.length > 0 ? ` on ${list(nodes)}` : ''} at ${facts.at(later.okAt)}. Nothing in this history says why it was free.`,
  ];
};

const expiredGrant = (earlier: Grant, later: Grant, facts: Facts): string[] => {
  const bad = earlier.firstLeaseEnd <= earlier.okAt ? earlier : later;
  return [
    `Getting the lock took ${bad.contender} ${span(bad.start, bad.okAt)}, and its lease had ended at ${facts.at(bad.firstLeaseEnd)}: the lock handed out a lease with no time left.`,
    `${later.contender} got the lock at ${facts.at(later.okAt)}.`,
  ];
};

const overrun = (earlier: Grant, later: Grant, facts: Facts): string[] => {
  const gap = facts.gaps.find(({ writer, to }) => writer === earlier.contender && to >= earlier.okAt);
  const idle = gap && gap.cpu < (gap.to - gap.from) / 2;
  const why = !gap
    ? `${earlier.contender} stayed inside past its lease.`
    : idle
      ? `${earlier.contender} was stopped from ${facts.at(gap.from)} to ${facts.at(gap.to)}, and its lease ended meanwhile.`
      : `${earlier.contender}'s event loop did not run for ${span(gap.from, gap.to)}, and its lease ended meanwhile.`;
  return [why, `${later.contender} got the lock at ${facts.at(later.okAt)}, as it may: no lease was running.`];
};

const chained = (earlier: Grant, later: Grant, facts: Facts): string[] => {
  const robbed = [earlier, later].find(({ thefts }) => thefts.length > 0);
  const theft = robbed?.thefts[0];
  if (!robbed || !theft) return cannotTell(later, facts);
  return [
    `${theft.by.split('#')[0] ?? theft.by} released or extended ${robbed.key} on ${theft.node}, where it was ${robbed.contender}'s.`,
    `${later.contender} got the lock at ${facts.at(later.okAt)}. Neither holder was past its lease.`,
  ];
};

/** Why a pass is earned: what the faults met, and what stood in the way of a second holder. */
export const whyItHolds = (facts: Facts, contended: number): string[] => {
  const kills = facts.faults.filter(({ fault, phase }) => fault === 'kill' && phase === 'inject');
  const [first] = kills;
  const holder =
    first &&
    facts.grants.find(
      (grant) => grant.okAt <= first.at && grant.leaseEnd > first.at && (grant.releasedAt === undefined || grant.releasedAt > first.at),
    );
  if (!first || !holder)
    return [
      `${plural(facts.grants.length, 'grant')}, and nobody else got in during ${plural(contended, 'attempt')} made while another was inside.`,
    ];
  const killed = kills.flatMap(({ targets }) => targets);
  const nodes = nodesOf(holder);
  const left = nodes.filter((node) => !killed.includes(node));
  const over = Math.min(holder.releasedAt ?? holder.leaseEnd, holder.leaseEnd);
  const refused = facts.refusals.filter((at) => at > first.at && at < over).length;
  return [
    `${holder.contender} held ${holder.key} on ${list(nodes)} when ${list(killed)} ${killed.length === 1 ? 'was' : 'were'} killed.`,
    `${list(left)} still had its key, and ${plural(refused, 'attempt')} by others ${refused === 1 ? 'was' : 'were'} refused before it left at ${facts.at(over)}.`,
  ];
};
