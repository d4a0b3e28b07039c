/** Says on standard error what is happening: a spinner on a terminal, a line a step elsewhere. Standard output stays the report's. */
import ora, { type Ora } from 'ora';
import { plural, span } from '../model/phrases.ts';
import type { Clock, Millis, Nanos } from '../model/time.ts';
import { escapeText } from './escape.ts';

const REFRESH: Millis = 100;

export interface RunProgress {
  /** What is being done or waited for now. */
  doing(text: string): void;
  granted(): void;
  /** A fault has just been proved: `kill redis-6`. */
  happened(words: string): void;
  /** A line that stays. */
  say(line: string): void;
}

export class Progress {
  readonly #live: boolean;
  readonly #clock: Clock;
  #spinner: Ora | undefined;
  #timer: NodeJS.Timeout | undefined;
  #refresh = (): void => {};
  #last = '';

  constructor(clock: Clock, live = process.stderr.isTTY === true && !process.env['CI'] && process.env['TERM'] !== 'dumb') {
    this.#clock = clock;
    this.#live = live;
  }

  /** The progress of one run, whose grants it counts. */
  ofRun(title: string): RunProgress {
    let grants = 0;
    let text = '';
    let last: { words: string; at: Nanos } | undefined;
    const show = (): void => {
      const facts = [
        ...(grants > 0 ? [plural(grants, 'grant')] : []),
        ...(last ? [`${last.words} ${span(last.at, this.#clock.now())} ago`] : []),
        text,
      ];
      this.phase(`${title}: ${facts.join(', ')}`, text);
    };
    this.#refresh = show;
    return {
      happened: (words) => {
        last = { words, at: this.#clock.now() };
        if (this.#live) show();
      },
      doing: (now) => {
        text = now;
        show();
      },
      granted: () => {
        grants += 1;
        if (this.#live) show();
      },
      say: (line) => this.say(line),
    };
  }

  /** `step`: what must change for a new line where there is no terminal. */
  phase(text: string, step = text): void {
    const safe = escapeText(text);
    if (this.#live) {
      this.#spinner ??= ora({ stream: process.stderr, discardStdin: false, hideCursor: true }).start();
      this.#timer ??= setInterval(() => this.#refresh(), REFRESH).unref();
      this.#spinner.text = safe;
    } else if (step !== this.#last) {
      process.stderr.write(`${safe}\n`);
    }
    this.#last = step;
  }

  say(line: string): void {
    const spinning = this.#spinner;
    spinning?.clear();
    process.stderr.write(`${escapeText(line)}\n`);
    spinning?.render();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#refresh = () => {};
    this.#spinner?.stop();
    this.#spinner = undefined;
  }
}
