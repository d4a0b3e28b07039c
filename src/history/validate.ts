/** Whether a parsed line is one of ours: each field that a checker relies on has its type. */
import { z } from 'zod';
import type { Body, HistoryEvent } from '../model/event.ts';
import { CHECK_NAMES, OVERLAP_CLASSES } from '../model/expectation.ts';
import { TOPOLOGY_KINDS } from '../model/topology.ts';

type Test = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Test>>;

const text: Test = (value) => typeof value === 'string';
const number: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const object: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const list =
  (each: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(each);
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const oneOf =
  (...words: readonly string[]): Test =>
  (value) =>
    words.includes(value as string);
const fields =
  (tests: Fields): Test =>
  (value) => {
    if (!object(value)) return false;
    for (const name in tests) if (!tests[name]?.((value as Record<string, unknown>)[name])) return false;
    return true;
  };
const values =
  (each: Test): Test =>
  (value) =>
    object(value) && Object.values(value as object).every(each);

const answers = optional(
  list(fields({ node: text, said: oneOf('granted', 'refused', '1', '0', 'timeout', 'error', 'unsent'), at: number })),
);
const operation = { op: count, f: oneOf('acquire', 'extend', 'release', 'read', 'write'), key: text };

const violation = z.object({ check: z.enum(CHECK_NAMES), class: z.enum(OVERLAP_CLASSES).optional() });
const expectation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('violations'),
    required: z.array(violation),
    allowed: z.array(violation),
    anyOf: z.boolean().optional(),
    why: z.string().optional(),
  }),
  z.object({ kind: z.literal('unavailable'), why: z.string().optional() }),
  z.object({ kind: z.literal('any'), why: z.string().optional() }),
]);
const begin = z.object({
  version: z.number(),
  scenario: z.string(),
  lock: z.string(),
  topology: z.enum(TOPOLOGY_KINDS),
  infra: z.string(),
  seed: z.string(),
  keys: z.array(z.string()),
  ttl: z.number().positive().optional(),
  contenders: z.array(z.string()),
  nodes: z.array(z.string()),
  expectation,
  thresholds: z.array(z.string()),
  coverage: z.object({ faultsMeetLiveLock: z.boolean() }),
});

const BODIES: Readonly<Record<Body['type'], Test>> = {
  begin: (value) => begin.safeParse(value).success,
  invoke: fields({ ...operation, token: optional(text), value: optional(text), basis: optional(text) }),
  ok: fields({
    ...operation,
    token: optional(text),
    start: optional(number),
    until: optional(number),
    fencing: optional((value) => typeof value === 'string' && /^\d+$/.test(value)),
    answers,
    value: optional(text),
    replaced: optional(text),
  }),
  fail: fields({ ...operation, reason: text, answers }),
  info: fields({ ...operation, reason: text, answers }),
  enter: fields({ op: count, key: text }),
  exit: fields({ op: count, key: text }),
  gate: fields({ gate: oneOf('acquire', 'exit'), state: oneOf('waiting', 'passed') }),
  gap: fields({ from: number, to: number, cpu: number }),
  started: fields({ pid: count }),
  stopped: fields({ pid: count }),
  error: fields({ message: text }),
  kill: fields({ contender: text, of: count, reason: text }),
  death: fields({ contender: text, of: count }),
  fault: fields({
    step: text,
    phase: oneOf('inject', 'proved', 'unproved', 'heal', 'healed', 'unhealed'),
    fault: text,
    targets: list(text),
    nodes: list(text),
    detail: text,
  }),
  milestone: fields({ step: text, what: oneOf('triggered', 'missed', 'promoted', 'recovered'), node: optional(text), detail: text }),
  observed: fields({
    on: text,
    key: text,
    from: number,
    nodes: values((value) => value === null || fields({ value: text, pttl: number })(value) || fields({ error: text })(value)),
  }),
  clock: fields({ by: number }),
  end: fields({ counts: values(count) }),
};

const stamp = fields({ writer: text, incarnation: count, seq: count, at: number });

export const isHistoryEvent = (value: unknown): value is HistoryEvent => {
  if (!stamp(value)) return false;
  const { type } = value as { type: unknown };
  return typeof type === 'string' && Object.hasOwn(BODIES, type) && BODIES[type as Body['type']](value);
};
