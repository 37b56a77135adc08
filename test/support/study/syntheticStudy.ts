/** Results of a study that never ran, by the code that reads those of studies that did. */
import type { MemberSummary } from '../../../src/features/study/contract/file.ts';
import type { StudyResults } from '../../../src/features/study/contract/page.ts';
import { studyResults } from '../../../src/features/study/core/results.ts';
import { plannedStudy } from './plannedStudy.ts';

const summary = (end: number, seed: number): MemberSummary => ({
  ...{ rollouts: 5000, tokens: 90_000, seconds: 30, epochs: 20, updates: 20, ending: 'budget-rollouts' },
  successes: Array.from({ length: 20 }, (_, i) => 8 + ((i * 7 + seed) % 9)),
  attempts: Array.from({ length: 20 }, () => 32),
  complexity: { steps: Array.from({ length: 20 }, (_, i) => 3 + i / 10 + ((i * seed) % 3) / 5) },
  validatedAt: Array.from({ length: 21 }, (_, i) => i * 250),
  validation: Array.from({ length: 21 }, (_, i) => 0.29 + ((end - 0.29) * i) / 20 + ((i * 13 + seed * 5) % 7) / 900),
  evaluation: null,
});

export function syntheticStudy(more: Record<string, unknown> = {}): StudyResults {
  const file = {
    ...{ version: 1, name: 'Curricula of the storekeeper', base: 'b.genenv.json', seeds: [1, 2, 3, 4, 5, 6, 7, 8] },
    arms: { genenv: {}, random: { mode: 'random' }, static: { mode: 'static' } },
    budget: { rollouts: 5120 },
    measures: [{ kind: 'validation' }, { kind: 'band' }, { kind: 'reaches', score: 0.38 }],
    ...more,
  };
  const { study, plan } = plannedStudy(file);
  const ends = [0.39, 0.38, 0.36, 0.4, 0.37, 0.35, 0.41, 0.38, 0.36];
  const finished = new Map(
    plan.members.map(({ name, arm, seed }) => {
      const at = plan.arms.findIndex((one) => one.name === arm);
      return [name, summary((ends[at] ?? 0.36) + ((seed * 37) % 11) / 1000, seed)];
    }),
  );
  return studyResults(study, plan, finished, new Map());
}
