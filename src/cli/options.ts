/** Reads command-line values; what cannot be read is a usage error that names the option. */
import { UsageError } from '../model/errors.ts';

/** @throws UsageError unless it is a whole number. */
export const wholeNumber =
  (option: string) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new UsageError(`${option} ${text}: not a whole number`);
    return value;
  };

/** @throws UsageError unless it is one of the choices. */
export const oneOf =
  <T extends string>(option: string, choices: readonly T[]) =>
  (text: string): T => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new UsageError(`${option} ${text}: not known`, { hint: `One of: ${choices.join(', ')}.` });
    return choice;
  };

/** Collects `name=value` given any number of times. @throws UsageError */
export const nameAndValue =
  (option: string) =>
  (text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`${option} ${text}: not name=value`);
    return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
  };

/** Collects names given with spaces, with commas, or by repeating the option. */
export const names = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text.split(',').filter((name) => name !== ''),
];
