/**
 * Sentences of a run's journal in the reader's language. The bytes on disk are English: each of the engine's sentences is
 * found by its form; other texts stay as they are recorded.
 */
import * as l10n from '@vscode/l10n';

/** Forms of `reason` and `note` in journals. `test/unit/runs/recordedWords.test.ts` holds them to the engine's own. */
const journalForms: readonly string[] = [
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

/** Why a run's session ended, and why a study's arm did. */
const endingForms: readonly string[] = [
  'The window was closed.',
  'Its runner ended.',
  'The runner was stopped.',
  'Paused.',
  'Paused at a phase boundary.',
  'Waits in the queue.',
  'The study’s round is over.',
  'stopped after {0} of {1} parts of the budget, as {2}th of {3} arms.',
  'told from {0} after {1} seeds, e-value {2} (needed: {3}).',
];

/** Why a curriculum file paid nothing; its own words are between. */
const curriculumForms: readonly string[] = [
  'The curriculum file {0} gave no rewards: {1}. Correct the file, then branch the run or start another.',
  'The curriculum file {0} gave no rewards: {1}. Resume the run if the machine was busy; else make the file faster, or raise reward.seconds, and branch the run.',
  'The curriculum file {0} gave no rewards: {1}. Have it use less memory, or raise reward.megabytes, and branch the run.',
];

export const recordedForms: readonly string[] = [...journalForms, ...endingForms, ...curriculumForms];

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
