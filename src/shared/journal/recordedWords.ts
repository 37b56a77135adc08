/**
 * Sentences of a run's journal in the reader's language. The bytes on disk are English: each of the engine's sentences is
 * found by its form; other texts stay as they are recorded.
 */
import * as l10n from '@vscode/l10n';

/** Forms of `reason` and `note` in journals. `test/unit/runs/recordedWords.test.ts` holds them to the engine's own. */
export const recordedForms: readonly string[] = [
  'The environment is not trained (environment.update).',
  'No task of this epoch was accepted, so there is no family to learn from.',
  'None of {0} families passed the difficulty filter in this epoch.',
  '{0} kept in the buffer, fewer than environment.minFamilies = {1}.',
  'No two texts of one context were rewarded differently: {0} groups of them, {1} alike.',
  'Its KL to the initial simulator is past totalKlCap and it has no anchors to return by.',
  'No group teaches anything: {0} solved by every attempt, {1} by none, {2} with fewer than two judged attempts.',
  '{0} tokens spent of a budget of {1}.',
  '{0} rollouts made of a budget of {1}.',
  '{0} s spent of a budget of {1} s.',
  '{0} h spent of a budget of {1} h; {2} more were not begun in the last epoch.',
  '{0} h spent of a budget of {1} h.',
  '{0} spent of a budget of {1}; {2} more were not begun in the last epoch.',
  '{0} spent of a budget of {1}.',
  'Not one of {0} texts of the environment in epoch {1} became a task ({2}), so the run ended. See why in its rejected texts; the environment’s model may not fit the domain.',
  'Not one of {0} texts of the environment in epochs {1} became a task ({2}), so the run ended. See why in its rejected texts; the environment’s model may not fit the domain.',
  'Validation has not passed {0} for {1} validations (best since: {2}).',
  'All {0} epochs are done.',
];

const patterns = recordedForms.map((form) => ({
  form,
  pattern: new RegExp(`^${form.replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`).replaceAll(/\{\d\}/g, '(.+?)')}$`, 'u'),
}));

/** @param text a `reason` or `note` of the journal */
export function inWords(text: string): string {
  for (const { form, pattern } of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return l10n.t(form, ...found.slice(1));
  }
  return text;
}
