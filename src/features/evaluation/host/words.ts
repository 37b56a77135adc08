/** An evaluation in a line: of a quick pick, or of a tree. */
import * as vscode from 'vscode';
import type { EvaluationHead } from '../node/evaluations.ts';
import { count } from '../../../host/trees/figures.ts';
import { ago, shortMoment } from '../../../host/trees/words.ts';

/** @param now for a list that is read once; null for a long-lived one, where an age would become wrong */
export function evaluationWords(
  { manifest: { settings, begun }, answered, asked, folder }: EvaluationHead,
  now: number | null,
): { label: string; description: string; detail: string } {
  const { benchmark, policy, splits, sample, attempts } = settings;
  const far = answered < asked ? [vscode.l10n.t('{0} of {1} attempts', count(answered), count(asked))] : [];
  const drawn = sample === null ? [] : [vscode.l10n.t('a sample of {0}', count(sample))];
  const n = attempts === 1 ? [] : [vscode.l10n.t('{0} attempts a task', count(attempts))];
  const iso = new Date(begun).toISOString();
  const when = now === null ? shortMoment(iso) : ago(iso, now);
  return {
    label: `${benchmark}: ${policy.version}`,
    description: [...far, policy.source, ...drawn, ...n, when].join(' · '),
    detail: [...splits, folder].join(' · '),
  };
}
