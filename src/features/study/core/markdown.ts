/** A study's results as a page of documentation: every figure is the study's own. */
import type { StudyResults } from '../contract/page.ts';
import { measureCell } from '../contract/measureCell.ts';
import { saidValue } from '../contract/saidValue.ts';
import { saidP, unitOf } from './results.ts';
import { ends } from '../../../shared/text/figures/intervals.ts';
import { count, fixed } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';

/** Names come from files: nothing in them ends a cell or begins markup. */
const plain = (text: string): string =>
  text.replaceAll(/[\n\r]+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|]/g, (mark) => `\\${mark}`);

function table(heads: readonly string[], numbers: number, rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map((_, i) => (i < numbers ? '---' : '---:'))), ...rows.map(line)];
}

/** Lines, without the newline. */
export function studyMarkdown(results: StudyResults): string[] {
  const { name, runs, finished, seeds, budget, measures, arms, comparisons, family, level, test, racing } = results;
  const spent = `${count(budget.amount)} ${budget.kind}`;
  const armRows = arms.map((arm, a) => [
    plain(arm.dropped === null ? arm.name : `${arm.name} (stopped: ${arm.dropped})`),
    `${arm.finished}/${seeds.length}`,
    ...measures.map((_, m) => measureCell(results, a, m)),
  ]);
  const pairRows = comparisons.flatMap((one) => {
    const head = measures[one.measure];
    if (head === undefined) return [];
    return [
      [
        plain(`${arms[one.arm]?.name ?? ''} − ${arms[one.against]?.name ?? ''}`),
        plain(head.label),
        `${saidValue(one.difference, head)} ${ends(saidValue(one.low, head), saidValue(one.high, head))}${unitOf(head, true)}`,
        saidP(one.p).replace('= ', ''),
        saidP(one.adjusted).replace('= ', ''),
        one.effect === null ? '–' : fixed(one.effect, 2),
        `${Math.round(one.better * one.pairs)}/${one.pairs}`,
        one.power === null ? '–' : percent(one.power),
        one.seedsFor === null ? '–' : String(one.seedsFor),
      ],
    ];
  });
  const heads = measures.map(({ label, unit }) => plain(unit === 'share' ? `${label}, %` : label));
  return [
    `# ${plain(name)}`,
    '',
    `${finished} of ${runs} runs finished, ${spent} each; seeds ${seeds.join(', ')}.`,
    ...(racing === null ? [] : ['', `Racing: ${racing}.`]),
    '',
    ...results.sentences.map((sentence) => `- ${plain(sentence)}`),
    '',
    '## Arms',
    '',
    'Means with 95 % t intervals over seeds.',
    '',
    ...table(['arm', 'runs', ...heads], 1, armRows),
    ...(pairRows.length === 0
      ? []
      : [
          ...['', '## Differences, paired by seed', ''],
          `${plain(test)}; ${plain(family)}; level ${level}.`,
          '',
          ...table(
            ['arms', 'measure', 'difference [95 %]', 'p', 'p, Holm', 'g', 'seeds with more', 'power', 'seeds for 80 %'],
            2,
            pairRows,
          ),
        ]),
  ];
}
