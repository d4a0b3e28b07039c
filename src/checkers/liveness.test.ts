import { describe, expect, it } from 'vitest';
import { KEY, Story } from '../history/story.fixture.ts';
import { checkStory } from './check-story.fixture.ts';
import { Liveness } from './liveness.ts';

const check = (story: Story) => checkStory(new Liveness(1_000), story.ended());

describe('liveness', () => {
  it('passes, and tells the first grant after a promotion', () => {
    const story = new Story()
      .turn('c1')
      .line('nemesis', { type: 'milestone', step: 'promotion', what: 'promoted', node: 'redis-7', detail: '' })
      .wait(97)
      .turn('c2');
    expect(check(story)).toMatchObject({ verdict: 'pass', measured: { what: 'first grant after promotion', value: '99 ms' } });
  });

  it('fails where the lock did not work again', () => {
    const story = new Story().turn('c1').line('nemesis', { type: 'milestone', step: 'recovery', what: 'missed', detail: '0 of 2 grants' });
    expect(check(story).verdict).toBe('fail');
  });

  it('fails for an attempt pending over 3 ttl while nobody was inside', () => {
    const story = new Story();
    const op = story.invoke('c1', 'acquire');
    story.wait(3_500).line('c1', { type: 'fail', op, f: 'acquire', key: KEY, reason: 'late' });
    expect(check(story)).toMatchObject({ verdict: 'fail', values: { hanging: 1 } });
  });

  it('lets an attempt wait for as long as another is inside', () => {
    const story = new Story().goesIn('c2');
    const op = story.invoke('c1', 'acquire');
    story.wait(5_000).goesOut('c2').line('c1', { type: 'ok', op, f: 'acquire', key: KEY, token: 'c1' });
    expect(check(story).verdict).toBe('pass');
  });

  it('lets an attempt fail late while another has been inside all along', () => {
    const story = new Story().goesIn('c2');
    const op = story.invoke('c1', 'acquire');
    story.wait(5_000).line('c1', { type: 'fail', op, f: 'acquire', key: KEY, reason: 'late' });
    expect(check(story).verdict).toBe('pass');
  });

  it('fails for one that is still pending at the end', () => {
    const story = new Story();
    story.invoke('c1', 'acquire');
    expect(check(story.wait(4_000).refused('c2')).verdict).toBe('fail');
  });
});
