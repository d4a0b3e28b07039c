/** The contenders as processes: started, gated, stopped, and every death recorded. */
import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Assignment, FromContender, ToContender } from '../contender/protocol.ts';
import type { HistoryWriter } from '../history/writer.ts';
import { within } from '../model/deadline.ts';
import { InfrastructureError } from '../model/errors.ts';
import type { GateName } from '../model/event.ts';
import type { Clock, Millis } from '../model/time.ts';
import type { ContenderControl } from '../nemesis/contender-control.ts';

const READY_LIMIT: Millis = 15_000;
const GATE_LIMIT: Millis = 5_000;

/** Compiled: dist/src/contender/main.js. From source (tests): src/contender/main.ts, through tsx. */
const MAIN = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../contender/main.ts' : '../contender/main.js', import.meta.url));
const LOADER = MAIN.endsWith('.ts') ? ['--import', 'tsx'] : [];

interface Member {
  readonly name: string;
  readonly incarnation: number;
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  /** Settles when the process has ended, in order or not. */
  readonly ended: Promise<void>;
  /** Lines it says it has written, once it has said so. */
  count: number | undefined;
  alive: boolean;
  failure: string | undefined;
}

export interface ContendersOptions {
  readonly conductor: HistoryWriter;
  readonly clock: Clock;
  /** Where their own output goes. */
  readonly logs: string;
  /** Called whenever one has written a line. */
  readonly wrote: () => void;
}

export class Contenders implements ContenderControl, AsyncDisposable {
  readonly #options: ContendersOptions;
  readonly #members: Member[] = [];
  readonly #gateReplies = new Map<number, () => void>();
  #nextGate = 1;

  constructor(options: ContendersOptions) {
    this.#options = options;
  }

  /** Starts the process; it connects once assigned. */
  launch(name: string): void {
    const log = openSync(join(this.#options.logs, `${name}.log`), 'a');
    try {
      // A group of its own: a terminal's Ctrl-C is for the conductor, and a stop or kill is for the whole group.
      const child = fork(MAIN, [], {
        execArgv: LOADER,
        detached: true,
        stdio: ['ignore', log, log, 'ipc'],
        env: { PATH: process.env['PATH'] ?? '' },
      });
      this.#members.push(this.#follow(name, 1, child));
    } finally {
      closeSync(log);
    }
  }

  #follow(name: string, incarnation: number, child: ChildProcess): Member {
    let becomeReady = (): void => {};
    let fail = (_: Error): void => {};
    const ready = new Promise<void>((resolve, reject) => {
      becomeReady = resolve;
      fail = reject;
    });
    ready.catch(() => {});
    const ended = new Promise<void>((resolve) => {
      child.once('exit', (code, signal) => {
        member.alive = false;
        fail(
          new InfrastructureError(`contender ${name} ended before it was ready (${signal ?? `code ${code}`})`, {
            hint: `See ${name}.log in the run's logs.`,
          }),
        );
        this.#buried(member, code, signal);
        resolve();
      });
      child.once('error', (cause) => {
        member.alive = false;
        fail(new InfrastructureError(`contender ${name} could not be started: ${cause.message}`, { cause }));
        resolve();
      });
    });
    const member: Member = { name, incarnation, child, ready, ended, count: undefined, alive: true, failure: undefined };
    child.on('message', (message: FromContender) => {
      switch (message.type) {
        case 'ready':
          return becomeReady();
        case 'wrote':
          return this.#options.wrote();
        case 'gate-set':
          this.#gateReplies.get(message.id)?.();
          this.#gateReplies.delete(message.id);
          return;
        case 'done':
          member.count = message.count;
          return;
        case 'failed':
          member.count = message.count;
          member.failure = message.message;
          return fail(new InfrastructureError(`contender ${name}: ${message.message}`));
      }
    });
    return member;
  }

  /** A process that ended without having said `done` has died: that is recorded, whatever the reason. */
  #buried({ name, incarnation, count, failure }: Member, code: number | null, signal: NodeJS.Signals | null): void {
    if (count !== undefined && failure === undefined) return;
    this.#options.conductor.append({ type: 'death', contender: name, of: incarnation, code, signal }, this.#options.clock.now());
    this.#options.wrote();
    for (const reply of this.#gateReplies.values()) reply();
  }

  /** Tells everyone what to do and resolves when all have connected. @throws InfrastructureError naming the one that did not. */
  async assign(assignmentOf: (name: string, incarnation: number) => Assignment, signal: AbortSignal): Promise<void> {
    for (const { name, incarnation, child } of this.#members) tell(child, assignmentOf(name, incarnation));
    await Promise.all(this.#members.map(({ name, ready }) => within(READY_LIMIT, `contender ${name} connecting`, ready, signal)));
  }

  /** The clock starts. */
  go(): void {
    for (const { child } of this.#members) tell(child, { type: 'go' });
  }

  get alive(): readonly string[] {
    return this.#members.filter((member) => member.alive).map(({ name }) => name);
  }

  /** Failures that contenders themselves reported, in words. */
  get failures(): readonly string[] {
    return this.#members.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]));
  }

  async gate(name: string, gate: GateName, closed: boolean, atMost?: Millis): Promise<void> {
    const member = this.#members.find((candidate) => candidate.name === name && candidate.alive);
    if (!member) return;
    const id = this.#nextGate;
    this.#nextGate += 1;
    const set = new Promise<void>((resolve) => this.#gateReplies.set(id, resolve));
    tell(member.child, { type: 'gate', id, gate, closed, ...(atMost !== undefined && { atMost }) });
    await within(GATE_LIMIT, `contender ${name} closing or opening its ${gate} gate`, Promise.race([set, member.ended]));
  }

  /** Lets everyone finish, and kills who does not within `limit`. */
  async stop(limit: Millis): Promise<void> {
    for (const { child } of this.#members) tell(child, { type: 'stop' });
    await Promise.all(
      this.#members.map((member) =>
        within(limit, member.name, member.ended).catch(() => this.#kill(member, `did not end within ${limit} ms`)),
      ),
    );
  }

  async #kill(member: Member, reason: string): Promise<void> {
    if (!member.alive) return;
    this.#options.conductor.append({ type: 'kill', contender: member.name, of: member.incarnation, reason }, this.#options.clock.now());
    killGroup(member.child);
    await member.ended;
  }

  /** Lines by writer, as each writer counted them. Whoever died without saying is not in it. */
  get counts(): ReadonlyMap<string, number> {
    return new Map(
      this.#members.flatMap(({ name, incarnation, count }) => (count === undefined ? [] : [[`${name}#${incarnation}`, count] as const])),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const member of this.#members) if (member.alive) killGroup(member.child);
    await Promise.all(this.#members.map(({ ended }) => ended));
  }
}

const tell = (child: ChildProcess, message: ToContender): void => {
  if (child.connected) child.send(message, () => {}); // who cannot be told has died, and that is recorded
};

/** SIGKILL also ends a stopped process. */
const killGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // it has just ended by itself
  }
};
