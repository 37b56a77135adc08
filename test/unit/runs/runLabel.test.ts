import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { differencesInWords, settingDifferences, tellingName } from '../../../src/runs/facts/runName.ts';
import { nodeFiles } from '../../../src/runs/files/fileOperations.ts';
import { changeLabel, readLabel, noLabel } from '../../../src/runs/store/runLabel.ts';
import { readRunName } from '../../../src/runs/store/runName.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { runError } from '../../support/runs/runError.ts';
import { experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const withAlpha = (alpha: number, seed = experiment.seed) => ({
  ...experiment,
  seed,
  curriculum: { ...experiment.curriculum, alpha },
});

const clock = { now: () => Date.now() };

describe('names of runs', () => {
  it('say what differs from the base, in the letters of the paper', () => {
    const own = { ...withAlpha(0.4, 3), budget: { ...experiment.budget, tokens: 1000 } };
    assert.deepEqual(settingDifferences(experiment, own), [
      { path: 'curriculum.alpha', name: 'α', value: '0.4' },
      { path: 'budget.tokens', name: 'budget.tokens', value: '1000' },
      { path: 'seed', name: 'seed', value: '3' },
    ]);
    assert.equal(tellingName(withAlpha(0.4, 3), experiment, new Set()), 'α 0.4 · seed 3');
    assert.deepEqual(settingDifferences(experiment, { ...experiment, name: 'other', preset: 'paper' }), []);
  });

  it('stay short, and never twice the same', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ path: name, name, value: 'x'.repeat(60) }));
    const words = differencesInWords(many);
    assert.match(words, / · 2 more$/);
    assert.ok(words.length < 160, words);
    assert.equal(differencesInWords([{ path: 'p', name: 'p', value: '/home/me/seeds.jsonl' }]), 'p seeds.jsonl');
    const again = `${experiment.name} · run 2`;
    assert.equal(tellingName(experiment, experiment, new Set()), again);
    assert.equal(tellingName(experiment, experiment, new Set([again])), `${experiment.name} · run 3`);
    assert.equal(tellingName(withAlpha(0.4), experiment, new Set(['α 0.4']), null), 'α 0.4 · run 2');
    assert.equal(tellingName(withAlpha(0.4), experiment, new Set(), 7), 'α 0.4 · from epoch 7');
    const at = (url: string) => {
      const agent = `{"kind": "tinker", "url": "${url}", "key": null, "model": "genenv/agent"}`;
      const parsed = parseExperiment(`{"name": "mine", "endpoints": {"agent": ${agent}}}`, 'a.genenv.json');
      return 'experiment' in parsed ? parsed.experiment : experiment;
    };
    assert.equal(tellingName(at('http://b:8'), at('http://a:8'), new Set(), 7), 'mine · from epoch 7');
  });

  it('are given to new runs of an experiment’s file, and not to members of a study', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const file = join(runs.root, 'mine.genenv.json');
      const made = [
        await store.create({ experiment, file }),
        await store.create({ experiment: withAlpha(0.4, 3), file }),
        await store.create({ experiment, file }),
        await store.create({ experiment: withAlpha(0.4), file: `${file}.other` }),
      ];
      const study = { name: 'S', arm: 'α 0.4', seed: 3 };
      made.push(await store.create({ experiment: { ...experiment, name: 'α 0.4 · seed 3' }, file, study }));
      await Promise.all(made.map((writer) => writer.close()));
      const names = new Map((await store.list()).map(({ id, name, label }) => [id, { name, study: label.study }]));
      assert.deepEqual(
        made.map(({ id }) => names.get(id)),
        [
          { name: experiment.name, study: null },
          { name: 'α 0.4 · seed 3', study: null },
          { name: `${experiment.name} · run 2`, study: null },
          { name: experiment.name, study: null },
          { name: 'α 0.4 · seed 3', study },
        ],
      );
    }));

  it('are shown by pages as lists show them, and as they are now', () =>
    withTempRuns(async (runs) => {
      const { id, dir } = await finishedRun(runs.store(), smallExperiment());
      const run = await runs.store().openReader(id);
      assert.equal(await readRunName(run), (await run.head()).name);
      await changeLabel(dir, { name: 'α 0.4' }, { clock });
      assert.equal(await readRunName(run), 'α 0.4');
      assert.equal((await run.head()).name, 'α 0.4');
      await run.close();
    }));

  it('are given to branches: what differs from the parent, and from where', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const settings = smallExperiment({ epochs: 2, validation: { every: 1 } });
      const parent = await finishedRun(store, settings);
      runs.now += 1000;
      const branch = await store.branch(parent.id, 1, { ...settings, seed: 9 });
      await branch.close();
      assert.equal((await branch.head()).name, 'seed 9 · from epoch 1');
      const bolder = await store.branch(parent.id, 1, { ...settings, name: 'bolder' });
      await bolder.close();
      assert.equal((await bolder.head()).name, 'bolder');
    }));
});

describe('label of a run', () => {
  it('is changed a part at a time, in the order asked, and never touches what was run', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      await writer.close();
      const { dir } = writer;
      const before = await readFile(join(dir, 'run.json'), 'utf8');
      assert.deepEqual(await readLabel(dir), noLabel);
      await Promise.all([
        changeLabel(dir, { name: 'first' }, { clock }),
        changeLabel(dir, { tags: ['good', 'paper'] }, { clock }),
        changeLabel(dir, { name: 'second', pinned: true }, { clock }),
        changeLabel(dir, { note: 'two\nlines', archived: true }, { clock }),
      ]);
      const label = {
        ...noLabel,
        name: 'second',
        tags: ['good', 'paper'],
        pinned: true,
        note: 'two\nlines',
        archived: true,
      };
      assert.deepEqual(await readLabel(dir), label);
      const [head] = await runs.store().list();
      assert.equal(head?.name, 'second');
      assert.equal(head.experiment, experiment.name);
      assert.equal(await readFile(join(dir, 'run.json'), 'utf8'), before);
      assert.deepEqual(
        (await readdir(dir)).filter((name) => name.startsWith('label')),
        ['label.json'],
      );
    }));

  it('stays as it was when it is damaged, newer, or cannot be written', () =>
    withTempRuns(async (runs) => {
      const { dir, close } = await runs
        .store()
        .create({ experiment })
        .then((writer) => ({ dir: writer.dir, close: () => writer.close() }));
      await close();
      const path = join(dir, 'label.json');
      for (const [text, reason] of [
        ['{"v":1,"na', 'format'],
        ['{"v":1,"name":"two\\nlines"}', 'format'],
        ['{"v":2,"name":"x"}', 'version'],
      ] as const) {
        await writeFile(path, text);
        assert.deepEqual(await readLabel(dir), noLabel);
        const error = await runError(changeLabel(dir, { name: 'mine' }, { clock }));
        assert.equal(error.reason, reason);
        assert.match(error.message, /label\.json/);
        assert.equal(await readFile(path, 'utf8'), text);
        assert.equal((await runs.store().list())[0]?.name, experiment.name);
      }
      await writeFile(path, '{"v":1,"name":"kept"}');
      const full = {
        ...nodeFiles,
        replace: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
      };
      assert.equal((await runError(changeLabel(dir, { name: 'lost' }, { clock, files: full }))).reason, 'disk-full');
      assert.equal((await runError(changeLabel(dir, { name: '' }, { clock }))).reason, 'format');
      assert.equal((await readLabel(dir)).name, 'kept');
    }));
});
