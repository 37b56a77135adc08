import { successRate } from '../../../src/engine/math/successRate.ts';
import type { FamilyPoint } from '../../../src/shared/report/data.ts';

/** A measured family for geometry tests: p̂ and interval follow from successes and attempts. */
export function familyPoint(over: Partial<FamilyPoint> = {}): FamilyPoint {
  const { successes = 16, attempts = 32 } = over;
  const { p, low, high } = successRate(successes, attempts);
  return {
    epoch: 1,
    id: 'e1.f0',
    origin: 'generated',
    tasks: 4,
    successes,
    attempts,
    p: p ?? 0,
    low,
    high,
    environmentReward: 0.9,
    kept: 1,
    weight: 0.1,
    plan: 'steps 3 tools 4 fillers 0',
    complexity: { steps: 3 },
    ...over,
  };
}
