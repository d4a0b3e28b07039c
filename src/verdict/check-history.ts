/** Judges a history from its lines alone: the same for a run that has just ended and for a file from last year. */
import { createCheckers } from '../checkers/catalogue.ts';
import type { Checker } from '../checkers/checker.ts';
import type { Damage } from '../history/damage.ts';
import { Holds } from '../history/holds.ts';
import { HistoryReader, type HistorySource } from '../history/read-history.ts';
import { messageOf } from '../model/errors.ts';
import type { EventOf } from '../model/event.ts';
import type { Expectation } from '../model/expectation.ts';
import type { CheckResult } from '../model/verdict.ts';
import { causeOf, whyItHolds } from './cause.ts';
import { Facts } from './facts.ts';
import { type Judgement, judge } from './judge.ts';

export interface Judged extends Judgement {
  /** Absent where the file does not begin as a history does. */
  readonly begin?: EventOf<'begin'>;
  readonly checks: readonly CheckResult[];
  /** Why, in plain words, a sentence an entry. */
  readonly outcome: readonly string[];
  readonly damage: readonly Damage[];
  /** Lines in the file. */
  readonly events: number;
}

const HOLDS: Expectation = { kind: 'violations', required: [], allowed: [] };

/** `expectation` overrides the one that the history holds. Reads line by line; memory follows what is open, not the length. */
export const checkHistory = async (source: HistorySource, expectation?: Expectation): Promise<Judged> => {
  const reader = new HistoryReader(source);
  const facts = new Facts();
  const unproved: string[] = [];
  let begin: EventOf<'begin'> | undefined;
  let checkers: Guarded[] = [];
  let holds = new Holds(undefined);
  for await (const { event, line } of reader.lines()) {
    if (event.type === 'begin' && !begin) {
      begin = event;
      holds = new Holds(begin.ttl);
      checkers = createCheckers(begin).map((checker) => new Guarded(checker));
    }
    const change = holds.observe(event, line);
    for (const checker of checkers) checker.observe({ event, line, change, holds });
    facts.see(event, change.granted);
    unproved.push(...doubtsIn(event));
  }
  const checks = checkers.map((checker) => checker.conclude());
  const judgement = judge({ checks, damage: reader.damage, unproved }, expectation ?? begin?.expectation ?? HOLDS);
  return {
    ...(begin && { begin }),
    ...judgement,
    checks,
    outcome: outcomeOf(checks, facts, judgement),
    damage: reader.damage,
    events: reader.count,
  };
};

/** A checker that throws says nothing, and the run with it is `unknown`. */
class Guarded {
  readonly #checker: Checker;
  #failure: string | undefined;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  observe(...seen: Parameters<Checker['observe']>): void {
    if (this.#failure === undefined) this.#try(() => this.#checker.observe(...seen));
  }

  conclude(): CheckResult {
    const result = this.#failure === undefined ? this.#try(() => this.#checker.conclude()) : undefined;
    return (
      result ?? {
        name: this.#checker.name,
        verdict: 'unknown',
        measured: { what: 'the check itself failed', value: this.#failure ?? '' },
        values: {},
        findings: [],
      }
    );
  }

  #try<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#failure = messageOf(error);
      return undefined;
    }
  }
}

const doubtsIn = (event: Parameters<Facts['see']>[0]): string[] => {
  if (event.type === 'fault' && event.phase === 'unproved') return [`The fault of step "${event.step}" was not proved: ${event.detail}.`];
  if (event.type === 'fault' && event.phase === 'unhealed') return [`The fault of step "${event.step}" was not healed: ${event.detail}.`];
  if (event.type === 'milestone' && event.what === 'missed' && event.step !== 'recovery') return [`Step "${event.step}": ${event.detail}.`];
  return [];
};

const outcomeOf = (checks: readonly CheckResult[], facts: Facts, { verdict, violations }: Judgement): string[] => {
  const overlap = checks.find(({ name }) => name === 'mutual-exclusion')?.findings.find(({ counts }) => counts);
  if (overlap) return causeOf(overlap, facts);
  if (violations.length > 0 || verdict === 'unavailable')
    return checks
      .flatMap(({ findings }) => findings.filter(({ counts }) => counts))
      .slice(0, 3)
      .map(({ text }) => text);
  if (verdict !== 'holds') return ['No second holder was seen, but this run does not count; see the doubts.'];
  const contended = Number(checks.find(({ name }) => name === 'coverage')?.values['contended'] ?? 0);
  return whyItHolds(facts, contended);
};
