/** The report's list of checks: one aligned line each; what failed or is unsure opens up with its first findings. */
import { plural } from '../model/phrases.ts';
import type { CheckResult, Finding } from '../model/verdict.ts';
import { padTo, widthOf } from './columns.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

const FINDINGS_SHOWN = 3;
const INDENT = '     ';

export const drawChecks = (checks: readonly CheckResult[], style: Style): string[] => {
  const rows = checks.map((check) => ({
    check,
    name: style.text(check.name),
    what: style.text(check.measured.what),
    value: style.text(check.measured.value),
  }));
  const widest = (of: (row: (typeof rows)[number]) => string): number => Math.max(...rows.map((row) => widthOf(of(row))));
  const [nameWidth, whatWidth, valueWidth] = [widest(({ name }) => name), widest(({ what }) => what), widest(({ value }) => value)];
  const margin = 3 + nameWidth + 2;
  const fits = margin + whatWidth + 2 + valueWidth <= style.width;
  return rows.flatMap(({ check, name, what, value }) => {
    // Three columns where all rows have room for them; else two, with what and value in one.
    const measured = fits
      ? [`${padTo(what, whatWidth)}  ${value}`.trimEnd()]
      : wrap(value === '' ? what : `${what}: ${value}`, style.width - margin, '');
    return [
      ` ${sign(check, style)} ${padTo(name, nameWidth)}  ${measured[0] ?? ''}`.trimEnd(),
      ...measured.slice(1).map((line) => ' '.repeat(margin) + line),
      ...findings(check, style),
    ];
  });
};

const sign = ({ verdict }: CheckResult, style: Style): string => {
  switch (verdict) {
    case 'pass':
      return style.green(style.pass);
    case 'fail':
      return style.red(style.fail);
    case 'info':
      return style.dim(style.aside);
    default:
      return style.yellow(style.unsure);
  }
};

const findings = ({ verdict, findings: all }: CheckResult, style: Style): string[] => {
  if (verdict === 'pass' || verdict === 'info') return [];
  const more = all.length - FINDINGS_SHOWN;
  return [
    ...all.slice(0, FINDINGS_SHOWN).flatMap((finding) => wrap(style.text(inWords(finding)), style.width, INDENT)),
    ...(more > 0 ? [`${INDENT}and ${plural(more, 'more finding')} in result.json`] : []),
  ];
};

const inWords = ({ text, why, lines }: Finding): string => {
  const doubt = why === undefined ? '' : ` It does not count: ${why}.`;
  const where = lines.length > 0 ? ` (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')})` : '';
  return `${text}${doubt}${where}`;
};
