/** One server as a process: in a mount namespace whose /etc/hosts is its pod's, dying with us unless the cluster is kept. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InfrastructureError } from '../../model/errors.ts';
import { procStat } from '../proc-stat.ts';
import { findProgram } from '../programs.ts';
import type { ProcessState } from '../runtime.ts';

export interface LocalProcessOptions {
  readonly name: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Holds the process' working folder and its log. */
  readonly folder: string;
  /** The hosts file of its pod. */
  readonly hosts: string;
  readonly kept: boolean;
}

/** Names of programs in images, where they differ from those on a PATH. */
const PROGRAMS: Readonly<Record<string, string>> = { '/toxiproxy': 'toxiproxy-server' };

const MOUNT_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';

export class LocalProcess {
  readonly name: string;
  readonly #options: LocalProcessOptions;
  #child: ChildProcess | undefined;

  constructor(options: LocalProcessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get #logFile(): string {
    return join(this.#options.folder, `${this.name}.log`);
  }

  start(): void {
    const { argv, environment, folder, hosts, kept } = this.#options;
    const cwd = join(folder, this.name);
    mkdirSync(cwd, { recursive: true });
    const [program = '', ...rest] = argv;
    const mortal = kept ? [] : [findProgram('setpriv'), '--pdeathsig', 'KILL'];
    const command = ['-rm', '/bin/sh', '-c', MOUNT_HOSTS, hosts, ...mortal, findProgram(PROGRAMS[program] ?? program), ...rest];
    const log = openSync(this.#logFile, 'a');
    try {
      // A group of its own: Ctrl-C in a terminal is for us, and we say when the servers go.
      this.#child = spawn(findProgram('unshare'), command, {
        cwd,
        env: { PATH: process.env['PATH'] ?? '', ...environment },
        detached: true,
        stdio: ['ignore', log, log],
      });
      this.#child.once('error', () => {}); // shows as `exited`, and in the log
      if (kept) this.#child.unref();
    } finally {
      closeSync(log);
    }
  }

  /** SIGKILL also ends a stopped process. Resolves when the kernel has reported the end. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    child.ref(); // a kept process was let go of, and its end must still be waited for
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (!child.kill('SIGKILL')) return;
    await gone;
  }

  state(): ProcessState {
    const child = this.#child;
    if (!child) return 'absent';
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return 'exited';
    const state = procStat(child.pid)?.state ?? 'Z';
    return state === 'T' ? 'stopped' : state === 'Z' ? 'exited' : 'running';
  }

  log(): string {
    try {
      return readFileSync(this.#logFile, 'utf8');
    } catch (cause) {
      throw new InfrastructureError(`cannot read the log of ${this.name}`, { cause });
    }
  }
}
