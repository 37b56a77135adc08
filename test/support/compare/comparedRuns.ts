/** Runs in the form for the comparison page, folded from synthetic journals. */
import { CompareFold } from '../../../src/features/compare/core/compareFold.ts';
import { settingTexts } from '../../../src/features/compare/core/settingTexts.ts';
import type { ComparedRun } from '../../../src/features/compare/contract.ts';
import { syntheticEvents } from '../report/syntheticEvents.ts';
import { syntheticCourse, type SyntheticOptions } from '../report/syntheticRun.ts';

export interface ComparedSpec extends SyntheticOptions {
  name?: string;
  state?: ComparedRun['state'];
  changeAt?: number;
}

export function comparedRun(index: number, { name, state = 'finished', changeAt, ...options }: ComparedSpec) {
  const course = syntheticCourse({ families: 6, variations: 2, ...options });
  const { experiment } = course;
  const fold = new CompareFold();
  for (const event of syntheticEvents(course, changeAt === undefined ? {} : { changeAt })) fold.add(event);
  const id = `2026112${index}-093000-run`;
  const run: ComparedRun = {
    dir: `/home/someone/project/.genenv/runs/${id}`,
    id,
    name: name ?? experiment.name,
    state,
    epochsPlanned: experiment.epochs,
    epochs: fold.epochs,
    validations: fold.validations,
    settings: settingTexts([{ parent: null, experiment }], fold.changes),
  };
  return { run, fold };
}
