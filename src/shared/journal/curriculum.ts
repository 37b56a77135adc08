import * as z from 'zod';
import { rewardNameSchema, type Experiment } from '../experiment/schema.ts';
import { defined } from '../defined.ts';

/** The environment's reward in an epoch. */
export const curriculumSettingsSchema = z.strictObject({
  alpha: z.number(),
  beta: z.number(),
  lambda: z.number(),
  kMin: z.number(),
  /** Absent with the paper's kernel. */
  reward: z.strictObject({ kind: rewardNameSchema, repetition: z.number() }).optional(),
  /** How the environment learns; absent with the paper's regression. Of any other update λ is 0: it weighs nothing. */
  update: z.enum(['grpo', 'rejection', 'none']).optional(),
  /** Share of the kept texts that update `rejection` learns. */
  keepBest: z.number().optional(),
});
/** The environment's reward, α, β, λ and k_min in force in an epoch. */
export type CurriculumInForce = z.infer<typeof curriculumSettingsSchema>;

type Settings = Pick<Experiment, 'curriculum' | 'environment'>;

/** How rewards become weights of an update: λ is 0 where weights do not follow it. */
export function weighingOf({ curriculum, environment }: Settings): Pick<CurriculumInForce, 'lambda' | 'keepBest'> {
  const { update, keepBest } = environment;
  if (update === 'rejection') return { lambda: 0, keepBest };
  return { lambda: update === 'grpo' ? 0 : curriculum.lambda };
}

/** An experiment's, as its journal has it. */
export function curriculumOf(settings: Settings): CurriculumInForce {
  const { alpha, beta, kMin, reward } = settings.curriculum;
  const { kind, repetition } = reward;
  const { update } = settings.environment;
  const { lambda, keepBest } = weighingOf(settings);
  return {
    ...{ alpha, beta, lambda, kMin },
    ...(kind !== 'kernel' && { reward: { kind, repetition } }),
    ...(update !== 'rwr' && { update }),
    ...defined({ keepBest }),
  };
}

/** After a user's change during an epoch, which takes effect before its scoring. */
export function curriculumAfter(
  before: CurriculumInForce,
  { changes }: { changes: readonly { field: string; to?: unknown }[] },
): CurriculumInForce {
  const after = { ...before };
  for (const { field, to } of changes) {
    if (typeof to !== 'number') continue;
    if (field === 'curriculum.alpha') after.alpha = to;
    else if (field === 'curriculum.beta') after.beta = to;
    else if (field === 'curriculum.lambda' && (before.update ?? 'none') === 'none') after.lambda = to;
    else if (field === 'curriculum.kMin') after.kMin = to;
    else if (field === 'environment.keepBest' && before.update === 'rejection') after.keepBest = to;
  }
  return after;
}
