import { describe, expect, it } from 'vitest';
import { KEY, Story } from '../history/story.fixture.ts';
import { nanos } from '../model/time.ts';
import { checkStory } from './check-story.fixture.ts';
import { ReleaseCheck } from './release.ts';

const check = (story: Story) => checkStory(new ReleaseCheck(), story.ended());

/** c2 is granted on redis-1, and c1's release is answered 1 there. `invokedBefore`: it was sent before c2 had been told. */
const releaseAround = (invokedBefore: boolean): Story => {
  const story = new Story({ ttl: 10_000 }).acquire('c1', { nodes: ['redis-1'] }).wait(100);
  const send = (): number => story.invoke('c1', 'release', { token: 'c1' });
  let op = 0;
  if (invokedBefore) op = send();
  story
    .acquire('c2', { nodes: ['redis-1'] })
    .enter('c2')
    .wait(5);
  if (!invokedBefore) op = send();
  return story.line('c1', { type: 'ok', op, f: 'release', key: KEY, answers: [{ node: 'redis-1', said: '1', at: story.now + nanos(1) }] });
};

describe('release', () => {
  it('passes where an own key is released, though the next grant’s line stands before the answer', () => {
    // Met on real servers: the DEL took effect, the next SET won, and its ok was written before the release's.
    expect(check(releaseAround(true)).verdict).toBe('pass');
  });

  it('fails where the owner had been told before the release was sent', () => {
    expect(check(releaseAround(false))).toMatchObject({ verdict: 'fail', values: { thefts: 1 } });
  });

  it('says nothing of a key whose lease had ended: it may have been anybody’s', () => {
    const story = new Story({ ttl: 50 }).acquire('c2', { nodes: ['redis-1'] }).wait(100);
    const op = story.invoke('c1', 'release', { token: 'c1' });
    story.line('c1', { type: 'ok', op, f: 'release', key: KEY, answers: [{ node: 'redis-1', said: '1', at: story.now }] });
    expect(check(story).verdict).toBe('pass');
  });
});
