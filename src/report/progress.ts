/** Says on standard error what is happening: a spinner on a terminal, a line a step elsewhere. Standard output stays the report's. */
import ora, { type Ora } from 'ora';
import { plural, span } from '../model/phrases.ts';
import type { Clock, Millis, Nanos } from '../model/time.ts';
import { cutTo } from './columns.ts';
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

export interface ProgressOptions {
  /** Where it is written. Default standard error. */
  readonly stream?: NodeJS.WriteStream;
  /** Whether a line may be drawn over. Default: on a terminal that can, outside CI. */
  readonly live?: boolean;
  /** Nothing but the lines that stay. */
  readonly quiet?: boolean;
}

/** A terminal without a size (`docker -t`, `script`) says 0 columns; ora then counts endless lines to clear, and never comes back. */
const hasSize = ({ columns }: NodeJS.WriteStream): boolean => columns > 0;

const canDrawOver = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && hasSize(stream) && !process.env['CI'] && process.env['TERM'] !== 'dumb';

export class Progress {
  readonly #clock: Clock;
  readonly #stream: NodeJS.WriteStream;
  readonly #live: boolean;
  readonly #quiet: boolean;
  #spinner: Ora | undefined;
  #timer: NodeJS.Timeout | undefined;
  #refresh = (): void => {};
  #last = '';

  constructor(clock: Clock, { stream = process.stderr, live = canDrawOver(stream), quiet = false }: ProgressOptions = {}) {
    this.#clock = clock;
    this.#stream = stream;
    this.#live = live;
    this.#quiet = quiet;
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
        ...(text === '' ? [] : [text]),
      ];
      this.phase(`${title}: ${facts.join(', ')}`, text);
    };
    this.#refresh = show;
    this.#last = '';
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
    if (this.#quiet) return;
    if (this.#live) this.#spin(text);
    else if (step !== this.#last) this.#stream.write(`${escapeText(text)}\n`);
    this.#last = step;
  }

  say(line: string): void {
    this.#spinner?.clear();
    this.#stream.write(`${escapeText(line)}\n`);
    this.#draw();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#refresh = () => {};
    this.#last = '';
    this.#spinner?.stop();
    this.#spinner = undefined;
  }

  /**
   * Frames are drawn by a timer of our own: ora's would keep the process alive, and its start() takes over the cursor,
   * signals and writes to both standard streams.
   */
  #spin(text: string): void {
    this.#spinner ??= ora({ stream: this.#stream, isEnabled: true, discardStdin: false, hideCursor: false });
    this.#spinner.text = cutTo(escapeText(text), this.#stream.columns - 3);
    this.#timer ??= setInterval(() => {
      this.#refresh();
      this.#draw();
    }, REFRESH).unref();
    this.#draw();
  }

  #draw(): void {
    if (hasSize(this.#stream)) this.#spinner?.render();
  }
}
