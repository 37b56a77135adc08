/** The agreement of judge and people, drawn for a terminal. */
import { wrap } from '../../../cli/text/displayWidth.ts';
import { count, plural, rate } from '../../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../../shared/text/figures/shares.ts';
import { style } from '../../../cli/text/style.ts';
import { onOneLine, type Printable } from '../../../cli/text/styled.ts';
import type { Agreement, Kappa } from '../core/agreement.ts';
import type { LabelledRun } from '../node/labelledRun.ts';

/** Attempts that are named; `--json` names all. */
const named = 5;

export function agreementLines({ agreement, rescored, gone }: LabelledRun, columns: number): Printable[] {
  const { labelled, share, disputed, unjudged, people, labels } = agreement;
  const said = (text: string): string[] => wrap(text, Math.max(20, columns), '');
  const left = [
    ...(people.attempts === 0
      ? []
      : [`People agree in ${count(people.successes)} of ${plural(people.attempts, 'pair')} of verdicts.`]),
    ...(unjudged === 0 ? [] : [`The checker failed on ${plural(unjudged, 'attempt')} that people judged.`]),
    ...(gone.length === 0 ? [] : [`${plural(gone.length, 'label')} of attempts that the run does not hold.`]),
  ];
  if (labelled === 0) {
    return ['No attempt has a label. Add one with --trace ID --pass, --fail or --label WORD.', ...left.flatMap(said)];
  }
  return [
    ...said(
      `${plural(labelled, 'labelled attempt')}; ${count(share.attempts)} with a verdict of people and of the judge.`,
    ),
    ...judgedLines(agreement, said),
    ...(rescored === null ? [] : rescoredLines(rescored, said)),
    ...listed('People differ, so these are in no figure:', disputed),
    ...left.flatMap(said),
    ...(labels.length === 0 ? [] : ['', style.accent('Labels')]),
    ...labels.map(({ label, attempts, solved }) =>
      onOneLine(`  ${label}  ${plural(attempts, 'attempt')}, ${count(solved)} solved`),
    ),
  ];
}

const rescoredLines = (rescored: Agreement, said: (text: string) => string[]): Printable[] => [
  ...['', style.accent(`By the rescored verdicts, of ${plural(rescored.share.attempts, 'attempt')}`)],
  ...judgedLines(rescored, said),
];

function judgedLines({ table, share, kappa, differ }: Agreement, said: (text: string) => string[]): Printable[] {
  if (share.attempts === 0) return [];
  const interval = `[${percentToTenth(share.low)}, ${percentToTenth(share.high)}]`;
  return [
    ...said(`Judge and people agree on ${percentToTenth(share.p)} ${interval} of them, ${kappaWords(kappa)}.`),
    '',
    '               judge passes  judge fails',
    `people pass    ${cell(table.bothPass)}  ${cell(table.peopleAlone)}`,
    `people fail    ${cell(table.judgeAlone)}  ${cell(table.bothFail)}`,
    '',
    ...said('People chose which attempts to label: the figures are of these, not of the run.'),
    ...listed('The judge passes what people fail:', differ.judgeAlone),
    ...listed('People pass what the judge fails:', differ.peopleAlone),
  ];
}

const cell = (value: number): string => count(value).padStart(12);

function kappaWords(kappa: Kappa | null): string {
  if (kappa === null) return 'without κ, which needs 10 attempts that are not all alike';
  const { value, interval } = kappa;
  const known =
    interval === null ? ', no interval: too little varies' : ` [${rate(interval.low)}, ${rate(interval.high)}]`;
  return `Cohen’s κ ${rate(value)}${known}`;
}

function listed(title: string, traces: readonly string[]): Printable[] {
  if (traces.length === 0) return [];
  const more = traces.length > named ? [style.dim(`  and ${count(traces.length - named)} more (--json)`)] : [];
  return ['', title, ...traces.slice(0, named).map((id) => onOneLine(`  ${id}`)), ...more];
}
