/** Tokens of a study whose runs have attempts that nothing counted, as jobs of a cluster without a tokenizer. */
import assert from 'node:assert/strict';
import { memberSummarySchema } from '../../../../src/features/study/contract/file.ts';
import { workloadLines } from '../../../../src/features/study/cli/resultLines.ts';
import { SummaryFold } from '../../../../src/features/study/core/summary.ts';
import { openStudy } from '../../../../src/features/study/node/openStudy.ts';
import { measuredSoFar } from '../../../../src/features/study/node/loadResults.ts';
import { studyWorkload } from '../../../../src/features/study/core/workload.ts';
import { noCounts } from '../../../../src/shared/experiment/tasks/taskCounts.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('tokens of a study that are not known', () => {
  it('are no number, and a budget counts those that are known', async () => {
    const { events } = await runScripted(smallExperiment({ epochs: 2 }));
    const whole = new SummaryFold();
    const fold = new SummaryFold();
    let seen = false;
    for (const event of events) {
      whole.add(event);
      if (event.type !== 'rollouts.finished' || seen) fold.add(event);
      else fold.add({ ...event, tokens: null });
      seen ||= event.type === 'rollouts.finished';
    }
    const all = whole.summary.tokens ?? assert.fail('all are known');
    assert.equal(whole.spent('tokens'), all);
    assert.equal(fold.summary.tokens, null);
    assert.ok(fold.spent('tokens') > 0 && fold.spent('tokens') < all);
    assert.deepEqual(memberSummarySchema.parse(fold.summary), fold.summary);
  });

  it('are said to be not known, and have no price', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-unknown-tokens-'));
    try {
      await writeFile(join(dir, 'demo.genenv.json'), '{ "version": 1, "name": "demo", "preset": "embedded" }');
      const study = { version: 1, name: 'one', base: 'demo.genenv.json', seeds: [1, 2], budget: { rollouts: 5120 } };
      await writeFile(join(dir, 'one.study.json'), JSON.stringify(study));
      const opened = await openStudy(dir, 'one.study.json');
      const { summary } = new SummaryFold();
      for (const [i, tokens] of [100, null].entries())
        opened.folder.members.set(opened.plan.members[i]?.name ?? '', {
          ...{ run: `r${i}`, inputs: null, rested: new Map() },
          finished: { journal: 1, summary: { ...summary, tokens } },
        });
      const done = measuredSoFar(opened);
      assert.deepEqual([done.runs, done.tokens], [2, null]);
      const work = studyWorkload(opened.plan, () => noCounts, done, 2);
      assert.deepEqual([work.tokens, work.cost, work.basis], [null, null, 'measured']);
      assert.match(workloadLines(opened, work).join('\n'), /tokens not known: those of some attempts were not counted/);
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
