import assert from 'node:assert/strict';
import { compare } from '../../../../webview/calibration/whatIf.ts';
import { changedFields, changesText } from '../../../../webview/calibration/changes.ts';
import { ChartedRun } from '../../../support/calibration/chartedRun.ts';
import { syntheticEvents } from '../../../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../../../support/report/syntheticRun.ts';

const course = syntheticCourse({ epochs: 10 });
const { curriculum } = course.experiment;
const { columns, epochs: folded } = new ChartedRun(course.experiment, syntheticEvents(course)).charts;
const { rows } = folded;

describe('what if', () => {
  it('the settings had been as they were: nothing differs', () => {
    const { was, would, gainers, losers, epochs } = compare(columns, rows, curriculum, 2);
    assert.equal(epochs, 10);
    assert.deepEqual(would, was);
    assert.deepEqual([...gainers, ...losers], []);
  });

  it('λ had been 0: every kept family weighs the same, so the heaviest lose', () => {
    const { was, would, gainers, losers } = compare(columns, rows.slice(-1), { ...curriculum, lambda: 0 }, 2);
    assert.equal(would.familiesKept, was.familiesKept);
    assert.ok(Math.abs(would.effectiveSampleSize - was.familiesKept) < 1e-9);
    for (const { before, after } of losers) assert.ok(before > after);
    for (const { before, after } of gainers) assert.ok(before < after);
    const changes = losers.map(({ before, after }) => before - after);
    assert.deepEqual(
      changes,
      changes.toSorted((a, b) => b - a),
      'largest first',
    );
    const scored = columns.epoch(10);
    assert.ok(scored);
    const weights = [...columns.weight.slice(scored.from, scored.to)];
    assert.ok(losers.some(({ ordinal }) => weights[ordinal] === Math.max(...weights)));
  });

  it('the band had been nothing: updates are skipped', () => {
    const { would } = compare(columns, rows, { ...curriculum, alpha: 0.513, kMin: 0 }, 2);
    assert.equal(would.familiesKept, 0);
    assert.equal(would.skipped, 10);
    assert.equal(would.effectiveSampleSize, 0);
  });

  it('leaves out epochs that were not scored', () => {
    assert.equal(compare(columns, [], curriculum, 2).epochs, 0);
  });
});

describe('changes of the curriculum', () => {
  const from = { alpha: 0.5, beta: 10, lambda: 3, kMin: 0.25 };

  it('name what differs, in letters for people and in fields for the run', () => {
    const to = { ...from, alpha: 0.6, kMin: 0.2 };
    assert.equal(changesText(from, to), 'α 0.5 → 0.6, k_min 0.25 → 0.2');
    assert.deepEqual(changedFields(from, to), [
      { field: 'curriculum.alpha', value: 0.6 },
      { field: 'curriculum.kMin', value: 0.2 },
    ]);
    assert.deepEqual(changedFields(from, from), []);
  });
});
