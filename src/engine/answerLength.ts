import type { EventOf } from '../shared/journal/events.ts';

type Round = Pick<EventOf<'rollouts.finished'>, 'answerLength' | 'rollouts' | 'ranking'>;

/**
 * Mean sampled tokens of an answer over an epoch's rounds, which count by their attempts; those that ranked seeds are none
 * of them. Null where no round tells it.
 */
export function meanAnswerLength(rounds: readonly Round[]): number | null {
  const [only, ...others] = rounds;
  // What a journal says of a single round is not computed again: it stays what it is to the last bit.
  if (only === undefined || others.length === 0) return only?.answerLength ?? null;
  let [tokens, attempts] = [0, 0];
  for (const { answerLength, rollouts, ranking } of rounds) {
    if (answerLength === null) continue;
    const trained = rollouts - (ranking?.rollouts ?? 0);
    tokens += answerLength * trained;
    attempts += trained;
  }
  return attempts === 0 ? null : tokens / attempts;
}
