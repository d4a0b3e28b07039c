/** The terminal report of one run: phases, timeline, checks with their measured values, why, and the verdict. */
import { relative } from 'node:path';
import { duration, plural } from '../model/phrases.ts';
import type { CheckResult, Finding, Phase, RunResult } from '../model/verdict.ts';
import { drawTimeline } from './draw-timeline.ts';
import { escapeText } from './escape.ts';
import { type Style, styleOf, type TerminalOptions } from './style.ts';
import type { Timeline } from './timeline.ts';
import { wrap } from './wrap.ts';

const FINDINGS_SHOWN = 3;
const MIN_WIDTH = 60;
const MAX_WIDTH = 110;

export const renderTerminal = (result: RunResult, timeline: Timeline, options: TerminalOptions & { readonly cwd: string }): string => {
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, options.width));
  const style = styleOf(options);
  const sections = [
    [header(result, width, style)],
    result.phases.map((phase) => phaseLine(phase, width, style)),
    timeline.lanes.length > 0 ? drawTimeline(timeline, width) : [],
    result.checks.length > 0 ? [' CHECKS', ...result.checks.flatMap((check) => checkLines(check, result.checks, width, style))] : [],
    result.outcome.length > 0 ? [' WHY', ...result.outcome.flatMap((sentence) => wrap(escapeText(sentence), width, '   '))] : [],
    result.doubts.length > 0 ? [' DOUBTS', ...result.doubts.flatMap((doubt) => wrap(escapeText(doubt), width, '   '))] : [],
    footer(result, width, style, options.cwd),
  ];
  return `\n${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
};

const header = ({ scenario, lock, seed, infra }: RunResult, width: number, style: Style): string => {
  const left = `redlock-chaos  ${escapeText(scenario)} ${style.times} ${escapeText(lock)}`;
  const right = `${infra}  seed ${escapeText(seed)}`;
  return ` ${style.bold(left)}${right.padStart(Math.max(right.length + 2, width - left.length - 1))}`;
};

const phaseLine = ({ name, ok, summary, took }: Phase, width: number, style: Style): string => {
  const sign = ok ? style.green(style.pass) : style.red(style.fail);
  const left = `${name.padEnd(9)}  ${escapeText(summary)}`;
  const time = name === 'faults' ? '' : duration(took);
  return ` ${sign} ${left}${time.padStart(Math.max(time.length + 2, width - left.length - 3))}`.trimEnd();
};

const sign = ({ verdict }: CheckResult, style: Style): string => {
  switch (verdict) {
    case 'pass':
      return style.green(style.pass);
    case 'fail':
      return style.red(style.fail);
    case 'info':
      return style.dim('-');
    default:
      return style.yellow(style.unsure);
  }
};

/** Passing checks stay on one line; what failed or is unsure opens up. */
const checkLines = (check: CheckResult, all: readonly CheckResult[], width: number, style: Style): string[] => {
  const nameWidth = Math.max(...all.map(({ name }) => name.length));
  const whatWidth = Math.max(...all.map(({ measured }) => measured.what.length));
  const { what, value } = check.measured;
  const start = ` ${sign(check, style)} ${check.name.padEnd(nameWidth)}`;
  const fits = 3 + nameWidth + 2 + whatWidth + 2 + value.length <= width;
  const line = fits
    ? [`${start}  ${escapeText(what).padEnd(whatWidth)}  ${escapeText(value)}`.trimEnd()]
    : [start, ...wrap(escapeText(`${what}: ${value}`), width, '     ')];
  if (check.verdict === 'pass' || check.verdict === 'info') return line;
  const shown = check.findings.slice(0, FINDINGS_SHOWN);
  const more = check.findings.length - shown.length;
  return [
    ...line,
    ...shown.flatMap((finding) => findingLines(finding, width)),
    ...(more > 0 ? [`     and ${plural(more, 'more finding')} in result.json`] : []),
  ];
};

const findingLines = ({ text, why, lines }: Finding, width: number): string[] => {
  const where = lines.length > 0 ? ` (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')})` : '';
  return wrap(escapeText(`${text}${why ? ` It does not count: ${why}.` : ''}${where}`), width, '     ');
};

const footer = (
  { verdict, asExpected, expected, topology, folder, events, failure }: RunResult,
  width: number,
  style: Style,
  cwd: string,
): string[] => {
  const paint = verdict === 'holds' ? style.green : verdict === 'violated' ? style.red : style.yellow;
  const remark = asExpected ? `as expected of a lock on ${topology} Redis` : `not as expected: ${expected}`;
  return [
    ...(failure === undefined ? [] : wrap(`Failed: ${escapeText(failure)}`, width, '   ')),
    ...verdictLines(verdict.toUpperCase(), escapeText(remark), width, (text) => style.bold(paint(text))),
    `   History  ${escapeText(relative(cwd, folder) || folder)}/history.jsonl   ${plural(events, 'line')}`,
  ];
};

/** On one line where there is room; the word alone on the first where there is not. */
const verdictLines = (word: string, remark: string, width: number, paint: (text: string) => string): string[] => {
  const start = `   Verdict  ${paint(word)}`;
  if (12 + word.length + 4 + remark.length <= width) return [`${start}  (${remark})`];
  return [start, ...wrap(`(${remark})`, width, '            ')];
};
