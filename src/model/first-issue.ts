/** The first thing that a schema found wrong, as `services.redis-1.restart: Unrecognized key`. */
import type { z } from 'zod';

/** `whole`: what the input itself is called, where the issue is not about a part of it. */
export const firstIssue = (error: z.ZodError, whole: string): string => {
  const [issue] = error.issues;
  return issue === undefined ? 'not valid' : `${issue.path.join('.') || whole}: ${issue.message}`;
};
