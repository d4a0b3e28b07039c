/** The public API: what a scenario's or a test's author needs. */
import type { Scenario } from './model/scenario.ts';

export type { Expectation, Violation } from './model/expectation.ts';
export type { FaultSpec, Scenario, Step, Story, Trigger, Workload } from './model/scenario.ts';

/** A scenario, checked by the compiler. It is plain data: it can be printed, kept and run again. */
export const defineScenario = (scenario: Scenario): Scenario => scenario;
