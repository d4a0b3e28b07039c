import { describe, expect, it } from 'vitest';
import { KEY, Story } from '../history/story.fixture.ts';
import { checkStory } from './check-story.fixture.ts';
import { FencingCheck } from './fencing.ts';

const check = (story: Story) => checkStory(new FencingCheck(), story.ended());

describe('fencing', () => {
  it('passes where each later grant has the higher token, also beyond 2^53', () => {
    expect(check(new Story().acquire('c1', { fencing: '9007199254740993' }).acquire('c2', { fencing: '9007199254740994' })).verdict).toBe(
      'pass',
    );
  });

  it('informs where the lock gives none', () => {
    expect(check(new Story().acquire('c1')).verdict).toBe('info');
  });

  it('fails for two equal tokens', () => {
    expect(check(new Story().acquire('c1', { fencing: '7' }).acquire('c2', { fencing: '7' })).verdict).toBe('fail');
  });

  it('fails where a grant asked for after another was given has the lower token', () => {
    expect(check(new Story().acquire('c1', { fencing: '7' }).acquire('c2', { fencing: '6' })).verdict).toBe('fail');
  });

  it('lets concurrent grants differ in either order', () => {
    const story = new Story();
    const op = story.invoke('c2', 'acquire');
    story.acquire('c1', { fencing: '7' }).line('c2', { type: 'ok', op, f: 'acquire', key: KEY, token: 'c2', fencing: '6' });
    expect(check(story).verdict).toBe('pass');
  });
});
