import { describe, expect, it } from 'vitest';
import { bytesOf, Story } from '../history/story.fixture.ts';
import type { HistoryEvent } from '../model/event.ts';
import type { Expectation } from '../model/expectation.ts';
import { checkHistory } from './check-history.ts';
import { parseExpect } from './parse-expect.ts';

const check = (lines: readonly (HistoryEvent | string)[], tail = '\n', expectation?: Expectation) =>
  checkHistory(bytesOf(lines, tail), expectation);

/** Two turns with contention: nothing wrong. */
const sound = (): Story => new Story().goesIn('c1').refused('c2').goesOut('c1').turn('c2');
/** Two holders at once, both leases running. */
const splitBrain = (expectation?: Expectation): Story => {
  const story = new Story(expectation ? { expectation } : {});
  return story.goesIn('c1').refused('c2').goesIn('c2').goesOut('c1').goesOut('c2');
};

describe('a whole history', () => {
  it('holds', async () => {
    expect(await check(sound().ended())).toMatchObject({ verdict: 'holds', asExpected: true, exitCode: 0, doubts: [], damage: [] });
  });

  it('is violated, and that is exit 1 where it was not expected', async () => {
    expect(await check(splitBrain().ended())).toMatchObject({
      verdict: 'violated',
      asExpected: false,
      exitCode: 1,
      violations: ['mutual-exclusion:split-brain'],
    });
  });

  it('is violated as expected', async () => {
    const events = splitBrain({ kind: 'violations', required: [{ check: 'mutual-exclusion', class: 'split-brain' }], allowed: [] }).ended();
    expect(await check(events)).toMatchObject({ verdict: 'violated', asExpected: true, exitCode: 0 });
  });

  it('gives the same bytes each time', async () => {
    const events = splitBrain().ended();
    expect(JSON.stringify(await check(events))).toBe(JSON.stringify(await check(events)));
  });
});

describe('damage never leaves holds', () => {
  const without = (events: readonly HistoryEvent[], index: number): HistoryEvent[] => events.filter((_, at) => at !== index);

  it('an empty log', async () => {
    expect(await check([], '')).toMatchObject({ verdict: 'unknown', exitCode: 3, damage: [{ kind: 'empty' }] });
  });

  it('a missing line, whichever', async () => {
    const events = sound().ended();
    for (let index = 0; index < events.length; index += 1) {
      const judged = await check(without(events, index));
      expect(['unknown', 'inconclusive'], `without line ${index + 1}`).toContain(judged.verdict);
      expect(judged.damage.length).toBeGreaterThan(0);
    }
  });

  it('a doubled line, whichever', async () => {
    const events = sound().ended();
    for (let index = 0; index < events.length; index += 1) {
      const doubled = [...events.slice(0, index + 1), ...events.slice(index)];
      expect((await check(doubled)).verdict, `with line ${index + 1} twice`).toBe('unknown');
    }
  });

  it('two lines of one writer that have changed places', async () => {
    const events = sound().ended();
    const [second, third] = [events[1], events[2]];
    if (!second || !third) throw new Error('too short');
    const judged = await check([...events.slice(0, 1), third, second, ...events.slice(3)]);
    expect(judged).toMatchObject({ verdict: 'unknown' });
    expect(judged.damage.map(({ kind }) => kind)).toContain('moved');
  });

  it('a torn last line', async () => {
    const events = sound().ended();
    const last = JSON.stringify(events.at(-1));
    const judged = await check([...events.slice(0, -1), last.slice(0, 30)], '');
    expect(judged.verdict).toBe('unknown');
    expect(judged.damage.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['torn', 'unreadable', 'no-end']));
  });

  it('two lines run together, with the line number', async () => {
    const events = sound().ended();
    const lines = events.map((event) => JSON.stringify(event));
    const judged = await check([...lines.slice(0, 2), `${lines[2]}${lines[3]}`, ...lines.slice(4)]);
    expect(judged.verdict).toBe('unknown');
    expect(judged.damage).toContainEqual({ kind: 'unreadable', line: 3, text: 'two lines have run together' });
  });

  it('no end', async () => {
    const judged = await check(sound().events);
    expect(judged).toMatchObject({ verdict: 'unknown', damage: [{ kind: 'no-end' }] });
  });

  it('a line after the end', async () => {
    const story = sound();
    story.ended();
    story.line('c1', { type: 'stopped', pid: 1 });
    expect((await check(story.events)).damage.map(({ kind }) => kind)).toContain('after-end');
  });

  it('a version that it does not know', async () => {
    const events = sound().ended();
    const judged = await check([{ ...events[0], version: 2 } as HistoryEvent, ...events.slice(1)]);
    expect(judged.damage).toContainEqual({ kind: 'version', line: 1, text: 'version 2; this program reads 1' });
  });

  it('fields of the wrong kind, and lines of an unknown type', async () => {
    const events = sound().ended();
    for (const bad of [
      '{"writer":"c1","incarnation":1,"seq":1,"at":1,"type":"toString"}',
      '{"writer":"c1","incarnation":1,"seq":1,"at":"now","type":"enter","op":1,"key":"k"}',
      'null',
      '[]',
      '7',
    ]) {
      expect((await check([...events.slice(0, 1), bad, ...events.slice(1)])).verdict, bad).toBe('unknown');
    }
  });

  it('cannot invent an overlap: a lost exit is no long hold', async () => {
    const events = new Story().goesIn('c1').refused('c2').goesOut('c1').turn('c2').turn('c1').ended();
    const exit = events.findIndex(({ type }) => type === 'exit');
    expect(await check(without(events, exit))).toMatchObject({ verdict: 'unknown', violations: [] });
  });

  it('does not hide a violation that stands in what is left', async () => {
    expect(await check(splitBrain().events)).toMatchObject({ verdict: 'violated', exitCode: 1 });
  });
});

describe('what keeps a run from counting', () => {
  it('an unproved fault: inconclusive, also where the expected violation appeared', async () => {
    const expectation: Expectation = { kind: 'violations', required: [{ check: 'mutual-exclusion' }], allowed: [] };
    const story = splitBrain(expectation).fault('kill', 'inject').fault('kill', 'unproved', { detail: 'still answers' });
    const judged = await check(story.ended());
    expect(judged).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
    expect(judged.doubts.join()).toContain('still answers');
  });

  it('an unproved fault does not excuse a violation that nobody expected', async () => {
    expect(await check(splitBrain().fault('kill', 'unproved').ended())).toMatchObject({ verdict: 'violated', exitCode: 1 });
  });

  it('a moment that never came', async () => {
    const story = sound().line('nemesis', { type: 'milestone', step: 'kill', what: 'missed', detail: 'nobody entered' });
    expect(await check(story.ended())).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  });

  it('a fault that was not healed', async () => {
    expect(await check(sound().fault('cut', 'unhealed').ended())).toMatchObject({ verdict: 'inconclusive' });
  });

  it('no contention', async () => {
    expect(await check(new Story().turn('c1').ended())).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  });
});

describe('expectations', () => {
  const missedRecovery = () =>
    sound().line('nemesis', { type: 'milestone', step: 'recovery', what: 'missed', detail: '0 of 2 grants' }).ended();

  it('unavailable is exit 2, and 0 where expected', async () => {
    expect(await check(missedRecovery())).toMatchObject({ verdict: 'unavailable', exitCode: 2 });
    expect(await check(missedRecovery(), '\n', parseExpect('unavailable'))).toMatchObject({ asExpected: true, exitCode: 0 });
  });

  it('any takes each of the three, and not inconclusive', async () => {
    for (const events of [sound().ended(), splitBrain().ended(), missedRecovery()])
      expect((await check(events, '\n', parseExpect('any'))).exitCode).toBe(0);
    expect((await check(new Story().turn('c1').ended(), '\n', parseExpect('any'))).exitCode).toBe(3);
  });

  it('what was expected and did not appear is exit 3', async () => {
    expect(await check(sound().ended(), '\n', parseExpect('violated'))).toMatchObject({ verdict: 'holds', exitCode: 3 });
    expect(await check(splitBrain().ended(), '\n', parseExpect('violated:mutual-exclusion:overrun'))).toMatchObject({
      verdict: 'violated',
      exitCode: 1,
    });
  });

  it('violated takes any safety violation', async () => {
    expect((await check(splitBrain().ended(), '\n', parseExpect('violated'))).exitCode).toBe(0);
    expect((await check(splitBrain().ended(), '\n', parseExpect('violated:mutual-exclusion:split-brain'))).exitCode).toBe(0);
  });

  it('a loss inside an expected overlap belongs to it, one outside does not', async () => {
    const expected = parseExpect('violated:mutual-exclusion:split-brain');
    const inside = new Story()
      .goesIn('c1')
      .read('c1', '')
      .refused('c3')
      .goesIn('c2')
      .read('c2', '')
      .write('c2', 'b', '', '')
      .write('c1', 'a', '', 'b')
      .goesOut('c1')
      .goesOut('c2');
    expect(await check(inside.ended(), '\n', expected)).toMatchObject({
      exitCode: 0,
      violations: ['mutual-exclusion:split-brain', 'ledger'],
    });
    const outside = splitBrain().goesIn('c1').write('c1', 'x', '', '').goesOut('c1').goesIn('c2').write('c2', 'y', '', 'x').goesOut('c2');
    expect(await check(outside.ended(), '\n', expected)).toMatchObject({ exitCode: 1 });
  });
});

describe('why', () => {
  it('a replica promoted without the key', async () => {
    const story = new Story({ ttl: 10_000 }).fault('cut', 'inject', { fault: 'cut-replication', nodes: ['redis-6', 'redis-7'] });
    story
      .acquire('c1', { nodes: ['redis-6'] })
      .enter('c1')
      .refused('c2')
      .fault('kill', 'inject', { nodes: ['redis-6'] });
    story.line('nemesis', { type: 'milestone', step: 'promotion', what: 'promoted', node: 'redis-7', detail: '' });
    story
      .acquire('c2', { nodes: ['redis-7'] })
      .enter('c2')
      .goesOut('c1')
      .goesOut('c2');
    const { outcome } = await check(story.ended());
    expect(outcome.join(' ')).toMatch(
      /c1 got lock:orders on redis-6 .* never reached redis-7: replication was cut .* redis-6 was killed .* redis-7 was promoted .* without the key; c2 got the lock there/,
    );
  });

  it('a node that came back empty', async () => {
    const story = new Story({ ttl: 10_000 })
      .acquire('c1', { nodes: ['redis-1', 'redis-2', 'redis-3'] })
      .enter('c1')
      .refused('c2');
    story.fault('kill', 'inject', { nodes: ['redis-3'] }).fault('kill', 'healed', { nodes: ['redis-3'] });
    story
      .acquire('c2', { nodes: ['redis-3', 'redis-4', 'redis-5'] })
      .enter('c2')
      .goesOut('c1')
      .goesOut('c2');
    expect((await check(story.ended())).outcome.join(' ')).toMatch(/redis-3 was killed at .* came back empty .* forgotten c1/);
  });

  it('two votes that share no node', async () => {
    const story = new Story({ ttl: 10_000 })
      .acquire('c1', { nodes: ['redis-1', 'redis-2'] })
      .enter('c1')
      .refused('c3')
      .acquire('c2', { nodes: ['redis-3', 'redis-4'] })
      .enter('c2')
      .goesOut('c1')
      .goesOut('c2');
    expect((await check(story.ended())).outcome.join(' ')).toContain('no node is in both');
  });

  it.each([
    [0, 'c1 was stopped from'],
    [0.95, "c1's event loop did not run for 1.4 s"],
  ])('a holder past its lease whose process used %d of the time: %s', async (share, words) => {
    const story = new Story({ ttl: 1_000 })
      .goesIn('c1')
      .fault('stop', 'inject', { fault: 'stop', targets: ['c1'], nodes: [] })
      .refused('c2')
      .wait(1_500);
    story
      .goesIn('c2')
      .line('c1', { type: 'gap', from: story.now - 1.4e9, to: story.now, cpu: 1.4e9 * share })
      .goesOut('c1')
      .goesOut('c2');
    const judged = await check(story.ended());
    expect(judged.violations).toEqual(['mutual-exclusion:overrun']);
    expect(judged.outcome.join(' ')).toContain(words);
  });

  it('a lease with no time left', async () => {
    const story = new Story().goesIn('c1', { took: 1_400 }).refused('c2').goesIn('c2').goesOut('c1').goesOut('c2');
    expect((await check(story.ended())).outcome.join(' ')).toMatch(/took c1 1\.4 s.*no time left/);
  });

  it('says so where it cannot be told', async () => {
    expect((await check(splitBrain().ended())).outcome.join(' ')).toContain('Nothing in this history says why');
  });

  it('tells what a pass was earned by', async () => {
    const story = new Story({ ttl: 10_000, faultsMeetLiveLock: true })
      .acquire('c1', { nodes: ['redis-1', 'redis-2', 'redis-3'] })
      .enter('c1');
    story
      .fault('kill', 'inject', { nodes: ['redis-1'] })
      .refused('c2')
      .refused('c2')
      .goesOut('c1');
    expect((await check(story.ended())).outcome.join(' ')).toMatch(
      /c1 held lock:orders on redis-1, redis-2 and redis-3 when redis-1 was killed\. redis-2 and redis-3 still had its key, and 2 attempts/,
    );
  });
});
