/** The findings of an adapter's check, as markdown. */
import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { AdapterReport } from '../../../launch/adapters/checkAdapter.ts';
import { append } from '../../../shared/append.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/** Records named in the document for each thing that is wrong. */
const examples = 20;

export interface CheckFound {
  report: AdapterReport;
  /** The first of them. */
  problems: readonly Problem[];
  /** How many there are. */
  counted: number;
  /** Where the authors offer the data. */
  obtain: string;
}

/** A table of the splits, missing files, and misfits by field. */
export function summaryOf(name: string, file: string, { report, problems, counted, obtain }: CheckFound): string {
  const { folder, splits, joins } = report;
  const missing = [...splits, ...joins].flatMap((one) => one.missing.map((pattern) => `- ${one.name}: \`${pattern}\``));
  const lines = [
    `# ${vscode.l10n.t('Check of {0}', name)}`,
    '',
    vscode.l10n.t('Adapter {0}, data in {1}.', `\`${file}\``, `\`${folder}\``),
    '',
    `| ${[vscode.l10n.t('split'), vscode.l10n.t('files'), vscode.l10n.t('records'), vscode.l10n.t('authors say'), vscode.l10n.t('fit')].join(' | ')} |`,
    '| --- | ---: | ---: | ---: | ---: |',
    ...splits.map(
      (one) =>
        `| ${one.name} | ${count(one.files)} | ${count(one.records)} | ${one.expected === null ? '' : count(one.expected)} | ${count(one.fit)} |`,
    ),
    '',
  ];
  if (missing.length > 0) append(lines, [`## ${vscode.l10n.t('No file matches')}`, '', ...missing, '', obtain, '']);
  if (counted === 0) {
    lines.push(vscode.l10n.t('Every record fits.'), '');
    return lines.join('\n');
  }
  lines.push(`## ${vscode.l10n.t('What does not fit: {0}', count(counted))}`, '');
  for (const [field, own] of Map.groupBy(problems, (problem) => problem.field)) {
    lines.push(`### ${field} (${count(own.length)})`, '');
    for (const one of own.slice(0, examples)) {
      lines.push(`- ${relative(folder, one.file).replaceAll('\\', '/')}:${one.line}: ${one.message}`);
    }
    if (own.length > examples) lines.push(`- ${vscode.l10n.t('and {0} more', count(own.length - examples))}`);
    lines.push('');
  }
  return lines.join('\n');
}
