/** Reads docker-compose.yml: the part of the compose specification that both modes can honour, and nothing else. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, UsageError } from '../../model/errors.ts';
import { firstIssue } from '../../model/first-issue.ts';
import { NODE_ROLES } from '../../model/topology.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const words = z.array(scalar);

const service = z.strictObject({
  image: z.string(),
  entrypoint: words.optional(),
  command: words,
  network_mode: z
    .string()
    .regex(/^service:[\w-]+$/, 'only service:<name>')
    .optional(),
  extra_hosts: z.array(z.string()).default([]),
  ports: z.array(z.string().regex(/^127\.0\.0\.1::\d+$/, 'only 127.0.0.1::<port>: a free port on loopback')).default([]),
  environment: z.record(z.string(), scalar).default({}),
  configs: z.array(z.strictObject({ source: z.string(), target: z.string() })).default([]),
  labels: z.looseObject({
    'redlock-chaos.role': z.enum([...NODE_ROLES, 'pod', 'toxiproxy']),
    'redlock-chaos.port': z.coerce.number().int().optional(),
  }),
  user: z.string().optional(),
  working_dir: z.string().optional(),
  stop_signal: z.string().optional(),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  pids_limit: z.number().int().optional(),
  mem_limit: z
    .string()
    .regex(/^\d+[kmg]$/)
    .optional(),
});

const proxies = z.array(z.strictObject({ name: z.string(), listen: z.string(), upstream: z.string(), enabled: z.literal(true) }));

const file = z.looseObject({
  services: z.record(z.string(), service),
  configs: z.record(z.string(), z.strictObject({ content: z.string() })).default({}),
  networks: z.strictObject({ default: z.strictObject({ driver: z.literal('bridge') }) }).optional(),
});

export type ComposeService = z.infer<typeof service>;
export type ComposeProxy = z.infer<typeof proxies>[number];

export interface ComposeFile {
  readonly path: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  /** The content of a Toxiproxy configuration that the file holds inline. */
  proxies(config: string): readonly ComposeProxy[];
}

const KNOWN_TOP_LEVEL = new Set(['services', 'configs', 'networks', 'name']);

/** @throws UsageError naming the first thing in the file that cannot be honoured. */
export const readComposeFile = (path: string): ComposeFile => {
  const refuse = (what: string, cause?: unknown): never => {
    throw new UsageError(`${path}: ${what}`, {
      hint: 'redlock-chaos honours every line of this file or refuses it; remove what it does not know.',
      cause,
    });
  };
  let tree: unknown;
  try {
    tree = parse(readFileSync(path, 'utf8'), { merge: true });
  } catch (cause) {
    return refuse(messageOf(cause).split('\n')[0] ?? '', cause);
  }
  const parsed = file.safeParse(tree);
  if (!parsed.success) return refuse(firstIssue(parsed.error, 'top level'), parsed.error);
  for (const key of Object.keys(parsed.data)) {
    if (!KNOWN_TOP_LEVEL.has(key) && !key.startsWith('x-')) refuse(`${key}: not supported`);
  }
  return {
    path,
    services: parsed.data.services,
    proxies: (config) => {
      const content = parsed.data.configs[config]?.content ?? refuse(`configs.${config}: missing`);
      try {
        return proxies.parse(JSON.parse(content));
      } catch (cause) {
        return refuse(`configs.${config}.content: ${cause instanceof z.ZodError ? firstIssue(cause, 'top level') : 'not JSON'}`, cause);
      }
    },
  };
};
