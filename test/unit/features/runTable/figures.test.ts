import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { differingSettings } from '../../../../src/features/runTable/core/differing.ts';
import { figuresOf } from '../../../../src/features/runTable/core/figures.ts';
import { FigureReading } from '../../../../src/features/runTable/node/readFigures.ts';
import { EpochFold } from '../../../../src/runs/facts/epochFold.ts';
import { readJournal } from '../../../../src/runs/journal/journalFile.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { experiment, withTempRuns } from '../../../support/runs/tempRuns.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('figures of the table of runs', () => {
  it('are those of the whole journal, families unread, and grow with it from where they were', () =>
    withTempRuns(async (runs) => {
      const settings = smallExperiment({ epochs: 3, validation: { every: 1 } });
      const { dir } = await finishedRun(runs.store(), settings);
      const path = join(dir, 'journal.jsonl');
      const whole = new EpochFold();
      for await (const { event } of readJournal(path)) whole.add(event);
      const expected = figuresOf(whole, settings, true);
      assert.ok(expected.rollouts > 0 && (expected.tokens ?? 0) > 0 && expected.gain !== null);
      const first = whole.validations[0]?.successRate.p ?? NaN;
      const last = whole.validations.at(-1)?.successRate.p ?? NaN;
      assert.ok(Math.abs(expected.gain.difference - (last - first)) < 1e-4);
      const read = new FigureReading(path);
      await read.readOn();
      assert.deepEqual(figuresOf(read.fold, settings, true), expected);
      // Line by line, half a line at the end each time.
      const lines = (await readFile(path, 'utf8')).split(/(?<=\n)/);
      const growing = join(dir, 'growing.jsonl');
      await writeFile(growing, '');
      const live = new FigureReading(growing);
      for (const line of lines) {
        await appendFile(growing, line.slice(0, 40));
        await live.readOn();
        await appendFile(growing, line.slice(40));
        await live.readOn();
      }
      assert.deepEqual(figuresOf(live.fold, settings, true), expected);
    }));

  it('say what is left at the pace of the last epochs or of the budget, whichever ends first', () =>
    withTempRuns(async (runs) => {
      const settings = smallExperiment({ epochs: 3, validation: { every: 1 } });
      const { dir } = await finishedRun(runs.store(), settings);
      const fold = new EpochFold();
      for await (const { event } of readJournal(join(dir, 'journal.jsonl'))) fold.add(event);
      const times = fold.rows.map(({ seconds }) => seconds.whole ?? 0);
      const each = times.reduce((sum, one) => sum + one, 0) / times.length;
      const longer: Experiment = { ...settings, epochs: 10 };
      const { left } = figuresOf(fold, longer, false);
      assert.ok(left !== null && Math.abs(left - 7 * each) < 1e-9);
      const spent = fold.totals.rollouts;
      const half: Experiment = { ...longer, budget: { ...longer.budget, rollouts: Math.round(spent * 1.5) } };
      const sooner = figuresOf(fold, half, false).left ?? NaN;
      assert.ok(Math.abs(sooner - (fold.totals.seconds * (Math.round(spent * 1.5) - spent)) / spent) < 1e-9);
      assert.equal(figuresOf(fold, longer, true).left, null);
      assert.equal(figuresOf(new EpochFold(), longer, false).left, null);
    }));
});

describe('settings that differ in the table of runs', () => {
  it('are those not all runs of a group share, the seed last', () => {
    const at = (alpha: number, seed: number): Experiment => ({
      ...experiment,
      seed,
      curriculum: { ...experiment.curriculum, alpha },
    });
    const words = differingSettings([
      { dir: 'a', group: 'one', experiment: at(0.4, 1) },
      { dir: 'b', group: 'one', experiment: at(0.5, 1) },
      { dir: 'c', group: 'one', experiment: at(0.5, 2) },
      { dir: 'd', group: 'two', experiment: at(0.9, 9) },
    ]);
    assert.deepEqual(
      [...words],
      [
        ['a', 'α 0.4 · seed 1'],
        ['b', 'α 0.5 · seed 1'],
        ['c', 'α 0.5 · seed 2'],
        ['d', ''],
      ],
    );
  });
});
