/** An evaluation in a line: of a quick pick, or of a tree. */
import * as vscode from 'vscode';
import type { EvaluationHead } from '../node/evaluations.ts';
import type { EvaluationSettings } from '../../../shared/records/evaluation.ts';
import { rowMoment } from '../../../shared/text/figures/moments.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { ago } from '../../../host/trees/words.ts';

/** The policy and where it lives, without what only tells files apart: `agent@3 · 20261122-demo`. */
export const policyWords = ({ source, version }: EvaluationSettings['policy']): string => {
  const name = version.replace(/(?: |@)[0-9a-f]{8,}$/, '');
  return name === source ? name : `${name} · ${source}`;
};

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
  const when = now === null ? rowMoment(iso) : ago(iso, now);
  return {
    label: `${benchmark}: ${policyWords(policy)}`,
    description: [...far, ...drawn, ...n, when].join(' · '),
    detail: [...splits, folder].join(' · '),
  };
}
