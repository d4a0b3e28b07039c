/** Reads `--expect`. */
import { UsageError } from '../model/errors.ts';
import { CHECK_NAMES, type Expectation, OVERLAP_CLASSES } from '../model/expectation.ts';

const FORMS = 'holds, violated, violated:<check>, violated:mutual-exclusion:<class>, unavailable or any';

const SAFETY = ['mutual-exclusion', 'ledger', 'fencing', 'grant', 'continuity', 'release'] as const;

/** @throws UsageError naming what is not known. */
export const parseExpect = (text: string): Expectation => {
  const refuse = (what: string): never => {
    throw new UsageError(`--expect ${text}: ${what}`, { hint: `Write ${FORMS}.` });
  };
  const [word, checkName, className, ...rest] = text.split(':');
  if (rest.length > 0) refuse('too many parts');
  if (word === 'holds' && checkName === undefined) return { kind: 'violations', required: [], allowed: [] };
  if ((word === 'unavailable' || word === 'any') && checkName === undefined) return { kind: word };
  if (word !== 'violated') return refuse('not known');
  if (checkName === undefined) return { kind: 'violations', required: [], allowed: SAFETY.map((check) => ({ check })), anyOf: true };
  const check =
    CHECK_NAMES.find((name) => name === checkName) ?? refuse(`no check is called "${checkName}"; there are ${CHECK_NAMES.join(', ')}`);
  if (className === undefined) return { kind: 'violations', required: [{ check }], allowed: [] };
  const overlap =
    OVERLAP_CLASSES.find((name) => name === className) ??
    refuse(`no class is called "${className}"; there are ${OVERLAP_CLASSES.join(', ')}`);
  return { kind: 'violations', required: [{ check, class: overlap }], allowed: [] };
};
