/** Results of a curriculum file, as they are read and scored, and its worked cases. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { givenOf, readCurriculumCases } from '../../../src/shared/curricula/cases.ts';
import { readRewards } from '../../../src/shared/curricula/rewards.ts';
import { taskReward } from '../../../src/engine/rewardKinds/kinds.ts';

const families = [
  { id: 'a', tasks: [{ id: 'a1' }, { id: 'a2' }] },
  { id: 'b', tasks: [{ id: 'b1' }] },
];

const fault = (value: unknown): string => {
  const read = readRewards(value, families);
  return 'fault' in read ? read.fault : 'none';
};

describe('rewards of a curriculum file', () => {
  it('are one a family, or one a task; null is unknown', () => {
    const read = readRewards([[0.25, null], -1], families);
    assert.ok('rewards' in read);
    assert.deepEqual([...read.rewards], [['a1', 0.25], ['b1', -1]]); // prettier-ignore
    const all = readRewards([0.5, null], families);
    assert.ok('rewards' in all);
    assert.deepEqual([...all.rewards], [['a1', 0.5], ['a2', 0.5]]); // prettier-ignore
  });

  it('are refused with what was given and what must be', () => {
    assert.match(fault({ not: 'NaN' }), /^it gave NaN; it must give a list/);
    assert.match(fault(3), /^it gave a number; it must give a list/);
    assert.match(fault([1]), /^it gave 1 rewards for 2 families/);
    assert.match(fault([[1], 1]), /^it gave 1 rewards for the 2 tasks of family a/);
    assert.match(fault([{ not: 'NaN' }, 1]), /^it gave NaN for family a; a reward is a number from −10 to 10/);
    assert.match(fault([[1, { not: 'Infinity' }], 1]), /^it gave Infinity for task a2/);
    assert.match(fault([1, 'high']), /^it gave a string for family b/);
    assert.match(fault([1, 10.5]), /^it gave 10.5 for family b/);
  });

  it('take any finite number within their bounds', () => {
    fc.assert(
      fc.property(
        fc.tuple(
          fc.double({ min: -10, max: 10, noNaN: true }),
          fc.option(fc.double({ min: -10, max: 10, noNaN: true })),
        ),
        ([a, b]) => {
          const read = readRewards([[a, b], b], families);
          assert.ok('rewards' in read);
          assert.equal(read.rewards.get('a1'), a);
          assert.equal(read.rewards.has('b1'), b !== null);
        },
      ),
    );
  });

  it('never throw, whatever a file gives', () => {
    fc.assert(fc.property(fc.anything(), (value) => void readRewards(value, families)));
  });

  it('are the signal that is scored: unknown ones, and tasks without a judged attempt, teach nothing', () => {
    const settings = { alpha: 0.5, beta: 2, kMin: 0.25, reward: { kind: 'file' as const, repetition: 1 } };
    assert.equal(taskReward({ successes: 1, attempts: 4, signal: -0.5 }, settings), -0.5);
    assert.equal(taskReward({ successes: 1, attempts: 4, signal: null }, settings), null);
    assert.equal(taskReward({ successes: 0, attempts: 0, signal: 1 }, settings), null);
  });
});

describe('cases of a curriculum file', () => {
  it('may be as short as outcomes', () => {
    const [line] = readCurriculumCases('\uFEFF{"v":1,"families":[{"tasks":[{"attempts":"10-"}]}],"expected":[1]}');
    assert.ok(line !== undefined && 'case' in line);
    const { families: given, epoch } = givenOf(line.case);
    assert.deepEqual([given[0]?.id, given[0]?.successes, given[0]?.judged], ['family1', 1, 2]);
    assert.deepEqual(
      given[0]?.tasks[0]?.attempts.map(({ success, reward }) => [success, reward]),
      [[true, 1], [false, 0], [null, null]], // prettier-ignore
    );
    assert.deepEqual(epoch, { epoch: 1, alpha: 0.5, beta: 2, kMin: 0.25, seed: 1 });
  });

  it('are told by line where they are none', () => {
    const lines = [
      ...readCurriculumCases('\n{"v":1}\nnonsense\n{"v":1,"families":[{"tasks":[{"attempts":"2"}]}],"expected":[]}'),
    ];
    assert.deepEqual(lines.map(({ line }) => line), [2, 3, 4]); // prettier-ignore
    assert.ok(lines.every((line) => 'fault' in line));
  });
});
