import assert from 'node:assert/strict';
import { Rows } from '../../../../src/features/runTable/host/rows.ts';
import { ScriptedCatalog } from '../../../support/host/scriptedCatalog.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { withTempRuns } from '../../../support/runs/tempRuns.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('rows of the table of runs', () => {
  it('have the band of the epoch that their p̂ is of', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const alphaPoints = [
        { epoch: 1, alpha: 0.2 },
        { epoch: 3, alpha: 0.8 },
      ];
      const settings = smallExperiment({ epochs: 3, curriculum: { alphaPoints, alphaBetween: 'line', kMin: 0.25 } });
      const { id } = await finishedRun(store, settings);
      const reader = await store.openReader(id);
      const { manifest } = reader;
      await reader.close();
      const catalog = new ScriptedCatalog(store);
      await catalog.look();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const rows = new Rows({
        catalog: { runs: catalog.runs, get: (dir) => catalog.get(dir), manifest: () => manifest },
        ...{ prices: () => ({}), told: resolve, failed: reject },
      });
      assert.deepEqual(
        rows.all().map(({ band }) => band),
        [{ alpha: settings.curriculum.alpha, kMin: 0.25 }],
      );
      await promise;
      assert.deepEqual(
        rows.all().map(({ band }) => band),
        [{ alpha: 0.8, kMin: 0.25 }],
      );
      rows.dispose();
    }));
});
