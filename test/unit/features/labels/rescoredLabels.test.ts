import assert from 'node:assert/strict';
import { agreementLines } from '../../../../src/features/labels/cli/agreementLines.ts';
import { labelledRun } from '../../../../src/features/labels/node/labelledRun.ts';
import { appendLabel } from '../../../../src/runs/records/labelsFile.ts';
import { applyRescoring } from '../../../../src/runs/rescored/applyRescoring.ts';
import { RescoreDraft } from '../../../../src/runs/rescored/rescoreDraft.ts';
import { runPaths } from '../../../../src/runs/store/runPaths.ts';
import { labelVersion } from '../../../../src/shared/records/label.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { all, withTempRuns } from '../../../support/runs/tempRuns.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('the agreement after a rescoring', () => {
  it('is reported for the recorded verdicts and for the rescored ones', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const { id, dir } = await finishedRun(store, smallExperiment());
      const whole = async () => {
        const reader = await store.openReader(id);
        try {
          return { of: await labelledRun(reader), traces: await all(reader.traces()) };
        } finally {
          await reader.close();
        }
      };
      const { traces } = await whole();
      // People say the opposite of the judge.
      for (const { id: trace, verdict } of traces.slice(0, 12)) {
        await appendLabel(runPaths(dir).attemptLabels, {
          ...{ v: labelVersion, at: 1, author: 'eve', trace, verdict: verdict.success ? 'fail' : 'pass', labels: [] },
        });
      }
      const before = (await whole()).of;
      assert.deepEqual([before.agreement.share.successes, before.rescored], [0, null]);
      const draft = await RescoreDraft.create();
      for (const { id: trace, epoch, task, verdict } of traces)
        await draft.add({ v: 1, id: trace, epoch, task, verdict: { ...verdict, success: !verdict.success } });
      const reward = { path: 'mine.reward.ts', texts: new Map([['mine.reward.ts', 'export const reward = 1;\n']]) };
      const told = { author: 'ada', clock: { now: () => 7 }, flips: traces.length, errors: 0 };
      await applyRescoring(store, id, { ...told, draft, reward });
      await draft.dispose();
      const after = (await whole()).of;
      assert.deepEqual(after.agreement, before.agreement);
      assert.deepEqual([after.rescored?.share.successes, after.rescored?.share.attempts], [12, 12]);
      assert.match(
        agreementLines(after, 80).join('\n'),
        /agree on 0\.0 %[^]*By the rescored verdicts[^]*agree on 100\.0 %/,
      );
    }));
});
