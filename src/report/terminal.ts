/** The terminal report of one run: phases, timeline, checks with their measured values, why, and the verdict. */
import { duration } from '../model/phrases.ts';
import type { Phase, RunResult } from '../model/verdict.ts';
import { cutTo, padTo, widthOf } from './columns.ts';
import { drawChecks } from './draw-checks.ts';
import { drawTimeline } from './draw-timeline.ts';
import { drawFooter } from './footer.ts';
import { type Style, styleOf, type TerminalOptions } from './style.ts';
import type { Timeline } from './timeline.ts';
import { wrap } from './wrap.ts';

export const renderTerminal = (result: RunResult, timeline: Timeline, options: TerminalOptions & { readonly cwd: string }): string => {
  const style = styleOf(options);
  const sections = [
    header(result, style),
    result.phases.flatMap((phase) => phaseLines(phase, style)),
    timeline.keys.length > 0 ? drawTimeline(timeline, style) : [],
    titled('CHECKS', result.checks.length > 0 ? drawChecks(result.checks, style) : [], style),
    titled('WHY', paragraphs(result.outcome, style), style),
    titled('DOUBTS', paragraphs(result.doubts, style), style),
    drawFooter(result, style, options.cwd),
  ];
  return `\n${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
};

const titled = (name: string, lines: readonly string[], style: Style): readonly string[] =>
  lines.length === 0 ? [] : [` ${style.bold(name)}`, ...lines];

const paragraphs = (sentences: readonly string[], style: Style): string[] =>
  sentences.flatMap((sentence) => wrap(style.text(sentence), style.width, '   '));

/** The seed stands at the right edge, or below where it does not fit. */
const header = ({ scenario, lock, seed, infra }: RunResult, style: Style): string[] => {
  const left = cutTo(`redlock-chaos  ${style.text(scenario)} ${style.times} ${style.text(lock)}`, style.width - 1);
  const right = cutTo(style.text(`${infra}  seed ${seed}`), style.width - 1);
  const gap = style.width - 1 - widthOf(left) - widthOf(right);
  return gap >= 2
    ? [` ${style.bold(left)}${' '.repeat(gap)}${style.dim(right)}`]
    : [` ${style.bold(left)}`, ' '.repeat(style.width - widthOf(right)) + style.dim(right)];
};

const NAME_WIDTH = 9;

const phaseLines = ({ name, ok, summary, took }: Phase, style: Style): string[] => {
  const time = took === 0 ? '' : duration(took);
  const margin = 3 + NAME_WIDTH + 2;
  const [first = '', ...rest] = wrap(style.text(summary), style.width - margin - time.length - 2, '');
  const start = ` ${ok ? style.green(style.done) : style.red(style.fail)} ${padTo(name, NAME_WIDTH)}  `;
  const gap = ' '.repeat(Math.max(1, style.width - margin - widthOf(first) - time.length));
  return [`${start}${first}${gap}${style.dim(time)}`.trimEnd(), ...rest.map((line) => ' '.repeat(margin) + line)];
};
