import assert from 'node:assert/strict';
import { studyResults } from '../../../../src/features/study/core/results.ts';
import { reaches } from '../../../../src/features/study/core/summary.ts';
import { plannedStudy, summaryOf } from '../../../support/study/plannedStudy.ts';

const arms = { ref: {}, long: { 'curriculum.alpha': 0.6 } };
const seeds = [1, 2, 3, 4, 5, 6];

describe('Results of a study', () => {
  it('an arm that never reaches a score does not lead by making few rollouts', () => {
    const { study, plan } = plannedStudy({
      ...{ arms, seeds, budget: { tokens: 1_000_000 } },
      measures: [{ kind: 'reaches', score: 0.5, last: 1 }],
    });
    const finished = new Map(
      plan.members.map(({ name, arm, seed }) => [
        name,
        arm === 'ref'
          ? summaryOf({ rollouts: 4000, validatedAt: [0, 2000 + seed, 3000], validation: [0.1, 0.55, 0.6] })
          : summaryOf({ rollouts: 1500, validatedAt: [0, 500, 1500], validation: [0.1, 0.2, 0.2] }),
      ]),
    );
    const results = studyResults(study, plan, finished, new Map());
    assert.deepEqual(
      results.arms.map(({ cells: [cell] }) => cell?.mean),
      [2003.5, 4000],
    );
    assert.deepEqual(results.never, [[0, 6]]);
    assert.match(results.sentences[0] ?? '', /: long is worse than ref /);
  });

  it('of a budget of rollouts, one that reached it in the last epoch, past the budget, is no worse than one that never did', () => {
    const { study, plan } = plannedStudy({
      ...{ arms, seeds, budget: { rollouts: 5120 } },
      measures: [{ kind: 'reaches', score: 0.5, last: 1 }],
    });
    const finished = new Map(
      plan.members.map(({ name, arm }) => [
        name,
        summaryOf({ rollouts: 5200, validatedAt: [0, 5200], validation: [0.1, arm === 'ref' ? 0.6 : 0.2] }),
      ]),
    );
    const { comparisons } = studyResults(study, plan, finished, new Map());
    assert.equal(comparisons[0]?.difference, 0);
  });

  it('tell of runs that ended before they spent the budget', () => {
    const { study, plan } = plannedStudy({ arms, seeds, budget: { rollouts: 5120 } });
    const finished = new Map(
      plan.members.map(({ name, arm, seed }) => {
        const short = arm === 'long' && seed < 3;
        const end = short ? { rollouts: 2000, ending: 'budget-hours' } : { rollouts: 5200, ending: 'budget-rollouts' };
        return [name, summaryOf({ ...end, validatedAt: [5000], validation: [0.2 + seed / 100] })];
      }),
    );
    const told = (all: readonly string[]): string[] => all.filter((sentence) => sentence.includes('budget was spent'));
    assert.deepEqual(told(studyResults(study, plan, finished, new Map()).sentences), [
      'long: of 6 finished runs 2 ended before the study’s budget was spent (budget of hours used up), and count although they had less.',
    ]);
    // A limit that is reached with the budget took nothing away.
    const spent = new Map(
      [...finished].map(([name, one]) => [name, { ...one, rollouts: 5120, ending: 'budget-cost' }] as const),
    );
    assert.deepEqual(told(studyResults(study, plan, spent, new Map()).sentences), []);
  });

  it('measure nothing before training, and say which arm was measured nowhere else', () => {
    const { study, plan } = plannedStudy({ arms, seeds, budget: { rollouts: 5120 } });
    const finished = new Map(
      plan.members.map(({ name, arm }) => [
        name,
        arm === 'long'
          ? summaryOf({ rollouts: 5200, validatedAt: [0], validation: [0.9] })
          : summaryOf({ rollouts: 5200, validatedAt: [0, 5200], validation: [0.9, 0.3] }),
      ]),
    );
    const { arms: told, comparisons, sentences } = studyResults(study, plan, finished, new Map());
    assert.deepEqual(
      told.map(({ cells: [cell] }) => cell?.mean),
      [0.3, null],
    );
    assert.deepEqual(comparisons, []);
    assert.ok(sentences.includes('No finished run of long has the measure “validation at the end”.'));
  });

  it('correct over every planned pair, those that racing ended too', () => {
    const others = Object.fromEntries([1, 2, 3, 4].map((i) => [`a${i}`, { 'curriculum.alpha': i / 10 }]));
    const { study, plan } = plannedStudy({ arms: { ref: {}, ...others }, seeds, budget: { rollouts: 5120 } });
    const finished = new Map(
      plan.members
        .filter(({ arm }) => arm === 'ref' || arm === 'a1')
        .map(({ name, arm, seed }) => [
          name,
          summaryOf({ validatedAt: [0, 5200], validation: [0.1, (arm === 'ref' ? 0.2 : 0.4) + seed / 100] }),
        ]),
    );
    const gone = new Map(['a2', 'a3', 'a4'].map((arm) => [arm, 'stopped']));
    const { comparisons, family } = studyResults(study, plan, finished, gone);
    assert.deepEqual(
      comparisons.map(({ p, adjusted }) => [p, adjusted]),
      [[1 / 32, 1 / 8]],
    );
    assert.match(family, /^4 comparisons \(1 × 4: .*; 3 have no two seeds yet\)$/);
  });

  it('tell of runs that had fewer updates than a budget of updates, although all epochs are done', () => {
    const { study, plan } = plannedStudy({ arms, seeds, budget: { updates: 20 } });
    const finished = new Map(
      plan.members.map(({ name, arm }) => [
        name,
        summaryOf({ epochs: 20, updates: arm === 'ref' ? 20 : 17, ending: 'epochs' }),
      ]),
    );
    assert.ok(
      studyResults(study, plan, finished, new Map()).sentences.some((sentence) =>
        sentence.startsWith('long: of 6 finished runs 6 ended before the study’s budget was spent'),
      ),
    );
  });

  it('know when a score was reached before a whole window of validations was there', () => {
    const run = { validatedAt: [0, 1000, 2000], validation: [0.1, 0.3, 0.7] };
    assert.deepEqual([reaches(run, 0.2, 5), reaches(run, 0.36, 5), reaches(run, 0.5, 2)], [1000, 2000, 2000]);
    assert.equal(reaches(run, 0.5, 5), null);
  });

  it('miss nothing of an arm that racing ended', () => {
    const { study, plan } = plannedStudy({ arms, seeds, budget: { rollouts: 5120 }, stop: { rule: 'sequential' } });
    const ended = plan.members.filter(({ arm, seed }) => arm === 'ref' || seed < 3);
    const finished = new Map(
      ended.map(({ name, seed }) => [
        name,
        summaryOf({ rollouts: 5200, ending: 'budget-rollouts', validatedAt: [5000], validation: [seed / 10] }),
      ]),
    );
    const results = studyResults(study, plan, finished, new Map([['long', 'told from ref']]));
    assert.deepEqual([results.runs, results.finished], [8, 8]);
    assert.ok(results.sentences.every((sentence) => !sentence.includes('runs are finished')));
    assert.equal(studyResults(study, plan, finished, new Map()).runs, 12);
  });

  it('say that no run has a measure, instead of asking for seeds that are there', () => {
    const { study, plan } = plannedStudy({
      ...{ arms, seeds, budget: { rollouts: 5120 } },
      measures: [{ kind: 'validation' }, { kind: 'reaches', score: 0.5 }],
    });
    const finished = new Map(plan.members.map(({ name }) => [name, summaryOf({ rollouts: 5200 })]));
    const { sentences, comparisons, never } = studyResults(study, plan, finished, new Map());
    assert.deepEqual(comparisons, []);
    assert.deepEqual(never, [
      [0, 0],
      [0, 0],
    ]);
    assert.deepEqual(
      sentences.filter((sentence) => sentence.startsWith('No')),
      [
        'No finished run has the measure “validation at the end”.',
        'No finished run has the measure “rollouts until validation is 50.0 %”.',
      ],
    );
    const none = studyResults(study, plan, new Map(), new Map());
    assert.match(none.sentences.join(' '), /Nothing can be said yet/);
  });

  it('have the power of their own test', () => {
    const { study, plan } = plannedStudy({ arms, seeds: [1, 2], budget: { rollouts: 5120 } });
    const finished = new Map(
      plan.members.map(({ name, arm, seed }) => [
        name,
        summaryOf({
          validatedAt: [5000],
          validation: [(arm === 'ref' ? 0.2 : 0.21) + seed * (arm === 'ref' ? 0.01 : 0.012)],
        }),
      ]),
    );
    const { comparisons, sentences } = studyResults(study, plan, finished, new Map());
    assert.deepEqual([comparisons[0]?.power, comparisons[0]?.seedsFor], [0, 6]);
    assert.match(sentences[0] ?? '', /with a chance of 0 %; 4 more would make it 80 %/);
  });
});
