import assert from 'node:assert/strict';
import { successRate } from '../../../../src/engine/math/successRate.ts';
import type { ReportData } from '../../../../src/shared/report/data.ts';
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
} from '../../../../webview/report/readings.ts';
import { syntheticData } from '../../../support/report/syntheticData.ts';

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

  it('tell every band that was in force, and count against each', () => {
    const [row] = data.epochs;
    const epochs = Array.from({ length: 35 }, (_, i) => ({
      ...row!,
      epoch: i + 1,
      // In the first band until epoch 10, then in the second, but for the last five.
      successRate: successRate(i < 10 ? 70 : i < 30 ? 40 : 20, 100),
      curriculum: { ...curriculum, alpha: i < 10 ? 0.6 : 0.4, kMin: 0.15 },
    }));
    assert.deepEqual(
      epochsInBand(epochs).stretches.map(({ inside, measured }) => [inside, measured]),
      [
        [10, 10],
        [20, 25],
      ],
    );
    assert.equal(
      calibrationReading(epochs),
      'Mean p̂ was 0.70 in epoch 1 and 0.20 in epoch 35; it lay in the band in force in 30 of 35 epochs ' +
        '(0.45–0.75 until epoch 10: 10 of 10; 0.25–0.55 from epoch 11 on: 20 of 25).',
    );
    const often = epochs.map((one) => ({ ...one, curriculum: { ...curriculum, kMin: one.epoch % 2 ? 0.1 : 0.2 } }));
    assert.match(calibrationReading(often), /\(it was changed 34 times and is 0\.40–0\.60 now\)\.$/);
  });

  it('count all families by verdict, and say when only some are drawn', () => {
    const spread = { tooHard: 1100, inBand: 900, tooEasy: 500, lowest: 0.0625, highest: 0.96875 };
    const told = '1,100 too hard, 900 in the band, 500 too easy; p̂ from 0.06 to 0.97.';
    assert.equal(familiesReading({ epoch: 3, spread }, 2500), `Epoch 3: of 2,500 families, ${told}`);
    assert.equal(
      familiesReading({ epoch: 3, spread }, 160),
      `Epoch 3: of 2,500 families (160 of them are drawn), ${told}`,
    );
    const teaching = { tasks: 10_000, mixed: 0.243, learnability: 0.0412, reliability: 0.13 };
    assert.equal(
      familiesReading({ epoch: 3, spread, teaching }, 2500),
      `Epoch 3: of 2,500 families, ${told} 24 % of 10,000 tasks teach: their attempts differ in reward ` +
        '(p(1 − p) per task 0.041, without bias). Reliability of R_env over halves of each family: 0.13.',
    );
    assert.equal(familiesReading({ epoch: 3, spread: null }, 0), 'Epoch 3 has no measured families.');
    for (const { families, spread: own } of data.epochs) {
      assert.equal((own?.tooHard ?? 0) + (own?.inBand ?? 0) + (own?.tooEasy ?? 0), families);
    }
  });

  it('claim no change of validation that was measured once', () => {
    assert.match(validationReading(data.validation), /gained, \d+ lost, [+−]\d+\.\d points \(95 % interval/);
    assert.match(validationReading(data.validation), / Answers cut off at their length \(rollouts\.maxTokens\): 2\.$/);
    assert.match(validationReading(data.validation.slice(0, 1)), /measured only once\.$/);
    assert.equal(validationReading([]), 'The agent was never validated.');
    const unanswered = {
      ...{ epoch: 4, successRate: successRate(0, 0), truncated: null, answerLength: null },
      ...{ measure: null, against: 0, change: null, unpaired: null },
    };
    assert.match(validationReading([...data.validation.slice(0, 1), unanswered]), / and not measured after epoch 4\.$/);
  });

  it('share out attempt groups', () => {
    const [row] = data.epochs;
    const groups = { solved: 10, hopeless: 30, trained: 60, broken: 0 };
    assert.equal(
      groupsReading([{ ...row!, groups }]),
      '60 % of 100 groups had attempts of different reward and could teach the agent; 10 % were rewarded alike and solved, 30 % rewarded alike and not solved.',
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
