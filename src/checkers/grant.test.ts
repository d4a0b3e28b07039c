import { describe, expect, it } from 'vitest';
import { KEY, Story } from '../history/story.fixture.ts';
import { nanos } from '../model/time.ts';
import { checkStory } from './check-story.fixture.ts';
import { GrantCheck } from './grant.ts';

const check = (story: Story) => checkStory(new GrantCheck(1_000), story.ended());

describe('grant', () => {
  it('passes with the least time left, the lock’s own claim included', () => {
    const story = new Story().acquire('c1', { took: 100, until: nanos(502) }).acquire('c2', { took: 300 });
    // c1: invoke at 2 ms, ok at 103 ms, claims until 502 ms
    expect(check(story)).toMatchObject({ verdict: 'pass', measured: { value: '399 ms' } });
  });

  it('fails where the lease had ended at the ok', () => {
    expect(check(new Story().acquire('c1', { took: 1_200 }))).toMatchObject({ verdict: 'fail', values: { bad: 1 } });
  });

  it('counts from the winning attempt where the lock says when it began', () => {
    expect(check(new Story().acquire('c1', { took: 1_200, start: nanos(1_100) })).verdict).toBe('pass');
  });

  it('fails where the lock claims more than the ttl', () => {
    expect(check(new Story().acquire('c1', { until: nanos(5_000) })).verdict).toBe('fail');
  });

  it('does not charge the lock where its process was stopped after the replies had come', () => {
    const story = new Story();
    const op = story.invoke('c1', 'acquire');
    const seen = story.now;
    story.wait(3_000).line('c1', { type: 'gap', from: seen + nanos(5), to: seen + nanos(2_990), cpu: 0 });
    story.line('c1', {
      type: 'ok',
      op,
      f: 'acquire',
      key: KEY,
      token: 't',
      answers: [{ node: 'redis-1', said: 'granted', at: seen + nanos(4) }],
    });
    expect(check(story)).toMatchObject({ verdict: 'pass', values: { undetermined: 1 } });
  });
});
