/** The part of a run's work that is done before a budget ends it. */
import type { Workload } from '../experiment/workload.ts';

/** Whether the budget may last longer: at their limits, texts and answers are longer than they will be. */
export const endsAtEarliest = ({ basis, ends }: Pick<Workload, 'basis' | 'ends'>): boolean =>
  basis === 'limits' && ends?.by === 'tokens' && ends.epochs > 0;

/**
 * Up to the epoch in which a budget is spent; the whole work where none is, or where that is not known yet. What is measured
 * before the first epoch is done in any case; its tokens are taken to be those of as many other attempts.
 */
export function untilEnd(work: Workload): Workload {
  const { ends, epochs, rollouts, validation, evaluation } = work;
  if (ends === null || endsAtEarliest(work)) return work;
  const cut = <A extends { run: number }>(amount: A, start = 0): A => ({
    ...amount,
    run: Math.round(start + ((amount.run - start) * ends.epochs) / epochs),
  });
  const first = validation.start + evaluation.start;
  const attempts = Math.max(1, rollouts.run + validation.run + evaluation.run);
  return {
    ...work,
    epochs: ends.epochs,
    rollouts: cut(rollouts),
    validation: cut(validation, validation.start),
    evaluation: cut(evaluation, evaluation.start),
    texts: cut(work.texts),
    tokens: cut(work.tokens, (work.tokens.run * first) / attempts),
  };
}
