/** From what the checks say to the run's verdict, and from the expectation to its exit code. */
import type { Damage } from '../history/damage.ts';
import { EXIT } from '../model/errors.ts';
import type { CheckName, Expectation, Violation } from '../model/expectation.ts';
import type { CheckResult, Finding, Verdict } from '../model/verdict.ts';
import { expectationInWords, violationInWords } from './expectation-in-words.ts';

const SAFETY: readonly CheckName[] = ['mutual-exclusion', 'ledger', 'fencing', 'grant', 'continuity', 'release'];
/** What comes with an overlap: the loss it led to, or the wrong step that caused it. */
const CONSEQUENCES: readonly CheckName[] = ['ledger', 'fencing'];
const CAUSES: readonly CheckName[] = ['grant', 'release', 'continuity'];

export interface Evidence {
  readonly checks: readonly CheckResult[];
  readonly damage: readonly Damage[];
  /** Faults that were not proved or not healed, and moments that never came, in words. */
  readonly unproved: readonly string[];
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly expected: string;
  readonly asExpected: boolean;
  readonly exitCode: number;
  /** What was violated, in words. */
  readonly violations: readonly string[];
  /** What keeps the run from counting. */
  readonly doubts: readonly string[];
}

const covers = (expected: Violation, finding: Finding): boolean =>
  expected.check === finding.check && (expected.class === undefined || expected.class === finding.class);

export const judge = ({ checks, damage, unproved }: Evidence, expectation: Expectation): Judgement => {
  const violations = checks
    .filter(({ name, verdict }) => SAFETY.includes(name) && verdict === 'fail')
    .flatMap(({ findings }) => findings.filter(({ counts }) => counts));
  const unknown = [
    ...damage.map(({ kind, line, text }) => (line > 0 ? `line ${line}: ${text} (${kind})` : `${text} (${kind})`)),
    ...reasons(checks, 'unknown'),
  ];
  const inconclusive = [...unproved, ...reasons(checks, 'inconclusive')];
  const unavailable = checks.some(({ name, verdict }) => name === 'liveness' && verdict === 'fail');

  const unexpected = violations.filter((finding) => !isExpected(finding, violations, expectation));
  const sound = unknown.length === 0 && inconclusive.length === 0;
  // An expected violation counts only where every proof and coverage succeeded; an unexpected one stands whatever else is wrong.
  const violated = unexpected.length > 0 || (violations.length > 0 && sound);
  const verdict: Verdict = violated
    ? 'violated'
    : unknown.length > 0
      ? 'unknown'
      : inconclusive.length > 0
        ? 'inconclusive'
        : unavailable
          ? 'unavailable'
          : 'holds';
  const met = verdict === 'violated' ? unexpected.length === 0 && requiredMet(violations, expectation) : verdictMet(verdict, expectation);
  return {
    verdict,
    expected: expectationInWords(expectation),
    asExpected: met,
    exitCode: met ? EXIT.asExpected : exitCodeOf(verdict, unexpected.length > 0),
    violations: [...new Set(violations.map(violationInWords))],
    doubts: [...unknown, ...inconclusive],
  };
};

const reasons = (checks: readonly CheckResult[], verdict: CheckResult['verdict']): string[] =>
  checks
    .filter((check) => check.verdict === verdict)
    .flatMap(({ name, findings }) =>
      findings.length === 0
        ? [`the check ${name} is ${verdict}`]
        : findings.map(({ text, why }) => (why ? `${text} It does not count: ${why}.` : text)),
    );

/** A violation is expected if it is named, or belongs to an overlap that is. */
const isExpected = (finding: Finding, all: readonly Finding[], expectation: Expectation): boolean => {
  if (expectation.kind === 'any') return true;
  if (expectation.kind !== 'violations') return false;
  const named = [...expectation.required, ...expectation.allowed];
  if (named.some((expected) => covers(expected, finding))) return true;
  const overlaps = all.filter(({ check }) => check === 'mutual-exclusion');
  const allOverlapsExpected = overlaps.length > 0 && overlaps.every((overlap) => named.some((expected) => covers(expected, overlap)));
  if (CONSEQUENCES.includes(finding.check)) return allOverlapsExpected && finding.ofOverlap === true;
  return (
    CAUSES.includes(finding.check) &&
    allOverlapsExpected &&
    overlaps.some((overlap) => finding.contenders.some((name) => overlap.contenders.includes(name)))
  );
};

const requiredMet = (violations: readonly Finding[], expectation: Expectation): boolean => {
  if (expectation.kind !== 'violations') return expectation.kind === 'any';
  if (expectation.anyOf) return violations.length > 0;
  return expectation.required.every((required) => violations.some((finding) => covers(required, finding)));
};

const verdictMet = (verdict: Verdict, expectation: Expectation): boolean => {
  switch (expectation.kind) {
    case 'any':
      return verdict === 'holds' || verdict === 'unavailable';
    case 'unavailable':
      return verdict === 'unavailable';
    case 'violations':
      return verdict === 'holds' && expectation.required.length === 0 && !expectation.anyOf;
  }
};

/** Only reached where the run did not come out as expected. */
const exitCodeOf = (verdict: Verdict, unexpected: boolean): number => {
  if (verdict === 'violated') return unexpected ? EXIT.violated : EXIT.inconclusive; // violated, but a required violation is missing
  return verdict === 'unavailable' ? EXIT.unavailable : EXIT.inconclusive;
};
