/** A run's folder: its name, and what is written into it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InfrastructureError } from '../model/errors.ts';
import type { Clock } from '../model/time.ts';

const RUNS = '.redlock-chaos';

export interface RunFolder {
  readonly path: string;
  readonly history: string;
  readonly logs: string;
  write(name: string, content: string): void;
}

/** `1201-0412`, in local time, as people read it off their own clock. */
const stampOf = (clock: Clock): string => {
  const pad = (part: number): string => String(part).padStart(2, '0');
  const date = clock.date();
  return `${pad(date.getMonth() + 1)}${pad(date.getDate())}-${pad(date.getHours())}${pad(date.getMinutes())}`;
};

/** Creates `.redlock-chaos/<time>-<scenario>-<lock>-<seed>`, with a number behind it where that exists. @throws InfrastructureError */
export const createRunFolder = (base: string, clock: Clock, words: readonly string[]): RunFolder => {
  try {
    mkdirSync(join(base, RUNS), { recursive: true });
  } catch (cause) {
    throw writeFailed(join(base, RUNS), cause);
  }
  const name = [stampOf(clock), ...words].join('-');
  for (let attempt = 1; ; attempt += 1) {
    const path = join(base, RUNS, attempt === 1 ? name : `${name}-${attempt}`);
    try {
      mkdirSync(path);
      mkdirSync(join(path, 'logs'));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw writeFailed(path, cause);
    }
    return {
      path,
      history: join(path, 'history.jsonl'),
      logs: join(path, 'logs'),
      write(file, content) {
        try {
          writeFileSync(join(path, file), content);
        } catch (cause) {
          throw writeFailed(join(path, file), cause);
        }
      },
    };
  }
};

const writeFailed = (path: string, cause: unknown): InfrastructureError => {
  const code = (cause as NodeJS.ErrnoException).code;
  return new InfrastructureError(`cannot write ${path}: ${code ?? String(cause)}`, {
    hint: code === 'ENOSPC' ? 'The disk is full: make room and run again.' : 'Run in a folder that you may write to.',
    cause,
  });
};
