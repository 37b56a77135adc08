import assert from 'node:assert/strict';
import { outcomeTries } from '../../../../src/engine/math/paired/taskTries.ts';
import { compareShared } from '../../../../src/features/compare/core/sharedTasks.ts';
import { experimentOf, validatedTasks } from '../../../../src/features/compare/node/validatedTasks.ts';
import type { Lineage } from '../../../../src/runs/journal/lineage.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { task } from '../../../support/scripted/attempting.ts';

const twoDomains = (tasks: number): Experiment => ({
  ...smallExperiment({ epochs: 4, validation: { every: 1, tasks } }),
  domains: (['storekeeper', 'stories'] as const).map((name) => ({ ...smallExperiment().domain, name, share: 1 })),
});

describe('the tasks of a validation', () => {
  const held = ['storekeeper', 'stories'].flatMap((domain) =>
    Array.from({ length: 30 }, (_, i) => ({ ...task(`${domain}.${i}`), domain })),
  );
  const open = () => Promise.resolve({ seeds: () => held, fingerprint: () => 'same' });
  const parent = { parent: null, experiment: twoDomains(40) };
  const branch = { parent: { run: 'parent', epoch: 2 }, experiment: twoDomains(20) };
  const of = (lineage: Lineage, epoch: number, tasks: number) =>
    validatedTasks({ experiment: lineage[0].experiment, lineage }, { epoch, tasks }, open);

  it('are, in shared epochs of a branch, those of the run that made them', async () => {
    const tries = outcomeTries(`${'1'.repeat(20)}${'0'.repeat(20)}`);
    const [own, inherited] = [await of([parent], 1, 40), await of([branch, parent], 1, 40)];
    assert.equal(own?.length, 40);
    assert.deepEqual(inherited, own);
    const shared = compareShared({ tasks: own, tries }, { tasks: inherited, tries });
    assert.deepEqual([shared?.paired.tasks, shared?.changed], [40, []]);
    const later = await of([branch, parent], 3, 20);
    assert.deepEqual(
      later?.map(({ id }) => id),
      [0, 30].flatMap((from) => held.slice(from, from + 10).map(({ id }) => id)),
    );
    assert.equal(experimentOf([branch, parent], 2).validation.tasks, 40);
    assert.equal(experimentOf([branch, parent], 3).validation.tasks, 20);
  });

  it('are unknown where the run that made them is gone', async () => {
    assert.equal(await of([branch], 1, 40), null);
    assert.equal((await of([branch], 1, 20))?.length, 20);
  });
});
