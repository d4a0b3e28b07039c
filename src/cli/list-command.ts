/** `redlock-chaos list`: the scenarios and the locks, or one scenario's story. */
import type { Command } from 'commander';
import { LOCKS } from '../locks/catalogue.ts';
import type { Scenario, Step, Story, Trigger } from '../model/scenario.ts';
import { named } from '../run/resolve.ts';
import { expectationInWords } from '../verdict/expectation-in-words.ts';

const overview = (scenarios: readonly Scenario[]): string => {
  const rows = (title: string, all: readonly { readonly name: string; readonly sentence: string }[]): string[] => {
    const width = Math.max(...all.map(({ name }) => name.length));
    return [title, ...all.map(({ name, sentence }) => `  ${name.padEnd(width)}  ${sentence}`), ''];
  };
  return [...rows('Scenarios', scenarios), ...rows('Locks', LOCKS)].join('\n');
};

const moment = (when: Trigger): string => {
  switch (when.on) {
    case 'previous':
      return when.plus === undefined ? 'at once' : when.plus === 'ttl' ? 'one ttl later' : `${when.plus} ms later`;
    case 'event':
      return `at the ${when.count ?? 1}. ${when.type} of ${when.by ?? 'any contender'}`;
    case 'gate':
      return `with everyone held at the gate before acquire, after ${when.after} exits`;
    case 'time':
      return `at ${when.at} ms`;
  }
};

const action = (step: Step): string => {
  if ('heal' in step) return `heal ${step.heal.join(', ')}`;
  if ('await' in step) return `wait for ${step.await}`;
  const { kind, ...parameters } = step.inject;
  return [kind, ...Object.entries(parameters).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
};

const storyInWords = (topology: string, { workload, steps, expect }: Story): string[] => [
  `On ${topology} Redis: ${workload.contenders} contenders, ttl ${workload.ttl} ms; expected: ${expectationInWords(expect)}${expect.why ? `, since ${expect.why}` : ''}`,
  ...steps.map(
    (step, index) =>
      `  ${index + 1}. ${step.name}: ${moment(step.when)}: ${action(step)}${step.detain ? '; the holder is kept inside until another has left' : ''}`,
  ),
  '',
];

const oneScenario = (scenario: Scenario): string =>
  [
    `${scenario.name}: ${scenario.sentence}`,
    '',
    scenario.story,
    '',
    ...Object.entries(scenario.stories).flatMap(([topology, story]) => storyInWords(topology, story)),
    'Sources',
    ...scenario.sources.map((source) => `  ${source}`),
    '',
  ].join('\n');

export const addListCommand = (program: Command, scenarios: readonly Scenario[]): void => {
  program
    .command('list')
    .description('List scenarios and locks, or tell one scenario')
    .argument('[scenario]')
    .action((name?: string) => {
      process.stdout.write(name === undefined ? overview(scenarios) : oneScenario(named('scenario', name, scenarios)));
    });
};
