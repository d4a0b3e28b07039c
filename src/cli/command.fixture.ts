/** Runs the built command as a user would, and looks for what it left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectEngine, engineAnswers } from '../infra/docker/engine.ts';

const BIN = new URL('../../dist/bin/redlock-chaos.js', import.meta.url).pathname;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command in a folder of its own, which goes away with it. */
export class Command implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'rlc-test-'));
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  #stderr = '';

  constructor(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [BIN, ...words], {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let stdout = '';
    this.child.stdout?.on('data', (chunk) => {
      stdout += String(chunk);
    });
    this.child.stderr?.on('data', (chunk) => {
      this.#stderr += String(chunk);
      this.#heard();
    });
    this.finished = new Promise((resolve) => this.child.once('close', (code) => resolve({ code, stdout, stderr: this.#stderr })));
  }

  #heard = (): void => {};

  /** Resolves once standard error holds the words; rejects if the command ends before. */
  async says(words: string): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#heard = () => {
        if (this.#stderr.includes(words)) resolve();
      };
      this.#heard();
    });
    const ended = this.finished.then(({ stderr }) => {
      if (!stderr.includes(words)) throw new Error(`it ended without saying "${words}": ${stderr}`);
    });
    await Promise.race([heard, ended]);
  }

  /** The run folders that it made. */
  get runs(): string[] {
    return readdirSync(join(this.folder, '.redlock-chaos')).map((name) => join(this.folder, '.redlock-chaos', name));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const redlockChaos = async (...words: readonly string[]): Promise<Finished> => {
  using command = new Command(words);
  return await command.finished;
};

const OURS = /redlock-chaos-[0-9a-f]{6}|contender\/main/;

/** Processes, temporary folders, containers and networks of any run. */
export const leftBehind = async (): Promise<string[]> => {
  const processes = readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return OURS.test(line) ? [`process ${pid}: ${line}`] : [];
    } catch {
      return [];
    }
  });
  const folders = readdirSync(tmpdir()).filter((name) => /^redlock-chaos-[0-9a-f]{6}-/.test(name));
  if (!(await engineAnswers())) return [...processes, ...folders];
  const docker = await connectEngine();
  const filters = { label: ['redlock-chaos.run'] };
  const [containers, networks] = await Promise.all([docker.listContainers({ all: true, filters }), docker.listNetworks({ filters })]);
  // Projects of the command only: a benchmark may be running beside.
  const things = [...containers.map(({ Names }) => Names.join(' ')), ...networks.map(({ Name }) => Name)].filter((name) => OURS.test(name));
  return [...processes, ...folders, ...things];
};
