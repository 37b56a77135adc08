/** Arms that racing ended, in a study whose racing was switched off afterwards. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noCounts } from '../../../../src/shared/experiment/tasks/taskCounts.ts';
import { studyWorkload } from '../../../../src/features/study/core/workload.ts';
import { checkArms } from '../../../../src/features/study/node/checkArms.ts';
import { loadResults, measuredSoFar } from '../../../../src/features/study/node/loadResults.ts';
import { openStudy } from '../../../../src/features/study/node/openStudy.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { fromSources } from '../../../support/fromSources.ts';

const why = 'stopped after 1 of 3 parts of the budget, at rank 2 of 2 arms.';
const base = {
  ...{ version: 1, preset: 'embedded', name: 'b', domain: { baseTasks: 40 } },
  ...{ generation: { families: 2, variations: 2 }, rollouts: { group: 4 }, validation: { tasks: 8 } },
};
const study = {
  ...{ version: 1, name: 's', base: 'b.genenv.json', seeds: [1, 2], budget: { rollouts: 80 } },
  arms: { a: {}, b: { 'reward.file': 'gone.reward.ts' }, c: { 'curriculum.alpha': 0.3 } },
};

describe('racing that was switched off', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-racing-'));
    await writeFile(join(dir, 'b.genenv.json'), JSON.stringify(base));
    await mkdir(join(dir, 's.study'));
    const dropped = { v: 1, type: 'dropped', after: 1, arms: [{ arm: 'b', why }] };
    await writeFile(join(dir, 's.study', 'members.jsonl'), `${JSON.stringify(dropped)}\n`);
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const opened = async (stop: object | null) => {
    await writeFile(join(dir, 's.study.json'), JSON.stringify({ ...study, stop }));
    return openStudy(dir, 's.study.json');
  };
  const around = { clock: { now: () => 0 }, log: { info: () => undefined, warn: () => undefined } };
  const resultsOf = async (stop: object | null) =>
    loadResults(await opened(stop), new RunStore(join(dir, 'runs'), { ...around, version: 'test' }));
  const workOf = async (stop: object | null): Promise<number> => {
    const one = await opened(stop);
    return studyWorkload(one.plan, () => noCounts, measuredSoFar(one), null).runs;
  };
  const racing = { rule: 'halving', rounds: 3, keep: 0.5 };

  it('lets the ended arms run again: in the table, in the counts, in the work ahead', async () => {
    const raced = await resultsOf(racing);
    assert.deepEqual([raced.arms.map(({ dropped }) => dropped), raced.runs], [[null, why, null], 4]);
    assert.equal(await workOf(racing), 4);
    const off = await resultsOf(null);
    assert.deepEqual([off.arms.map(({ dropped }) => dropped), off.runs], [[null, null, null], 6]);
    assert.equal(await workOf(null), 6);
    assert.ok(
      off.sentences.includes('Racing ended b earlier. It is off now, so that all runs go to their end.'),
      off.sentences.join('\n'),
    );
    assert.ok(!raced.sentences.some((sentence) => sentence.includes('It is off now')));
  });

  it('has their files checked again before the first run', async () => {
    await checkArms(await opened(racing), fromSources, around.log);
    await assert.rejects(checkArms(await opened(null), fromSources, around.log), /gone\.reward\.ts/);
  });
});
