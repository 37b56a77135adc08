import assert from 'node:assert/strict';
import type { ReportData } from '../../../src/shared/report/data.ts';
import {
  calibrationReading,
  courseReading,
  epochsInBand,
  familiesReading,
  groupsReading,
  keptReading,
  rejectionReading,
  rejectionTotals,
  timeReading,
  validationReading,
} from '../../../webview/report/readings.ts';
import { familyPoint } from '../../support/report/familyPoint.ts';
import { syntheticData } from '../../support/report/syntheticData.ts';

const curriculum = { alpha: 0.5, beta: 10, lambda: 1, kMin: 0.25 };

describe('readings of the charts', () => {
  let data: ReportData;
  before(async () => {
    data = await syntheticData({ epochs: 20 });
  });

  it('count the epochs in the band that was in force', () => {
    const { inside, measured } = epochsInBand(data.epochs);
    assert.equal(measured, 20);
    const byHand = data.epochs.filter(({ successRate }) => Math.abs((successRate?.p ?? 9) - 0.5) <= 0.25).length;
    assert.equal(inside, byHand);
    const narrow = data.epochs.map((row) => ({ ...row, curriculum: { ...row.curriculum, kMin: 0.01 } }));
    assert.ok(epochsInBand(narrow).inside < inside);
    assert.match(calibrationReading(data.epochs), new RegExp(`in ${inside} of 20 epochs\\.$`));
  });

  it('speak of one epoch as one', () => {
    const reading = calibrationReading(data.epochs.slice(0, 1));
    assert.match(reading, /^Mean p̂ was 0\.\d\d in epoch 1, outside the band 0\.25–0\.75\.$/);
    assert.equal(calibrationReading([]), 'No epoch has been measured yet.');
  });

  it('count families by verdict, and say when only some are drawn', () => {
    const families = [2, 16, 17, 31].map((successes, i) => familyPoint({ successes, id: `f${i}` }));
    assert.equal(
      familiesReading(3, families, curriculum, 4),
      'Epoch 3: of 4 families, 1 too hard, 2 in the band, 1 too easy; p̂ from 0.06 to 0.97.',
    );
    assert.match(familiesReading(3, families, curriculum, 40), /^Epoch 3: of 4 families drawn \(40 were measured\)/);
    assert.equal(familiesReading(3, [], curriculum, 0), 'Epoch 3 has no measured families.');
  });

  it('claim no change of validation that was measured once', () => {
    assert.match(validationReading(data.validation), /gained, \d+ lost, [+−]\d+\.\d points \(95 % interval/);
    assert.match(validationReading(data.validation.slice(0, 1)), /measured only once\.$/);
    assert.equal(validationReading([]), 'The agent was never validated.');
  });

  it('share out attempt groups', () => {
    const [row] = data.epochs;
    const groups = { solved: 10, hopeless: 30, trained: 60, broken: 0 };
    assert.equal(
      groupsReading([{ ...row!, groups }]),
      '60 % of 100 groups had solved and unsolved attempts and could teach the agent; 10 % were all solved, 30 % not once.',
    );
    assert.equal(groupsReading([{ ...row!, groups: null }]), 'No group of attempts was used.');
  });

  it('say that a frozen environment learned from nothing', () => {
    assert.match(keptReading(data.epochs, true), /updates? made, \d+ skipped\.$/);
    assert.match(keptReading(data.epochs, false), /would have kept .* none taught it\.$/);
  });

  it('add rejections up by cause, most frequent first', () => {
    const totals = rejectionTotals(data.epochs);
    const all = data.epochs.flatMap(({ rejected }) => Object.values(rejected)).reduce((sum, n) => sum + n, 0);
    assert.equal(
      totals.reduce((sum, { total }) => sum + total, 0),
      all,
    );
    assert.deepEqual(
      totals.map(({ total }) => total),
      totals.map(({ total }) => total).sort((a, b) => b - a),
    );
    assert.match(rejectionReading(data.epochs), new RegExp(`most rejections: ${totals[0]!.cause}`));
    assert.equal(rejectionReading([]), 'The environment wrote nothing.');
  });

  it('leave out what was not measured', () => {
    const parts = [
      { name: 'tasks', unit: 'tokens', value: () => null },
      { name: 'answers', unit: 'tokens', value: ({ epoch }: { epoch: number }) => 10 + epoch },
    ];
    assert.equal(courseReading(data.epochs, parts), 'Epoch 1 to 20: answers from 11 to 30 tokens.');
    assert.equal(courseReading(data.epochs, parts.slice(0, 1)), 'Not measured.');
    assert.equal(courseReading(data.epochs.slice(0, 1), parts), 'Epoch 1: answers 11 tokens.');
  });

  it('name the longest phase', () => {
    const phases = [
      { label: 'attempt tasks', seconds: 30 },
      { label: 'update agent', seconds: 10 },
    ];
    assert.match(timeReading(44, phases), /^44 s in all; the longest phase is “attempt tasks” with 75 %/);
    assert.equal(timeReading(0, []), 'No times were recorded.');
  });
});
