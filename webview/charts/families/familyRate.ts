import { successRate } from '../../../src/engine/math/successRate.ts';
import type { FamilyColumns } from '../../../src/shared/calibration/familyColumns.ts';
import type { SuccessRate } from '../../../src/shared/journal/scores.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

/** p̂ of the family at a place of the columns, with the interval that its tasks allow. */
export const familyRate = ({ successes, attempts, effective }: FamilyColumns, at: number): SuccessRate =>
  successRate(successes[at] ?? outOfRange(), attempts[at] ?? outOfRange(), effective[at]);
