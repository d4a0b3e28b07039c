import { describe, expect, it } from 'vitest';
import { Story } from '../history/story.fixture.ts';
import { checkStory } from './check-story.fixture.ts';
import { Coverage } from './coverage.ts';

const check = (story: Story, faultsMeetLiveLock = true) => checkStory(new Coverage({ coverage: { faultsMeetLiveLock } }), story.ended());

describe('coverage', () => {
  it('passes with a grant, contention, and a fault that met a live lock', () => {
    const story = new Story()
      .acquire('c1', { nodes: ['redis-1'] })
      .enter('c1')
      .refused('c2')
      .fault('kill', 'inject')
      .goesOut('c1');
    expect(check(story)).toMatchObject({ verdict: 'pass', measured: { value: '1 of 1' } });
  });

  it('is inconclusive without any grant', () => {
    const result = check(new Story().refused('c1'));
    expect(result.verdict).toBe('inconclusive');
    expect(result.findings[0]?.text).toContain('Nobody was ever granted');
  });

  it('is inconclusive where nobody wanted it while another was inside', () => {
    expect(check(new Story().turn('c1').turn('c2')).verdict).toBe('inconclusive');
  });

  it('is inconclusive where a contender wanted it only while it was inside itself', () => {
    expect(check(new Story().goesIn('c1').refused('c1').goesOut('c1')).verdict).toBe('inconclusive');
  });

  it('is inconclusive where a fault came after the lock was released, or on another node', () => {
    const story = () =>
      new Story()
        .acquire('c1', { nodes: ['redis-1'] })
        .enter('c1')
        .refused('c2');
    expect(check(story().goesOut('c1').fault('kill', 'inject').fault('kill', 'healed')).verdict).toBe('inconclusive');
    expect(
      check(
        story()
          .fault('kill', 'inject', { nodes: ['redis-2'] })
          .goesOut('c1'),
      ).verdict,
    ).toBe('inconclusive');
  });

  it('is inconclusive where the lease had ended by then', () => {
    const story = new Story({ ttl: 100 })
      .acquire('c1', { nodes: ['redis-1'] })
      .enter('c1')
      .refused('c2')
      .wait(200)
      .fault('kill', 'inject');
    expect(check(story).verdict).toBe('inconclusive');
  });

  it('lets a grant meet a fault that is already there', () => {
    const story = new Story()
      .fault('cut', 'inject')
      .acquire('c1', { nodes: ['redis-1'] })
      .enter('c1')
      .refused('c2')
      .goesOut('c1');
    expect(check(story).verdict).toBe('pass');
  });

  it('asks for no such meeting where the scenario does not', () => {
    const story = new Story().goesIn('c1').refused('c2').goesOut('c1').fault('kill', 'inject');
    expect(check(story, false).verdict).toBe('pass');
  });
});
