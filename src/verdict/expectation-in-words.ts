/** An expectation as people write it: `holds`, `violated:mutual-exclusion:split-brain`, `unavailable`, `any`. */
import type { Expectation, Violation } from '../model/expectation.ts';

export const violationInWords = ({ check, class: name }: Violation): string => (name === undefined ? check : `${check}:${name}`);

export const expectationInWords = (expectation: Expectation): string => {
  if (expectation.kind !== 'violations') return expectation.kind;
  const { required, allowed } = expectation;
  if (expectation.anyOf) return 'violated';
  if (required.length > 0) return `violated:${required.map(violationInWords).join('+')}`;
  return allowed.length > 0 ? `holds, or violated:${allowed.map(violationInWords).join(' or ')}` : 'holds';
};
