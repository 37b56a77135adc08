import assert from 'node:assert/strict';
import { entitle } from '../../../src/host/webviews/runTitle.ts';
import { changeLabel } from '../../../src/runs/store/runLabel.ts';
import { ScriptedCatalog } from '../../support/host/scriptedCatalog.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

/** A tab as far as its title goes, and what happens when it is closed. */
function page() {
  const closed: (() => unknown)[] = [];
  return {
    title: '',
    onDidDispose(listener: () => unknown) {
      closed.push(listener);
      return { dispose: () => undefined };
    },
    close: () => closed.forEach((listener) => listener()),
  };
}

describe('host: titles of tabs about runs', () => {
  it('name the run as it is called now, and tell pages about one task of two runs apart', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const catalog = new ScriptedCatalog(store);
      const dirs = [];
      for (const name of ['one', 'other']) {
        const { id } = await finishedRun(store, smallExperiment({ epochs: 1 }));
        await changeLabel(`${store.root}/${id}`, { name }, { clock: { now: () => runs.now } });
        dirs.push(`${store.root}/${id}`);
      }
      const [first = '', second = ''] = dirs;
      const [own, theirs, both] = [page(), page(), page()];
      const attempts = (run: string): string => `Attempts: base.17 · ${run}`;
      entitle(own, [first], catalog, attempts);
      assert.equal(own.title, `Attempts: base.17 · ${first.split('/').at(-1)}`, 'a run that is not listed yet');
      await catalog.look();
      entitle(theirs, [second], catalog, attempts);
      entitle(both, dirs, catalog, (names) => `Compare: ${names}`);
      const titles = (): string[] => [own, theirs, both].map(({ title }) => title);
      assert.deepEqual(titles(), ['Attempts: base.17 · one', 'Attempts: base.17 · other', 'Compare: one ↔ other']);
      theirs.close();
      await changeLabel(first, { name: 'the good one' }, { clock: { now: () => runs.now } });
      await changeLabel(second, { name: 'the bad one' }, { clock: { now: () => runs.now } });
      await catalog.look();
      const renamed = ['Attempts: base.17 · the good one', 'Attempts: base.17 · other'];
      assert.deepEqual(titles(), [...renamed, 'Compare: the good one ↔ the bad one']);
    }));
});
