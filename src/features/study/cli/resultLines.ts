/** A study in a terminal. */
import { wrap } from '../../../cli/text/displayWidth.ts';
import { style } from '../../../cli/text/style.ts';
import type { Printable } from '../../../cli/text/styled.ts';
import { table } from '../../../cli/text/table.ts';
import type { StudyResults } from '../contract/page.ts';
import { measureCell } from '../contract/measureCell.ts';
import { saidValue } from '../contract/saidValue.ts';
import { saidP, unitOf } from '../core/results.ts';
import type { StudyWorkload } from '../core/workload.ts';
import type { Study } from '../contract/file.ts';
import type { OpenStudy } from '../node/openStudy.ts';
import { count, fixed } from '../../../shared/text/figures/numbers.ts';

const measure = 100;
export function workloadLines({ plan, study, folder }: OpenStudy, work: StudyWorkload): string[] {
  const { budget } = plan;
  const done = [...folder.members.values()].filter(({ finished }) => finished !== null).length;
  const tokens =
    work.tokens === null
      ? work.basis === 'measured'
        ? ['tokens not known: those of some attempts were not counted']
        : []
      : [
          `${work.basis === 'limits' ? 'at most ' : ''}${count(work.tokens)} tokens${work.basis === 'limits' ? ' without prompts' : ''}`,
        ];
  return [
    `${study.name}: ${work.arms} arms × ${work.seeds} seeds = ${count(work.runs)} runs of ${count(budget.amount)} ${budget.kind} each` +
      (done > 0 ? `, ${done} of them finished` : ''),
    [...(work.rollouts === null ? [] : [`${count(work.rollouts)} rollouts`]), ...tokens].join(', '),
    ...(work.hoursLeft === null
      ? ['How long it takes is told after the first run.']
      : [
          `${fixed(work.hoursLeft, work.hoursLeft < 10 ? 1 : 0)} hours left, one run after another, at the measured rate`,
        ]),
    ...(work.cost === null ? [] : [`${fixed(work.cost, 2)} at the given price`]),
    sharedLine(study),
  ].filter((line) => line !== '');
}

function sharedLine({ bySeed }: Study): string {
  const fields = Object.keys(bySeed);
  return fields.length === 0
    ? 'Shared: all runs of one endpoint start from the same weights, and runs of one seed from the same random choices.'
    : `Shared: runs of one seed make the same random choices and have the same ${new Intl.ListFormat('en').format(fields)}, which differ between seeds.`;
}

export function resultLines(results: StudyResults, columns: number): Printable[] {
  const { arms, measures, comparisons, sentences } = results;
  const wide = Math.min(measure, columns);
  const cells = table(
    [
      { title: 'arm', cell: ({ name, dropped }) => (dropped === null ? name : `${name} (stopped: ${dropped})`) },
      { title: 'runs', cell: ({ finished }) => `${finished}/${results.seeds.length}`, right: true },
      ...measures.map((head, m) => ({
        title: `${head.label}${head.unit === 'share' ? ', %' : ''}`,
        right: true,
        cell: (arm: (typeof arms)[number]) => measureCell(results, arms.indexOf(arm), m),
      })),
    ],
    arms,
  );
  const pairs = table(
    [
      { title: 'comparison', cell: ({ arm, against }) => `${arms[arm]?.name ?? ''} − ${arms[against]?.name ?? ''}` },
      { title: 'measure', cell: ({ measure: m }) => measures[m]?.label ?? '' },
      {
        title: 'difference',
        cell: ({ measure: m, difference, low, high }) => {
          const head = measures[m];
          if (head === undefined) return '';
          return `${saidValue(difference, head)} [${saidValue(low, head)}, ${saidValue(high, head)}]${unitOf(head, true)}`;
        },
      },
      { title: 'p', cell: ({ p }) => saidP(p).replace('= ', '') },
      { title: 'Holm', cell: ({ adjusted }) => saidP(adjusted).replace('= ', '') },
      { title: 'g', cell: ({ effect }) => (effect === null ? '–' : fixed(effect, 2)), right: true },
      { title: 'seeds', cell: ({ pairs: n }) => String(n), right: true },
    ],
    comparisons,
  );
  return [
    '',
    style.bold(results.name),
    ...cells,
    ...(comparisons.length === 0 ? [] : ['', ...pairs]),
    '',
    ...sentences.flatMap((sentence) => wrap(sentence, wide)),
  ];
}
