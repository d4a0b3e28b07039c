/** The contender's process. Started by the conductor; ends when told to, or when the conductor is gone. */
import { HistoryWriter } from '../history/writer.ts';
import { Ledger } from '../infra/ledger.ts';
import { LOCKS } from '../locks/catalogue.ts';
import { messageOf } from '../model/errors.ts';
import { randomFrom } from '../model/random.ts';
import { clockFrom } from '../model/time.ts';
import { Gates } from './gates.ts';
import { Loop } from './loop.ts';
import type { Assignment, FromContender, ToContender } from './protocol.ts';
import { Recorder } from './recorder.ts';

const tell = (message: FromContender): void => {
  if (process.connected) process.send?.(message);
};

const stop = new AbortController();
let start = (): void => {};
const started = new Promise<void>((resolve) => {
  start = resolve;
});

const live = async (assignment: Assignment): Promise<void> => {
  const { name, incarnation, resource, workload, servers } = assignment;
  const clock = clockFrom(assignment.origin);
  const definition = LOCKS.find((lock) => lock.name === assignment.lock);
  const key = definition?.keys(resource)[0];
  if (!definition || key === undefined) throw new Error(`no such lock: ${assignment.lock}`);
  const writer = new HistoryWriter({ file: assignment.history, writer: name, incarnation, clock });
  using lines = new Recorder(writer, clock, () => tell({ type: 'wrote' }));
  recorder = lines;
  gates = new Gates((gate, state) => lines.record({ type: 'gate', gate, state }));
  await using ledger = new Ledger(assignment.ledger);
  await ledger.connected();
  await using lock = await definition.connect({ servers, ttl: workload.ttl, clock, options: assignment.lockOptions });
  lines.record({ type: 'started', pid: process.pid });
  tell({ type: 'ready' });
  await started;
  const random = randomFrom(assignment.seed, name, incarnation);
  await new Loop({
    who: `${name}#${incarnation}`,
    key,
    resource,
    lock,
    ledger,
    workload,
    random,
    gates,
    recorder: lines,
    stop: stop.signal,
  }).run();
  lines.record({ type: 'stopped', pid: process.pid });
  tell({ type: 'done', count: lines.count });
};

let gates: Gates | undefined;
let recorder: Recorder | undefined;

const fail = (error: unknown): void => {
  const message = messageOf(error);
  try {
    recorder?.record({ type: 'error', message });
  } finally {
    tell({ type: 'failed', message, count: recorder?.count ?? 0 });
    process.exitCode = 1;
    // The failure must be heard before the channel closes.
    setImmediate(() => process.exit());
  }
};

process.on('uncaughtException', (error) => fail(error));
process.on('unhandledRejection', (error) => fail(error));
process.on('disconnect', () => process.exit(process.exitCode ?? 1));
process.on('message', (message: ToContender) => {
  switch (message.type) {
    case 'assignment':
      live(message).then(
        () => {
          process.exitCode = 0;
          process.disconnect();
        },
        (error: unknown) => fail(error),
      );
      return;
    case 'go':
      return start();
    case 'gate':
      if (message.closed) gates?.close(message.gate, message.atMost);
      else gates?.open(message.gate);
      return tell({ type: 'gate-set', id: message.id });
    case 'stop':
      gates?.openAll();
      start();
      return stop.abort();
  }
});
