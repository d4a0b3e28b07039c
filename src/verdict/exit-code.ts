/** The exit code of a command from those of its runs. */
import { EXIT } from '../model/errors.ts';

/** The first of these that any run has is the command's. */
const ORDER: readonly number[] = [EXIT.sigint, EXIT.sigterm, EXIT.violated, EXIT.infrastructure, EXIT.inconclusive, EXIT.unavailable];

export const combineExitCodes = (codes: readonly number[]): number => ORDER.find((code) => codes.includes(code)) ?? EXIT.asExpected;
