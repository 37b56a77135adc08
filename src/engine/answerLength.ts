import type { EventOf } from '../shared/journal/events.ts';

type Round = Pick<EventOf<'rollouts.finished'>, 'answerLength' | 'rollouts' | 'ranking'>;

/**
 * Mean sampled tokens of an answer over an epoch's rounds, weighted by their attempts, without the attempts that ranked
 * seeds. Null where no round records it.
 */
export function meanAnswerLength(rounds: readonly Round[]): number | null {
  const [only, ...others] = rounds;
  // A single round's figure is taken from the journal unchanged, so that it stays equal to the last bit.
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
