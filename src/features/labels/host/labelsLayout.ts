/** A run's labels as a document: how far judge and people agree, with links to the attempts on which they differ. */
import * as vscode from 'vscode';
import { writeSection } from '../../../host/documents/layout/layout.ts';
import { marked, written } from '../../../host/documents/layout/line.ts';
import { Page, type LaidOut } from '../../../host/documents/layout/page.ts';
import { count, rate } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import type { Agreement, Kappa } from '../core/agreement.ts';
import type { LabelledRun } from '../node/labelledRun.ts';

/** Attempts listed under a heading. */
const listed = 200;

/** @param run its name */
export function layLabels({ agreement, rescored, gone }: LabelledRun, run: string): LaidOut {
  const page = new Page();
  const title = vscode.l10n.t('Labels of “{0}”', run);
  page.part({ kind: 'document', title }, () => {
    const start = title.indexOf(`“${run}”`);
    page.write({ text: title, marks: [{ start, end: start + run.length + 2, means: { kind: 'run' } }] });
    page.write(
      agreement.labelled === 0
        ? `  ${vscode.l10n.t('No attempt is labelled yet. “Label Attempt…” in the menu of an attempt does it.')}`
        : `  ${vscode.l10n.t('Labelled attempts: {0}', count(agreement.labelled))}`,
    );
  });
  if (agreement.labelled === 0 && gone.length === 0) return page.done();
  writeAgreement(page, vscode.l10n.t('Agreement of judge and people'), agreement);
  if (rescored !== null) writeAgreement(page, vscode.l10n.t('Agreement by the rescored verdicts'), rescored);
  const { disputed, unjudged, labels } = agreement;
  writeTraces(page, vscode.l10n.t('People differ; in no figure above'), disputed);
  if (labels.length > 0) {
    writeSection(page, vscode.l10n.t('Labels'), () => {
      for (const { label, attempts, solved } of labels) {
        page.write(`  ${label}  ${vscode.l10n.t('attempts: {0}, solved: {1}', count(attempts), count(solved))}`);
      }
    });
  }
  const left = [
    ...(unjudged === 0
      ? []
      : [vscode.l10n.t('Attempts that people judged and the checker failed on: {0}', count(unjudged))]),
    ...(gone.length === 0
      ? []
      : [vscode.l10n.t('Labels of attempts that the run does not hold: {0}', count(gone.length))]),
  ];
  if (left.length > 0) page.write('', left);
  return page.done();
}

function writeAgreement(page: Page, title: string, { share, kappa, table, people, differ }: Agreement): void {
  writeSection(page, title, () => {
    if (share.attempts === 0) {
      page.write(`  ${vscode.l10n.t('No attempt has a verdict of people and of the judge.')}`);
      return;
    }
    const interval = `[${percent(share.low)}, ${percent(share.high)}]`;
    page.write(
      `  ${vscode.l10n.t('They say the same of {0} of {1}: {2} {3}', count(share.successes), count(share.attempts), percent(share.p ?? 0), interval)}`,
      `  ${kappaWords(kappa)}`,
      '',
      `  ${vscode.l10n.t('both pass: {0}', count(table.bothPass))}`,
      `  ${vscode.l10n.t('both fail: {0}', count(table.bothFail))}`,
      `  ${vscode.l10n.t('the judge alone passes: {0}', count(table.judgeAlone))}`,
      `  ${vscode.l10n.t('people alone pass: {0}', count(table.peopleAlone))}`,
    );
    if (people.attempts > 0) {
      page.write(
        `  ${vscode.l10n.t('of {0} pairs of people’s verdicts, equal: {1}', count(people.attempts), count(people.successes))}`,
      );
    }
    page.write(
      '',
      `  ${vscode.l10n.t('People chose which attempts to label: the figures are of these, not of the run.')}`,
    );
  });
  writeTraces(page, vscode.l10n.t('The judge passes what people fail'), differ.judgeAlone);
  writeTraces(page, vscode.l10n.t('People pass what the judge fails'), differ.peopleAlone);
}

function kappaWords(kappa: Kappa | null): string {
  if (kappa === null) return vscode.l10n.t('Cohen’s κ needs 10 attempts that are not all alike.');
  const { value, interval } = kappa;
  return interval === null
    ? vscode.l10n.t('Cohen’s κ {0}, no interval: too little varies', rate(value))
    : vscode.l10n.t('Cohen’s κ {0} [{1}, {2}]', rate(value), rate(interval.low), rate(interval.high));
}

function writeTraces(page: Page, title: string, traces: readonly string[]): void {
  if (traces.length === 0) return;
  writeSection(page, title, () => {
    for (const trace of traces.slice(0, listed)) page.write(written('  ', marked(trace, { kind: 'trace', trace })));
    if (traces.length > listed) page.write(`  ${vscode.l10n.t('and {0} more', count(traces.length - listed))}`);
  });
}
