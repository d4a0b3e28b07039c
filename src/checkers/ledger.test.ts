import { describe, expect, it } from 'vitest';
import { KEY, Story } from '../history/story.fixture.ts';
import { checkStory } from './check-story.fixture.ts';
import { LedgerCheck } from './ledger.ts';

const check = (story: Story) => checkStory(new LedgerCheck(), story.ended());

/** One turn that reads, writes, and leaves. */
const update = (story: Story, writer: string, value: string, basis: string, replaced = basis): Story =>
  story.goesIn(writer).read(writer, basis).write(writer, value, basis, replaced).goesOut(writer);

describe('ledger', () => {
  it('passes where every write replaced what its writer had read', () => {
    const story = update(update(update(new Story(), 'c1', 'a', ''), 'c2', 'b', 'a'), 'c1', 'c', 'b');
    expect(check(story)).toMatchObject({ verdict: 'pass', measured: { what: '3 writes acknowledged', value: 'all stored' } });
  });

  it('finds the lost update of two who had read the same, and says that they overlapped', () => {
    const story = new Story()
      .goesIn('c1')
      .read('c1', '')
      .goesIn('c2')
      .read('c2', '')
      .write('c2', 'b', '', '')
      .write('c1', 'a', '', 'b')
      .goesOut('c2')
      .goesOut('c1');
    const result = check(story);
    expect(result).toMatchObject({ verdict: 'fail', measured: { value: '1 stored, 1 lost' } });
    expect(result.findings).toMatchObject([{ contenders: ['c2', 'c1'], ofOverlap: true, counts: true }]);
  });

  it('finds every update between what a stale writer knew and what it replaced', () => {
    const story = new Story().goesIn('c1').read('c1', '');
    update(update(story, 'c2', 'x', ''), 'c3', 'y', 'x');
    story.write('c1', 'a', '', 'y').goesOut('c1');
    expect(check(story).values['lost']).toBe(2);
  });

  it('does not depend on the order in which answers stand in the file', () => {
    const story = new Story().goesIn('c1').goesIn('c2');
    const first = story.invoke('c1', 'write', { value: 'a', basis: '' });
    const second = story.invoke('c2', 'write', { value: 'b', basis: 'a' });
    story.line('c2', { type: 'ok', op: second, f: 'write', key: KEY, replaced: 'a' }).goesOut('c2');
    story.line('c1', { type: 'ok', op: first, f: 'write', key: KEY, replaced: '' }).goesOut('c1');
    expect(check(story).verdict).toBe('pass');
  });

  it('waits for an answer that stands further down before it calls an update lost', () => {
    const story = new Story().goesIn('c1').goesIn('c2');
    const first = story.invoke('c1', 'write', { value: 'a', basis: '' });
    story.write('c2', 'b', '', 'a').goesOut('c2');
    story.line('c1', { type: 'ok', op: first, f: 'write', key: KEY, replaced: '' }).goesOut('c1');
    expect(check(story)).toMatchObject({ verdict: 'fail', values: { lost: 1 } });
  });

  it('does not call a write lost whose writer got no answer', () => {
    const story = new Story().goesIn('c1').goesIn('c2');
    const op = story.invoke('c1', 'write', { value: 'a', basis: '' });
    story.line('c1', { type: 'info', op, f: 'write', key: KEY, reason: 'timeout' });
    story.write('c2', 'b', '', 'a').goesOut('c2').goesOut('c1');
    const result = check(story);
    expect(result).toMatchObject({ verdict: 'pass', values: { lost: 0 } });
    expect(result.findings).toMatchObject([{ counts: false }]);
  });

  it('does not call a write lost whose writer died before its exit, though it was answered', () => {
    const story = new Story()
      .goesIn('c1')
      .write('c1', 'a', '', '')
      .kill('c1')
      .death('c1')
      .goesIn('c2')
      .write('c2', 'b', '', 'a')
      .goesOut('c2');
    expect(check(story)).toMatchObject({ verdict: 'pass', values: { lost: 0, indeterminate: 1 } });
  });

  it('counts what the resource fenced off', () => {
    const story = new Story().goesIn('c1');
    const op = story.invoke('c1', 'write', { value: 'a', basis: '' });
    story.line('c1', { type: 'fail', op, f: 'write', key: KEY, reason: 'token 3 below 4' }).goesOut('c1');
    expect(check(story)).toMatchObject({ verdict: 'pass', values: { fencedOff: 1 } });
  });
});
