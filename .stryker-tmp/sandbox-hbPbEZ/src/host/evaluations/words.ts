/** An evaluation in a line: of a quick pick, or of a tree. */
import * as vscode from 'vscode';
import type { EvaluationHead } from '../../launch/evaluate/evaluations.ts';
import { count } from '../trees/figures.ts';
import { ago } from '../trees/words.ts';

export function evaluationWords(
  { manifest: { settings, begun }, answered, asked, folder }: EvaluationHead,
  now: number,
): { label: string; description: string; detail: string } {
  const { benchmark, policy, splits, sample, attempts } = settings;
  const far = answered < asked ? [vscode.l10n.t('{0} of {1} attempts', count(answered), count(asked))] : [];
  const drawn = sample === null ? [] : [vscode.l10n.t('a sample of {0}', count(sample))];
  const n = attempts === 1 ? [] : [vscode.l10n.t('{0} attempts a task', count(attempts))];
  return {
    label: `${benchmark}: ${policy.version}`,
    description: [...far, policy.source, ...drawn, ...n, ago(new Date(begun).toISOString(), now)].join(' · '),
    detail: [...splits, folder].join(' · '),
  };
}
