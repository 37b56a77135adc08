import assert from 'node:assert/strict';
import {
  markedPlaces,
  pathWindow,
  phaseMeasures,
  phasePath,
  phasePoints,
  type PhasePoint,
} from '../../../webview/charts/phase/phaseCourse.ts';
import { phaseGeometry } from '../../../webview/charts/phase/phaseGeometry.ts';
import { phaseReading } from '../../../webview/report/phaseWords.ts';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import { syntheticEvents } from '../../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../../support/report/syntheticRun.ts';

const fold = new EpochFold();
for (const event of syntheticEvents(syntheticCourse({ epochs: 30 }))) fold.add(event);
const rows = fold.rows;

const point = (epoch: number, difficulty: number, p: number): PhasePoint => ({
  ...{ epoch, difficulty, p, low: p - 0.1, high: p + 0.1, successes: Math.round(100 * p), attempts: 100 },
  versions: { agent: `agent@${epoch}`, environment: `environment@${epoch}` },
});
const frame = { left: 44, right: 700, top: 30, bottom: 350 };

describe('the phase portrait', () => {
  it('takes the domain’s measures in their order, and the tokens of a task where there are none', () => {
    assert.equal(phaseMeasures(rows)[0]?.key, 'steps');
    const bare = rows.map((row) => ({ ...row, complexity: {} }));
    const [only, ...others] = phaseMeasures(bare);
    assert.deepEqual([only?.key, others.length], ['', 0]);
    assert.ok(only !== undefined);
    assert.equal(phasePoints(bare, only)[0]?.difficulty, rows[0]?.taskLength);
  });

  it('leaves out measures that never change, where others do', () => {
    const two = rows.map((row) => ({ ...row, complexity: { same: 3, steps: row.epoch } }));
    assert.deepEqual(
      phaseMeasures(two).map(({ key }) => key),
      ['steps'],
    );
    const same = rows.map((row) => ({ ...row, complexity: { same: 3 } }));
    assert.deepEqual(
      phaseMeasures(same).map(({ key }) => key),
      ['same'],
    );
  });

  it('has the versions that wrote and attempted an epoch’s tasks, and no epoch that was not measured', () => {
    const [measure] = phaseMeasures(rows);
    assert.ok(measure !== undefined);
    const some = rows.map((row) => (row.epoch === 3 ? { ...row, successRate: null } : row));
    const points = phasePoints(some, measure);
    assert.deepEqual(points[0]?.versions, { agent: 'agent@0', environment: 'environment@0' });
    assert.ok(points.length === 29 && points.every(({ epoch }) => epoch !== 3));
  });

  it('goes through the epochs of a short run, and through means that end at the ends of a long one', () => {
    assert.deepEqual([pathWindow(17), pathWindow(18), pathWindow(100)], [1, 3, 9]);
    const line = Array.from({ length: 30 }, (_, i) => point(i + 1, i % 2, 0.5));
    const path = phasePath(line);
    assert.deepEqual([path[0]?.difficulty, path.at(-1)?.difficulty], [0, 1]);
    assert.ok(Math.abs((path[10]?.difficulty ?? 0) - 2 / 3) < 1e-9);
  });

  it('marks the first, the last and every round nth epoch', () => {
    const epochs = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
    const marked = (n: number): number[] => markedPlaces(epochs(n)).map((place) => place + 1);
    assert.deepEqual(marked(5), [1, 2, 3, 4, 5]);
    assert.deepEqual(marked(20), [1, 5, 10, 15, 20]);
    assert.deepEqual(marked(103), [1, 20, 40, 60, 80, 100, 103]);
  });

  it('keeps everything inside its frame and labels apart, for one point, for equal ones, for many', () => {
    const many = Array.from({ length: 300 }, (_, i) => point(i + 1, 3 + Math.sin(i / 9), 0.5 + 0.4 * Math.cos(i / 7)));
    for (const points of [[point(1, 4, 0.5)], [point(1, 4, 0.5), point(2, 4, 0.5)], many]) {
      const { epochs, marks } = phaseGeometry(points, frame, 0.5);
      for (const { x, y } of [...epochs, ...marks]) {
        assert.ok(x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom);
      }
      const labels = marks.flatMap(({ label }) => label ?? []);
      assert.ok(labels.length >= 1);
      for (const [i, one] of labels.entries()) {
        for (const other of labels.slice(i + 1)) {
          assert.ok(Math.abs(one.x - other.x) > 10 || Math.abs(one.y - other.y) >= 14);
        }
      }
    }
  });

  it('says whether tasks grew at the same success', () => {
    const measure = { key: 'steps', value: () => null };
    const going = (slope: number): PhasePoint[] =>
      Array.from({ length: 12 }, (_, i) => point(i + 1, 4 + slope * i + 0.01 * (i % 3), 0.4 + 0.02 * (i % 5)));
    assert.match(phaseReading(going(0.2), measure), /At equal success, tasks grew: \+2\.\d\d steps over the run/);
    assert.match(phaseReading(going(-0.2), measure), /tasks shrank: −2\.\d\d steps/);
    assert.match(phaseReading(going(0), measure), /At equal success, no clear change: /);
    assert.match(phaseReading(going(0).slice(0, 1), measure), /^Epoch 1: steps 4, p̂ 0\.40\.$/);
  });
});
