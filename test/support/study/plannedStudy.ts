/** A study's file and its plan, of few words. */
import assert from 'node:assert/strict';
import type { MemberSummary, Study } from '../../../src/features/study/contract/file.ts';
import { planStudy, type Plan } from '../../../src/features/study/core/plan.ts';
import { readStudy } from '../../../src/features/study/core/readStudy.ts';

export function plannedStudy(
  fields: Record<string, unknown>,
  base: Record<string, unknown> = {},
): { study: Study; plan: Plan } {
  const reading = readStudy(
    JSON.stringify({ version: 1, name: 's', base: 'b.genenv.json', ...fields }),
    's.study.json',
  );
  if ('problems' in reading) assert.fail(reading.problems[0]?.message);
  const text = JSON.stringify({ version: 1, preset: 'embedded', name: 'b', ...base });
  const planned = planStudy(reading.study, { text, file: 'b.genenv.json' }, reading.places);
  if ('problems' in planned) assert.fail(planned.problems[0]?.message);
  return { study: reading.study, plan: planned.plan };
}

/** A study’s record of a run: nothing, but for what is given. */
export const summaryOf = (some: Partial<MemberSummary>): MemberSummary => ({
  ...{ rollouts: 0, tokens: 0, seconds: 0, epochs: 0, updates: 0, ending: 'budget-tokens' },
  ...{ successes: [], attempts: [], complexity: {}, validatedAt: [], validation: [], evaluation: null },
  ...some,
});
