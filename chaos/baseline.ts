/** No fault at all: what a lock must be able to do before anything else is asked of it. */
import { defineScenario } from '../src/index.ts';

const workload = { contenders: 4, ttl: 3_000, hold: [10, 40], think: [5, 20], retry: [5, 20] } as const;

const story = {
  workload,
  steps: [],
  recovery: { grants: 25, within: 10_000 },
  coverage: { faultsMeetLiveLock: false },
  expect: { kind: 'violations', required: [], allowed: [], why: 'nothing is done to it' },
} as const;

export default defineScenario({
  name: 'baseline',
  sentence: 'No fault: four contenders take turns.',
  story: 'Four contenders want the same lock and nothing is done to them. A lock that fails here is broken by itself.',
  sources: ['https://github.com/redisson/redisson/issues/2172'],
  locks: ['single', 'sentinel', 'redlock'],
  stories: { single: story, sentinel: story, independent: story },
});
