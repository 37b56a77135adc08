/** Flags in sentences. */
import * as l10n from '@vscode/l10n';
import type { CoinFlip, Halves } from '../../../engine/math/splitHalf.ts';
import type { Alike } from './duplicates.ts';
import { count, fixed } from '../../../shared/text/figures/numbers.ts';

const shownAnswer = 120;

const quoted = (text: string): string =>
  `“${text.length > shownAnswer ? `${text.slice(0, shownAnswer).trimEnd()}…` : text}”`;

export const deadWords = (solved: boolean, attempts: number, over: 'epochs' | 'family', isCutOff = false): string => {
  const where = over === 'epochs' ? l10n.t('at it, over several epochs,') : l10n.t('at its family');
  return l10n.t(
    'All {0} attempts {1} {2}: groups that always end alike teach the agent nothing.{3}',
    count(attempts),
    where,
    solved ? l10n.t('were solved') : l10n.t({ message: 'failed', comment: ['“All 12 attempts failed.”'] }),
    isCutOff ? l10n.t(' Its other attempts were left out (rollouts.cutOff).') : '',
  );
};

export const truncatedWords = (truncated: number, attempts: number): string =>
  l10n.t(
    '{0} of {1} attempts were cut off at their length (rollouts.maxTokens), so p̂ measures the limit more than the task.',
    count(truncated),
    count(attempts),
  );

export function disagreesWords(times: number, judged: number, text: string | null): string {
  const answer = text === null ? l10n.t('the same wrong answer') : quoted(text);
  return l10n.t(
    '{0} of {1} attempts answered {2}, which is not the gold: one of the two is wrong again and again.',
    count(times),
    count(judged),
    answer,
  );
}

export const failingCheckerWords = (failed: number, attempts: number, error: string | null): string =>
  l10n.t(
    'The checker failed on {0} of {1} attempts{2}.',
    count(failed),
    count(attempts),
    error === null ? '' : `: ${error}`,
  );

export const unverifiedWords = (note: string): string => l10n.t('It does not verify: {0}.', note);

export function coinFlipWords({ earlier, later, oddsRatio }: CoinFlip, halves: Halves, middle: number): string {
  const [n, m] = [halves.earlier.attempts, halves.later.attempts];
  return l10n.t(
    'p̂ stayed at {0} ({1} attempts up to epoch {2}) and {3} ({4} after), while the odds of the run’s other tasks rose {5}-fold: success may be luck.',
    fixed(earlier, 2),
    count(n),
    count(middle),
    fixed(later, 2),
    count(m),
    fixed(oddsRatio, 1),
  );
}

export function duplicateWords(twin: string, alike: Alike): string {
  if (alike === 'same') return l10n.t('It says the same as {0}.', twin);
  const share = Math.round(alike * 100);
  return share === 100
    ? l10n.t('It has nearly the same words as {0}.', twin)
    : l10n.t('It shares {0} % of its word triples with {1}.', share, twin);
}

export function heldOutWords(twin: string, alike: Alike): string {
  if (alike === 'same') return l10n.t('It is the held-out task {0}: what is learned from it is measured on it.', twin);
  const share = Math.round(alike * 100);
  return share === 100
    ? l10n.t('It has nearly the same words as the held-out task {0}.', twin)
    : l10n.t('It shares {0} % of its word triples with the held-out task {1}.', share, twin);
}

export const repeatsWords = (id: string, words: number): string =>
  l10n.t('It shares {0} words in a row with {1}, which is only measured on.', words, id);

/** @param verdicts the recorded one, then those of scoring the attempt again */
export function notDeterministicWords(trace: string, verdicts: readonly boolean[], consistent: boolean): string {
  const [recorded, ...later] = verdicts.map((success) => (success ? l10n.t('solved') : l10n.t('failed')));
  return consistent
    ? l10n.t('The attempt {0} was recorded as {1}, and is judged {2} now.', trace, recorded ?? '', later[0] ?? '')
    : l10n.t(
        'The attempt {0} was recorded as {1}; scored again it was judged {2}.',
        trace,
        recorded ?? '',
        later.join(l10n.t(', then ')),
      );
}
