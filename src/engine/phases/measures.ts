/**
 * The measurements of an epoch's attempts for later draws, by task: journaled, as `measures`, where the run's sampler
 * reads it.
 */
import type { Measure } from '../samplers/seen.ts';
import { spreadOf } from '../samplers/seen.ts';
import type { Group } from './attempts/attemptPlan.ts';
import { triesOf } from './groups.ts';
import { hasValidTrace } from './pools.ts';
import { defined } from '../../shared/defined.ts';

/** Of every task of the batch, in its order. */
export function measuresOf(groups: readonly Group[], epoch: number): Measure[] {
  return groups.map(({ task, traces }) => {
    const judged = traces.filter(({ verdict }) => verdict.error === undefined);
    const pooled = task.origin === 'generated' && task.epoch === epoch && hasValidTrace({ traces });
    return {
      id: task.id,
      ...triesOf(traces),
      spread: spreadOf(judged.map(({ verdict }) => verdict.reward)),
      ...(pooled && { pooled }),
      ...defined({ domain: task.domain }),
    };
  });
}
