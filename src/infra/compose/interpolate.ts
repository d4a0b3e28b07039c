/** Fills in `${NAME}` and `${NAME:-default}` as Docker Compose does; `$$` is a plain dollar sign. */
import { UsageError } from '../../model/errors.ts';

const VARIABLE = /\$(?:\$|\{([A-Za-z_]\w*)(?::-([^}]*))?\}|.?)/gs;

/** @throws UsageError for any other form of substitution, which compose would treat differently. */
export const interpolate = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replace(VARIABLE, (form, name: string | undefined, fallback: string | undefined) => {
    if (form === '$$') return '$';
    if (name === undefined) {
      throw new UsageError(`cannot read "${form}" in "${text}" of the compose file`, { hint: 'Write ${NAME}, ${NAME:-default} or $$.' });
    }
    return env[name] || (fallback ?? '');
  });

/** The environment of the user, without the variable by which local mode places a pod. */
export const userEnvironment = (): Readonly<Record<string, string | undefined>> => {
  const { REDLOCK_CHAOS_ADDRESS: _, ...rest } = process.env;
  return rest;
};
