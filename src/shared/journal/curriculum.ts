import type { Curriculum } from '../experiment/schema.ts';
import type { EventOf } from './events.ts';

/** What the environment is rewarded for, α, β, λ and k_min in force in an epoch. */
export type CurriculumInForce = EventOf<'epoch.started'>['settings'];

/** An experiment's, as its journal has it. */
export function curriculumOf({ alpha, beta, lambda, kMin, reward }: Curriculum): CurriculumInForce {
  const { kind, repetition } = reward;
  return { alpha, beta, lambda, kMin, ...(kind === 'kernel' ? {} : { reward: { kind, repetition } }) };
}

/** After a person's change in the middle of an epoch, which takes hold before its scoring. */
export function curriculumAfter(
  before: CurriculumInForce,
  { changes }: EventOf<'settings.changed'>,
): CurriculumInForce {
  const after = { ...before };
  for (const { field, to } of changes) {
    if (typeof to !== 'number') continue;
    if (field === 'curriculum.alpha') after.alpha = to;
    else if (field === 'curriculum.beta') after.beta = to;
    else if (field === 'curriculum.lambda') after.lambda = to;
    else if (field === 'curriculum.kMin') after.kMin = to;
  }
  return after;
}
