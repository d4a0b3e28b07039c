/** Reads a lock's options, which arrive as text. */
import { UsageError } from '../model/errors.ts';
import type { LockContext } from '../model/lock.ts';

type Options = LockContext['options'];

/** @throws UsageError naming the option. */
export const numberOption = (options: Options, name: string, fallback: number): number => {
  const text = options[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0 || text.trim() === '') {
    throw new UsageError(`lock option ${name}=${text}: not a number`, { hint: `Give a number, such as ${name}=${fallback}.` });
  }
  return value;
};

/** @throws UsageError naming the option and its values. */
export const choiceOption = <T extends string>(options: Options, name: string, choices: readonly [T, ...T[]]): T => {
  const text = options[name];
  if (text === undefined) return choices[0];
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new UsageError(`lock option ${name}=${text}: not known`, { hint: `One of: ${choices.join(', ')}.` });
  return choice;
};
