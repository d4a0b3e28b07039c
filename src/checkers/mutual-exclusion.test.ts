import { describe, expect, it } from 'vitest';
import { KEY, Story } from '../history/story.fixture.ts';
import type { HistoryEvent } from '../model/event.ts';
import { nanos } from '../model/time.ts';
import { checkStory } from './check-story.fixture.ts';
import { MutualExclusion } from './mutual-exclusion.ts';

const check = (events: readonly HistoryEvent[]) => {
  const [begin] = events;
  if (begin?.type !== 'begin') throw new Error('a story begins');
  return checkStory(new MutualExclusion(begin), events);
};

describe('mutual-exclusion', () => {
  it('passes where holds only touch: exit stands before the next enter', () => {
    const result = check(new Story().turn('c1').turn('c2').turn('c1').ended());
    expect(result.verdict).toBe('pass');
    expect(result.measured).toEqual({ what: 'holds compared', value: '3, none overlap' });
  });

  it('fails as split-brain where both leases run', () => {
    const story = new Story().goesIn('c1').wait(100).goesIn('c2').wait(200).goesOut('c1').goesOut('c2');
    const result = check(story.ended());
    expect(result.verdict).toBe('fail');
    expect(result.values).toMatchObject({ 'split-brain': 1, overrun: 0, chained: 0 });
    const [finding] = result.findings;
    expect(finding).toMatchObject({ class: 'split-brain', contenders: ['c1', 'c2'], counts: true });
    // enter c2 to exit c1: 200 ms and the line of the exit itself
    expect((finding?.to ?? 0) - (finding?.from ?? 0)).toBe(nanos(201));
  });

  it('goes by the order in the file, whatever the stamps say', () => {
    const story = new Story().goesIn('c1').goesOut('c1');
    story.line('c2', { type: 'invoke', op: 1, f: 'acquire', key: KEY }, 0);
    story.line('c2', { type: 'ok', op: 1, f: 'acquire', key: KEY, token: 'c2' }, 0);
    story.line('c2', { type: 'enter', op: 1, key: KEY }, 0); // stamped long before c1's exit, and written after it
    story.exit('c2');
    expect(check(story.ended()).verdict).toBe('pass');
  });

  it('counts each pair of three nested holds', () => {
    const story = new Story().goesIn('c1').goesIn('c2').goesIn('c3').goesOut('c3').goesOut('c2').goesOut('c1');
    expect(check(story.ended()).values['split-brain']).toBe(3);
  });

  it('keeps two keys apart', () => {
    const story = new Story()
      .goesIn('c1', { key: 'lock:a' })
      .goesIn('c2', { key: 'lock:b' })
      .goesOut('c1', 'lock:a')
      .goesOut('c2', 'lock:b');
    expect(check(story.ended()).verdict).toBe('pass');
  });

  it('keeps the first hundred of a class, and counts all', () => {
    const story = new Story({ ttl: 100_000 });
    for (let round = 0; round < 150; round += 1) story.goesIn('c1').goesIn('c2').goesOut('c1').goesOut('c2');
    const result = check(story.ended());
    expect(result.values['split-brain']).toBe(150);
    expect(result.findings).toHaveLength(100);
  });

  describe('the death of a holder', () => {
    it('is certain up to the kill line, so an overlap before it counts', () => {
      const story = new Story().goesIn('c1').goesIn('c2').kill('c1').death('c1').goesOut('c2');
      expect(check(story.ended()).values['split-brain']).toBe(1);
    });

    it('is indeterminate between its last line and its recorded death: shown, and not counted', () => {
      const story = new Story().goesIn('c1').goesIn('c2').death('c1').goesOut('c2');
      const result = check(story.ended());
      expect(result.verdict).toBe('pass');
      expect(result.values).toMatchObject({ indeterminate: 1, 'split-brain': 0 });
      expect(result.findings[0]).toMatchObject({ counts: false });
    });

    it('does not hide an overlap that its own later line proves', () => {
      const story = new Story().goesIn('c1').goesIn('c2').read('c1', '').death('c1').goesOut('c2');
      expect(check(story.ended()).values['split-brain']).toBe(1);
    });

    it('does not make a holder of its next life', () => {
      const story = new Story().goesIn('c1').kill('c1').death('c1').restart('c1').goesIn('c1').goesOut('c1');
      expect(check(story.ended()).verdict).toBe('pass');
    });
  });

  it('calls it expired-grant where a lease had ended at its own ok', () => {
    const story = new Story().goesIn('c1', { took: 1_500 }).goesIn('c2').goesOut('c1').goesOut('c2');
    const result = check(story.ended());
    expect(result.values).toMatchObject({ 'expired-grant': 1, overrun: 0 });
    expect(result.verdict).toBe('fail');
  });

  it('calls it overrun where the earlier lease had ended, and doubts it where nobody held the holder up', () => {
    const story = new Story().goesIn('c1').wait(1_500).goesIn('c2').goesOut('c1').goesOut('c2');
    expect(check(story.ended())).toMatchObject({ verdict: 'inconclusive', values: { overrun: 1 } });
  });

  it('counts an overrun where a fault held the holder up, or the expectation names it', () => {
    const held = new Story()
      .goesIn('c1')
      .fault('stop', 'inject', { fault: 'stop', targets: ['c1'] })
      .wait(1_500)
      .goesIn('c2')
      .goesOut('c1')
      .goesOut('c2');
    expect(check(held.ended()).verdict).toBe('fail');
    const named = new Story({
      expectation: { kind: 'violations', required: [{ check: 'mutual-exclusion', class: 'overrun' }], allowed: [] },
    });
    named.goesIn('c1').wait(1_500).goesIn('c2').goesOut('c1').goesOut('c2');
    expect(check(named.ended()).verdict).toBe('fail');
  });

  it('needs the later possible end of an extension without an answer to be over', () => {
    const story = new Story().goesIn('c1').wait(900);
    const op = story.invoke('c1', 'extend', { token: 'c1' });
    story.line('c1', { type: 'info', op, f: 'extend', key: KEY, reason: 'timeout' });
    story.wait(600).goesIn('c2').goesOut('c1').goesOut('c2');
    expect(check(story.ended()).values).toMatchObject({ overrun: 0, 'split-brain': 1 });
  });

  it('calls it chained where the key had been removed by somebody who did not own it', () => {
    const story = new Story({ ttl: 10_000 })
      .acquire('c1', { nodes: ['redis-1'] })
      .enter('c1')
      .wait(10);
    const op = story.invoke('c3', 'release', { token: 'old' });
    story.line('c3', { type: 'ok', op, f: 'release', key: KEY, answers: [{ node: 'redis-1', said: '1', at: story.now }] });
    story
      .acquire('c2', { nodes: ['redis-1'] })
      .enter('c2')
      .goesOut('c1')
      .goesOut('c2');
    expect(check(story.ended()).values).toMatchObject({ chained: 1, 'split-brain': 0 });
  });

  describe('undetermined', () => {
    const stopped = (from: number, to: number) => {
      const story = new Story();
      const op = story.invoke('c1', 'acquire');
      const seen = story.now;
      story.wait(2_000);
      story.line('c1', { type: 'gap', from: seen + nanos(from), to: seen + nanos(to), cpu: 0 });
      story.line('c1', {
        type: 'ok',
        op,
        f: 'acquire',
        key: KEY,
        token: 'c1',
        answers: [{ node: 'redis-1', said: 'granted', at: seen + nanos(10) }],
      });
      return story.enter('c1').goesIn('c2').goesOut('c1').goesOut('c2');
    };

    it('is a stop between the deciding reply and the ok: never charged to the lock', () => {
      expect(check(stopped(20, 1_900).ended())).toMatchObject({ verdict: 'inconclusive', values: { undetermined: 1, 'expired-grant': 0 } });
    });

    it('is not a stop before the reply was seen', () => {
      expect(check(stopped(-1_000, 12).ended())).toMatchObject({ verdict: 'fail', values: { undetermined: 0, 'expired-grant': 1 } });
    });

    it('is a lease whose end nobody knows', () => {
      const story = new Story()
        .line('c1', { type: 'enter', op: 1, key: KEY })
        .goesIn('c2')
        .line('c1', { type: 'exit', op: 1, key: KEY })
        .goesOut('c2');
      expect(check(story.ended()).values['undetermined']).toBe(1);
    });
  });

  it('takes enter and exit alone for a lock without a ttl: both were inside', () => {
    const story = new Story({ ttl: null }).line('c1', { type: 'enter', op: 1, key: KEY }).line('c2', { type: 'enter', op: 1, key: KEY });
    story.line('c1', { type: 'exit', op: 1, key: KEY }).line('c2', { type: 'exit', op: 1, key: KEY });
    expect(check(story.ended()).values['split-brain']).toBe(1);
  });

  it("does not count overlaps after the host's wall clock moved", () => {
    const story = new Story().line('conductor', { type: 'clock', by: 3_000 }).goesIn('c1').goesIn('c2').goesOut('c1').goesOut('c2');
    expect(check(story.ended())).toMatchObject({ verdict: 'inconclusive', values: { 'split-brain': 1 } });
  });

  it('does not take a lost exit for a long hold', () => {
    const events = new Story().goesIn('c1').goesOut('c1').turn('c2').turn('c1').ended();
    const damaged = events.filter((event) => !(event.type === 'exit' && event.writer === 'c1' && event.seq === 4));
    expect(check(damaged).verdict).toBe('pass');
  });
});
