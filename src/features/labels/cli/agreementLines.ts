/** The agreement of judge and people, drawn for a terminal. */
import { wrap } from '../../../cli/text/displayWidth.ts';
import { count, percent, plural, rate } from '../../../cli/text/numbers.ts';
import { style } from '../../../cli/text/style.ts';
import { onOneLine, type Printable } from '../../../cli/text/styled.ts';
import type { LabelledRun } from '../node/labelledRun.ts';

/** Attempts that are named; `--json` names all. */
const named = 5;

export function agreementLines({ agreement, gone }: LabelledRun, columns: number): Printable[] {
  const { labelled, table, share, kappa, differ, disputed, unjudged, people, labels } = agreement;
  if (labelled === 0) return ['No attempt has a label. Add one with --trace ID --pass, --fail or --label WORD.'];
  const said = (text: string): string[] => wrap(text, Math.max(20, columns), '');
  const compared = share.attempts;
  const lines: Printable[] = [
    ...said(`${plural(labelled, 'labelled attempt')}; ${count(compared)} with a verdict of people and of the judge.`),
  ];
  if (compared > 0) {
    const interval = `[${percent(share.low)}, ${percent(share.high)}]`;
    lines.push(...said(`Judge and people agree on ${percent(share.p)} ${interval} of them, ${kappaWords(kappa)}.`));
    lines.push(
      '',
      '               judge passes  judge fails',
      `people pass    ${cell(table.bothPass)}  ${cell(table.peopleAlone)}`,
      `people fail    ${cell(table.judgeAlone)}  ${cell(table.bothFail)}`,
      '',
      ...said('People chose which attempts to label: the figures are of these, not of the run.'),
    );
  }
  lines.push(...listed('The judge passes what people fail:', differ.judgeAlone));
  lines.push(...listed('People pass what the judge fails:', differ.peopleAlone));
  lines.push(...listed('People differ, so these are in no figure:', disputed));
  if (people.attempts > 0)
    lines.push(
      ...said(`People agree in ${count(people.successes)} of ${plural(people.attempts, 'pair')} of verdicts.`),
    );
  if (unjudged > 0) lines.push(...said(`The checker failed on ${plural(unjudged, 'attempt')} that people judged.`));
  if (gone.length > 0) lines.push(...said(`${plural(gone.length, 'label')} of attempts that the run does not hold.`));
  if (labels.length === 0) return lines;
  return [
    ...lines,
    '',
    style.accent('Labels'),
    ...labels.map(({ label, attempts, solved }) =>
      onOneLine(`  ${label}  ${plural(attempts, 'attempt')}, ${count(solved)} solved`),
    ),
  ];
}

const cell = (value: number): string => count(value).padStart(12);

const kappaWords = (kappa: { value: number; low: number; high: number } | null): string =>
  kappa === null
    ? 'without κ, which needs 10 attempts that are not all alike'
    : `Cohen’s κ ${rate(kappa.value)} [${rate(kappa.low)}, ${rate(kappa.high)}]`;

function listed(title: string, traces: readonly string[]): Printable[] {
  if (traces.length === 0) return [];
  const more = traces.length > named ? [style.dim(`  and ${count(traces.length - named)} more (--json)`)] : [];
  return ['', title, ...traces.slice(0, named).map((id) => onOneLine(`  ${id}`)), ...more];
}
