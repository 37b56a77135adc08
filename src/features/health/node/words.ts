/** Flags in sentences. */
import type { CoinFlip, Halves } from '../../../engine/math/splitHalf.ts';
import { englishCount, englishFixed } from '../../../shared/text/figures/englishFigures.ts';

const shownAnswer = 120;

const quoted = (text: string): string =>
  `“${text.length > shownAnswer ? `${text.slice(0, shownAnswer).trimEnd()}…` : text}”`;

export const deadWords = (solved: boolean, attempts: number, over: 'epochs' | 'family', isCutOff = false): string => {
  const where = over === 'epochs' ? 'at it, over several epochs,' : 'at its family';
  return `All ${englishCount(attempts)} attempts ${where} ${solved ? 'were solved' : 'failed'}: groups that always end alike teach the agent nothing.${isCutOff ? ' Its other attempts were left out (rollouts.cutOff).' : ''}`;
};

export const truncatedWords = (truncated: number, attempts: number): string =>
  `${englishCount(truncated)} of ${englishCount(attempts)} attempts were cut off at their length (rollouts.maxTokens), so p̂ measures the limit more than the task.`;

export function disagreesWords(times: number, judged: number, text: string | null): string {
  const answer = text === null ? 'the same wrong answer' : quoted(text);
  return `${englishCount(times)} of ${englishCount(judged)} attempts answered ${answer}, which is not the gold: one of the two is wrong again and again.`;
}

export const failingCheckerWords = (failed: number, attempts: number, error: string | null): string =>
  `The checker failed on ${englishCount(failed)} of ${englishCount(attempts)} attempts${error === null ? '' : `: ${error}`}.`;

export const unverifiedWords = (note: string): string => `It does not verify: ${note}.`;

export function coinFlipWords({ earlier, later, oddsRatio }: CoinFlip, halves: Halves, middle: number): string {
  const [n, m] = [halves.earlier.attempts, halves.later.attempts];
  return (
    `p̂ stayed at ${englishFixed(earlier, 2)} (${englishCount(n)} attempts up to epoch ${englishCount(middle)}) and ${englishFixed(later, 2)} ` +
    `(${englishCount(m)} after), while the odds of the run’s other tasks rose ${englishFixed(oddsRatio, 1)}-fold: success may be luck.`
  );
}

export const duplicateWords = (twin: string, overlap: number): string =>
  overlap === 1
    ? `It says the same as ${twin}.`
    : `It shares ${Math.round(overlap * 100)} % of its word triples with ${twin}.`;

export const heldOutWords = (twin: string, overlap: number): string =>
  overlap === 1
    ? `It is the held-out task ${twin}: what is learned from it is measured on it.`
    : `It shares ${Math.round(overlap * 100)} % of its word triples with the held-out task ${twin}.`;

export const repeatsWords = (id: string, words: number): string =>
  `It shares ${words} words in a row with ${id}, which is only measured on.`;

/** @param verdicts the recorded one, then those of scoring the attempt again */
export function notDeterministicWords(trace: string, verdicts: readonly boolean[], consistent: boolean): string {
  const [recorded, ...later] = verdicts.map((success) => (success ? 'solved' : 'failed'));
  return consistent
    ? `The attempt ${trace} was recorded as ${recorded ?? ''}, and is judged ${later[0] ?? ''} now.`
    : `The attempt ${trace} was recorded as ${recorded ?? ''}; scored again it was judged ${later.join(', then ')}.`;
}
