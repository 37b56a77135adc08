import type { EventOf } from './events.ts';

/** α, β, λ and k_min in force in an epoch. */
export type CurriculumInForce = EventOf<'epoch.started'>['settings'];

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
