/** The audit of a run's reward as a document: hints with links to the attempts, then the checks without findings. */
import * as vscode from 'vscode';
import type { RunAudit, ToldCheck } from '../node/auditRun.ts';
import type { CheckName } from '../core/audit.ts';
import { writeSection } from '../../../host/documents/layout/layout.ts';
import { marked, written } from '../../../host/documents/layout/line.ts';
import { Page, type LaidOut } from '../../../host/documents/layout/page.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/** Columns of a sentence before it is wrapped. */
const width = 88;

/** @param run its name */
export function layAudit({ attempts, unjudged, checks }: RunAudit, run: string): LaidOut {
  const page = new Page();
  const title = vscode.l10n.t('Reward audit of “{0}”', run);
  page.part({ kind: 'document', title }, () => {
    const start = title.indexOf(`“${run}”`);
    page.write({ text: title, marks: [{ start, end: start + run.length + 2, means: { kind: 'run' } }] });
    page.write(`  ${vscode.l10n.t('{0} judged attempts of training', count(attempts))}`);
    if (unjudged > 0) page.write(`  ${vscode.l10n.t('{0} more have an error for a verdict', count(unjudged))}`);
  });
  const hints = checks.filter(({ hint }) => hint);
  page.write(
    '',
    hints.length === 0 ? vscode.l10n.t('No hint.') : vscode.l10n.t('Hints at what to look at, not verdicts:'),
  );
  for (const check of hints) writeSection(page, titleOf(check.name), () => writeHint(page, check));
  const rest = checks.filter(({ hint }) => !hint);
  if (rest.length === 0) return page.done();
  writeSection(page, vscode.l10n.t('No hint at'), () => {
    for (const { name, words } of rest) page.write(`  ${titleOf(name)}`, wrapped(words, '    '));
  });
  return page.done();
}

function writeHint(page: Page, { words, examples }: ToldCheck): void {
  page.write(wrapped(words, '  '));
  if (examples.length === 0) return;
  page.write('', `  ${vscode.l10n.t('Attempts to look at:')}`);
  for (const trace of examples) page.write(written('    ', marked(trace, { kind: 'trace', trace })));
}

function titleOf(name: CheckName): string {
  const titles: Record<CheckName, string> = {
    length: vscode.l10n.t('Reward and length'),
    constant: vscode.l10n.t('Constant rewards'),
    form: vscode.l10n.t('Successes that say nothing'),
    'last-action': vscode.l10n.t('Successes with a wrong last action'),
    twins: vscode.l10n.t('Equal answers judged differently'),
    majority: vscode.l10n.t('Majorities against the gold'),
  };
  return titles[name];
}

function wrapped(text: string, by: string): string[] {
  const lines: string[] = [];
  let line = by;
  for (const word of text.split(' ')) {
    if (line !== by && line.length + word.length >= width) {
      lines.push(line.trimEnd());
      line = by;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}
