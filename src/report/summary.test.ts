import { expect, it } from 'vitest';
import { widthOf } from './columns.ts';
import { result } from './result.fixture.ts';
import { renderSummary } from './summary.ts';

const PLAIN = { width: 100, color: false, unicode: true };
const UNEXPECTED = result({ lock: 'redlock', verdict: 'inconclusive', expected: 'holds', asExpected: false });
const SKIPPED = { scenario: 'failover', lock: 'single', reason: 'failover tells no story of single: there is nothing to fail over to' };

it('tells of each run, each skipped one, and how long they took', () => {
  expect(renderSummary([result(), UNEXPECTED], [SKIPPED], PLAIN)).toMatchInlineSnapshot(`
    "
     SUMMARY
       scenario  lock      verdict        time  as expected
     ✓ failover  sentinel  VIOLATED      8.1 s  yes (violated:mutual-exclusion:split-brain)
     ✗ failover  redlock   INCONCLUSIVE  8.1 s  no, should be holds
     – failover  single    skipped              failover tells no story of single: there is nothing to
                                                fail over to

    "
  `);
});

it.each([60, 70, 100])('keeps to %i columns and loses no word', (width) => {
  const long = result({ scenario: 's'.repeat(60), lock: 'ロ'.repeat(40) });
  for (const runs of [
    [result(), UNEXPECTED],
    [result(), long],
  ]) {
    const text = renderSummary(runs, [SKIPPED], { ...PLAIN, width });
    for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(width);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('nothing to fail over to');
    expect(text.replaceAll(/\s+/g, '')).toContain('violated:mutual-exclusion:split-brain');
  }
});

it('is ASCII and harmless where it must be', () => {
  const text = renderSummary([result({ lock: '\u001b[2J×' })], [{ ...SKIPPED, reason: '\u0007' }], { ...PLAIN, unicode: false });
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
});
