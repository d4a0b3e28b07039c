import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Clock, type Millis, nanos } from '../model/time.ts';
import { Progress } from './progress.ts';

/** A stream that remembers, and a clock that is told. */
const stage = ({ columns = 60, ...options }: { live?: boolean; quiet?: boolean; columns?: number } = {}) => {
  let now: Millis = 0;
  const written: string[] = [];
  const stream = {
    isTTY: options.live === true,
    columns,
    write: (text: string) => written.push(text) > 0,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  } as unknown as NodeJS.WriteStream;
  const clock: Clock = { now: () => nanos(now), wall: () => now, date: () => new Date(0) };
  return {
    progress: new Progress(clock, { stream, ...options }),
    written,
    text: () => written.join(''),
    /** Without colours and cursor movements. */
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken away
    frames: () => written.map((text) => text.replace(/\u001b\[[?\d;]*[a-z]/gi, '')).filter((text) => text !== ''),
    goOn: (duration: Millis) => {
      now += duration;
    },
  };
};

afterEach(() => {
  vi.useRealTimers();
});

describe('where there is no terminal', () => {
  it('writes a line a step, and none for what happens in it', () => {
    const { progress, text } = stage();
    const run = progress.ofRun('failover × sentinel');
    run.doing('servers starting');
    run.doing('servers starting');
    run.granted();
    run.granted();
    run.happened('kill redis-6');
    run.doing('waiting for promotion');
    run.granted();
    run.doing('waiting for promotion');
    progress.stop();
    expect(text()).toBe(
      'failover × sentinel: servers starting\nfailover × sentinel: 2 grants, kill redis-6 <1 ms ago, waiting for promotion\n',
    );
  });

  it('writes the same step again for the next run', () => {
    const { progress, text } = stage();
    progress.ofRun('a').doing('servers starting');
    progress.ofRun('b').doing('servers starting');
    expect(text()).toBe('a: servers starting\nb: servers starting\n');
  });
});

describe('on a terminal', () => {
  it('says how many grants there were and how long ago a fault was, and keeps counting', () => {
    vi.useFakeTimers();
    const { progress, frames, goOn } = stage({ live: true });
    const run = progress.ofRun('failover');
    for (let grant = 0; grant < 14; grant += 1) run.granted();
    run.happened('kill redis-6');
    run.doing('waiting for promotion');
    goOn(1_200);
    vi.advanceTimersByTime(100);
    expect(frames().at(-1)).toMatch(/^\S failover: 14 grants, kill redis-6 1\.2 s ago, waiting f.*\.\.$/);
    for (const frame of frames()) expect(frame.length).toBeLessThanOrEqual(60);
    progress.stop();
    const count = frames().length;
    vi.advanceTimersByTime(1_000);
    expect(frames()).toHaveLength(count);
  });

  it('keeps a line that is to stay, above the spinner', () => {
    const { progress, frames } = stage({ live: true });
    progress.phase('servers starting');
    progress.say('image \u001b[2J is being built');
    expect(frames().slice(-2)).toEqual(['image \\x1b[2J is being built\n', expect.stringContaining('servers starting')]);
    progress.stop();
  });
});

it('draws nothing on a terminal that has no size, where ora would never come back', () => {
  const { progress, text } = stage({ live: true, columns: 0 });
  const run = progress.ofRun('failover');
  run.doing('servers starting');
  run.say('a line that stays');
  progress.stop();
  expect(text()).toContain('a line that stays');
});

it.each([true, false])('says nothing but what is to stay where it is quiet (live: %s)', (live) => {
  const { progress, text } = stage({ live, quiet: true });
  const run = progress.ofRun('failover');
  run.doing('servers starting');
  run.granted();
  run.say('The servers are left running.');
  progress.stop();
  expect(text()).toBe('The servers are left running.\n');
});

it('keeps no process alive, and leaves signals and standard input alone', async () => {
  const module = new URL('./progress.ts', import.meta.url).href;
  const time = new URL('../model/time.ts', import.meta.url).href;
  const script = `
    import { Progress } from '${module}';
    import { clockFrom, newOrigin } from '${time}';
    const listeners = () =>
      ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((name) => process.listenerCount(name)).join() + process.stdin.eventNames().join();
    const before = listeners();
    const progress = new Progress(clockFrom(newOrigin()), { live: true, stream: Object.assign(process.stderr, { columns: 80 }) });
    progress.ofRun('failover').doing('servers starting');
    process.stdout.write(listeners() === before ? 'untouched' : before + ' then ' + listeners());
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  expect({ code, output }).toEqual({ code: 0, output: 'untouched' });
});
