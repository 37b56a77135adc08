/** Compare Evaluations…: which two, and what is found on the tasks that both attempted. */
import * as vscode from 'vscode';
import { mostlyDiffer, type EvaluationComparison } from '../node/compareEvaluations.ts';
import type { EvaluationHead } from '../node/evaluations.ts';
import { count, precise } from '../../../shared/text/figures/numbers.ts';
import { percentToTenth, points } from '../../../shared/text/figures/shares.ts';
import { evaluationWords } from './words.ts';

/** Two evaluations of one benchmark, A before B; null when cancelled. @param first the first one, if given */
export async function askTwo(
  heads: readonly EvaluationHead[],
  first: string | null,
  now: number,
): Promise<[string, string] | null> {
  const given = heads.find(({ folder }) => folder === first) ?? null;
  const fitting = heads.filter(
    ({ folder, manifest }) =>
      folder !== first && (given === null || manifest.settings.benchmark === given.manifest.settings.benchmark),
  );
  if (fitting.length < (given === null ? 2 : 1)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no other evaluation to compare with yet.'));
    return null;
  }
  const items = fitting.map((head) => ({ ...evaluationWords(head, now), head }));
  const a = given ?? (await pick(items, vscode.l10n.t('A: what is compared against')))?.head;
  if (a === undefined) return null;
  const others = items.filter(
    ({ head }) => head.folder !== a.folder && head.manifest.settings.benchmark === a.manifest.settings.benchmark,
  );
  const b = await pick(others, vscode.l10n.t('B: what is compared with {0}', evaluationWords(a, now).label));
  return b === undefined ? null : [a.folder, b.head.folder];
}

const pick = <T extends vscode.QuickPickItem>(items: readonly T[], title: string): Thenable<T | undefined> =>
  vscode.window.showQuickPick(items, { ignoreFocusOut: true, title, matchOnDescription: true, matchOnDetail: true });

/** The difference with its interval, and by which method. */
export function findingsOf(compared: EvaluationComparison): string[] {
  const { tasks, unshared, differing, difference, low, high } = compared;
  return [
    vscode.l10n.t('B − A: {0} points, 95 % interval {1} to {2}.', points(difference), points(low), points(high)),
    compared.method === 'mcnemar'
      ? vscode.l10n.t(
          '{0} gained, {1} lost: p = {2} (McNemar’s exact test, two-sided; interval of Bonett and Price).',
          count(compared.gained),
          count(compared.lost),
          precise(compared.p, 2),
        )
      : vscode.l10n.t('Interval by a bootstrap over tasks (percentiles of 10,000 resamples).'),
    vscode.l10n.t('{0} tasks of both; {1} of one alone left out.', count(tasks), count(unshared)),
    ...(differing === 0
      ? []
      : [vscode.l10n.t('{0} ids of both left out: another task in A than in B.', count(differing))]),
    ...(mostlyDiffer(compared)
      ? [
          vscode.l10n.t(
            'Most ids name another task in A than in B. Did the data change? Evaluate both on the same data.',
          ),
        ]
      : []),
    ...(compared.answered === null
      ? []
      : [
          vscode.l10n.t(
            'What was not answered counts as wrong. Of the {0} tasks that both answered: A {1}, B {2}; B − A {3} points, 95 % interval {4} to {5}.',
            count(compared.answered.tasks),
            ...[compared.answered.first, compared.answered.second].map(percentToTenth),
            ...[compared.answered.difference, compared.answered.low, compared.answered.high].map(points),
          ),
        ]),
    ...compared.unfinished.map((one) =>
      vscode.l10n.t('{0} is not complete: only the answers it has are compared.', one === 'first' ? 'A' : 'B'),
    ),
  ];
}
