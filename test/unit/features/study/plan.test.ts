import assert from 'node:assert/strict';
import { planStudy, type Plan } from '../../../../src/features/study/core/plan.ts';
import { readStudy } from '../../../../src/features/study/core/readStudy.ts';
import { limitWarnings } from '../../../../src/features/study/core/shortRuns.ts';
import { noCounts } from '../../../../src/shared/experiment/tasks/taskCounts.ts';
import { studyWorkload } from '../../../../src/features/study/core/workload.ts';
import type { Problem } from '../../../../src/shared/experiment/problems/problem.ts';

const base = { text: '{ "version": 1, "preset": "embedded", "name": "b", "seed": 9 }', file: 'b.genenv.json' };

/** Written a field a line, so that places can be told. */
function outcome(fields: Record<string, unknown>): { plan: Plan } | { problems: Problem[] } {
  const whole = { version: 1, name: 's', base: 'b.genenv.json', seeds: [1, 2], budget: { rollouts: 5120 }, ...fields };
  const reading = readStudy(JSON.stringify(whole, null, 1), 's.study.json');
  return 'problems' in reading ? reading : planStudy(reading.study, base, reading.places);
}

function plan(fields: Record<string, unknown>): Plan {
  const planned = outcome(fields);
  if ('problems' in planned) assert.fail(planned.problems.map(({ message }) => message).join('\n'));
  return planned.plan;
}

/** The first problem as `line field: message`. */
function problem(fields: Record<string, unknown>): string {
  const planned = outcome(fields);
  if (!('problems' in planned)) assert.fail('nothing was found wrong');
  const [first] = planned.problems;
  return `${first?.file}:${first?.line} ${first?.field}: ${first?.message}`;
}

describe('The plan of a study', () => {
  it('is arms × grid × seeds, seed by seed, with telling names', () => {
    const { members, arms } = plan({
      arms: { genenv: {}, random: { mode: 'random' } },
      grid: { 'curriculum.alpha': [0.4, 0.5], 'curriculum.kMin': [0.2] },
      seeds: [3, 7],
    });
    assert.deepEqual(
      members.slice(0, 5).map(({ name }) => name),
      [
        'genenv · α 0.4 · k_min 0.2 · seed 3',
        'genenv · α 0.5 · k_min 0.2 · seed 3',
        'random · α 0.4 · k_min 0.2 · seed 3',
        'random · α 0.5 · k_min 0.2 · seed 3',
        'genenv · α 0.4 · k_min 0.2 · seed 7',
      ],
    );
    assert.equal(members.length, 8);
    assert.deepEqual(arms[2]?.point, { 'curriculum.alpha': 0.4, 'curriculum.kMin': 0.2 });
    const { experiment } = members[6] ?? assert.fail();
    assert.equal(experiment.mode, 'random');
    assert.equal(experiment.curriculum.alpha, 0.4);
    assert.equal(experiment.seed, 7);
    assert.equal(experiment.name, members[6]?.name);
  });

  it('has its arms in the order of the file, also where their names are numbers', () => {
    const text = JSON.stringify({
      ...{ version: 1, name: 's', base: 'b.genenv.json', seeds: [1, 2], budget: { rollouts: 5120 } },
      arms: { base: {}, x32: { 'curriculum.alpha': 0.32 }, x16: { 'curriculum.alpha': 0.16 } },
    });
    const reading = readStudy(text.replaceAll('"x', '"'), 's.study.json');
    if ('problems' in reading) assert.fail();
    const planned = planStudy(reading.study, base, reading.places);
    if ('problems' in planned) assert.fail(planned.problems[0]?.message);
    assert.deepEqual(
      planned.plan.arms.map(({ name }) => name),
      ['base', '32', '16'],
    );
  });

  it('gives each seed its own value of a field, the same in every arm', () => {
    const { members, arms } = plan({
      arms: { genenv: {}, random: { mode: 'random' } },
      seeds: [3, 7],
      bySeed: { 'endpoints.agent.weights': ['a.bin', 'b.bin'], 'domain.baseTasks': [100, 120] },
    });
    assert.deepEqual(
      members.map(({ experiment: { seed, mode, domain, endpoints } }) => [
        ...[seed, mode, domain.baseTasks],
        endpoints.agent.kind === 'embedded' ? endpoints.agent.weights : null,
      ]),
      [
        [3, 'coevolve', 100, 'a.bin'],
        [3, 'random', 100, 'a.bin'],
        [7, 'coevolve', 120, 'b.bin'],
        [7, 'random', 120, 'b.bin'],
      ],
    );
    assert.equal(arms.length, 2);
    const field = { 'domain.baseTasks': [100] };
    assert.match(problem({ bySeed: field }), /bySeed\."domain.baseTasks": .* has 1 values for 2 seeds/);
    const twice = problem({ bySeed: { 'curriculum.alpha': [0.4, 0.5] }, grid: { 'curriculum.alpha': [0.4, 0.5] } });
    assert.match(twice, /varies with the seed, and "curriculum.alpha" with the arm/);
    assert.match(problem({ bySeed: { seed: [1, 2] } }), /cannot be changed by an arm: it is set by "seeds"/);
    assert.match(problem({ bySeed: { 'domain.baseTasks': [100, -1] } }), /In the arm "s": /);
  });

  it('takes arms by the name of a method, in a grid too, and what an arm sets beside it', () => {
    const { arms, members } = plan({
      arms: { half: {}, low: { 'curriculum.alpha': 0.4 } },
      grid: { method: ['genenv', 'sfl'] },
      seeds: [1],
    });
    assert.deepEqual(
      members.map(({ name }) => name),
      ['half · genenv · seed 1', 'half · sfl · seed 1', 'low · genenv · seed 1', 'low · sfl · seed 1'],
    );
    assert.deepEqual(
      arms.map(({ experiment: { mode, curriculum, rollouts } }) => [mode, curriculum.alpha, rollouts.sampler.kind]),
      [
        ['coevolve', 0.5, 'uniform'],
        ['random', 0.5, 'band'],
        ['coevolve', 0.4, 'uniform'],
        ['random', 0.4, 'band'],
      ],
    );
  });

  it('without arms the base is the one arm, and a grid alone names them', () => {
    assert.deepEqual(
      plan({ grid: { 'curriculum.alpha': [0.4, 0.6] }, seeds: [1] }).members.map(({ name }) => name),
      ['α 0.4 · seed 1', 'α 0.6 · seed 1'],
    );
    assert.equal(plan({ seeds: [1] }).members[0]?.name, 's · seed 1');
  });

  it('every budget ends its runs, whatever the base says', () => {
    for (const [kind, amount] of [
      ['rollouts', 5120],
      ['tokens', 90_000],
      ['seconds', 60],
    ] as const) {
      const { budget, epochs, earlyStop } = plan({ budget: { [kind]: amount } }).arms[0]?.experiment ?? assert.fail();
      assert.deepEqual(budget, {
        ...{ tokens: null, rollouts: null, seconds: null, hours: null, cost: null },
        [kind]: amount,
      });
      assert.equal(earlyStop, null);
      assert.ok(epochs > 5120 / 600);
    }
    const { budget, epochs } = plan({ budget: { updates: 17 } }).arms[0]?.experiment ?? assert.fail();
    assert.deepEqual([epochs, budget.rollouts], [17, null]);
  });

  it('keeps the limits of the base that protect money, and warns of them at their line', () => {
    const budget = '"budget": { "hours": 0.5, "tokens": 5 }';
    const limited = { text: `{ "version": 1, "preset": "embedded", "name": "b",\n${budget} }`, file: base.file };
    const whole = { version: 1, name: 's', base: base.file, seeds: [1, 2], budget: { rollouts: 5120 } };
    const reading = readStudy(JSON.stringify({ ...whole, arms: { a: {}, b: { mode: 'random' } } }), 's.study.json');
    if ('problems' in reading) assert.fail();
    const planned = planStudy(reading.study, limited, reading.places);
    if ('problems' in planned) assert.fail(planned.problems[0]?.message);
    const { members, warnings } = planned.plan;
    const { experiment } = members[0] ?? assert.fail();
    assert.deepEqual([experiment.budget.hours, experiment.budget.tokens], [0.5, null]);
    const [hours, ...others] = warnings.filter(({ field }) => field.startsWith('budget'));
    assert.deepEqual([hours?.file, hours?.line, hours?.field, others.length], [base.file, 2, 'budget.hours', 0]);
    assert.match(hours?.message ?? '', /^The base ends each run after 0\.5 hours\. Such a run/);
    const [cost] = limitWarnings({ ...experiment, budget: { ...experiment.budget, hours: null, cost: 20 } }, () =>
      reading.places.placeOf([]),
    );
    assert.match(cost?.message ?? '', /^The base ends each run at a cost of 20\. Such a run/);
  });

  it('says what is wrong, with line and field', () => {
    const arms = { a: { 'curriculum.alpha': 0.4 } };
    assert.match(problem({ seeds: [1, 2, 1] }), /^s\.study\.json:8 seeds\[2\]: The seed 1 is given twice/);
    assert.match(problem({ budget: {} }), /budget: The budget names nothing/);
    assert.match(
      problem({ budget: { tokens: 1, rollouts: 1 } }),
      /names rollouts and tokens, which cannot all be equal/,
    );
    assert.match(problem({ arms: { a: { seed: 4 } } }), /arms\.a\.seed: "seed" cannot be changed by an arm/);
    assert.match(problem({ arms: { a: { 'budget.tokens': 4 } } }), /"budget.tokens" cannot be changed by an arm/);
    assert.match(problem({ arms, grid: { 'curriculum.alpha': [0.5] } }), /which the grid goes through/);
    assert.match(
      problem({ arms: { a: { curriculum: {}, 'curriculum.alpha': 0.4 } } }),
      /contradict: one holds the other/,
    );
    assert.match(problem({ arms: { a: { 'curriculum.alhpa': 0.4 } } }), /In the arm "a": Unknown field "alhpa"/);
    assert.match(problem({ arms: { a: { 'curriculum.alpha': 4 } } }), /:14 curriculum\.alpha: In the arm "a": α/);
    assert.match(problem({ arms: { a: {}, b: {} } }), /"a" and "b" are the same experiment/);
    assert.match(problem({ arms: { a: {}, b: { mode: 'random' } }, comparison: { reference: 'c' } }), /no arm "c"/);
    assert.match(problem({ stopp: null }), /Unknown field "stopp"/);
    assert.match(problem({ seeds: [] }), /seeds is a list, but must be a list that is not empty/);
  });

  it('a grid of a million runs is counted, not made', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => 0.001 + i / 101);
    const grid = { 'curriculum.alpha': hundred, 'curriculum.kMin': hundred };
    const text = problem({ grid, seeds: Array.from({ length: 100 }, (_, i) => i) });
    assert.match(
      text,
      /100 values of α × 100 values of k_min × 100 seeds are 1,000,000 runs; a study has at most 10,000/,
    );
  });

  it('budgets that cannot be equal are refused', () => {
    const arms = { small: {}, large: { 'generation.families': 100 } };
    assert.match(problem({ arms, budget: { rollouts: 600 } }), /The budgets cannot be equal: .*"large" \(\d+ rollouts/);
    assert.match(
      problem({ arms: { one: {}, rounds: { 'rollouts.batch': 20 } }, budget: { updates: 30 } }),
      /an epoch of "rounds" has \d+ updates/,
    );
  });

  it('the workload is told before, and by what was measured after the first runs', () => {
    const planned = plan({ arms: { a: {}, b: { mode: 'random' } }, seeds: [1, 2, 3] });
    const before = studyWorkload(
      planned,
      () => noCounts,
      { runs: 0, dropped: 0, rollouts: 0, tokens: 0, seconds: 0 },
      2,
    );
    assert.equal(before.runs, 6);
    assert.ok((before.rollouts ?? 0) >= 6 * 5120 && (before.rollouts ?? 0) < 6 * 5120 * 1.1);
    assert.equal(before.basis, 'limits');
    assert.equal(before.hoursLeft, null);
    const done = { runs: 2, dropped: 0, rollouts: 10_000, tokens: 4_000_000, seconds: 7200 };
    const after = studyWorkload(planned, () => noCounts, done, 2);
    assert.deepEqual([after.tokens, after.basis, after.hoursLeft, after.cost], [12_000_000, 'measured', 4, 24]);
    // Racing ended an arm before its other seeds.
    const raced = studyWorkload(planned, () => noCounts, { ...done, runs: 4, seconds: 14_400, dropped: 2 }, null);
    assert.deepEqual([raced.runs, raced.hoursLeft], [4, 0]);
    assert.ok((raced.rollouts ?? 0) < (before.rollouts ?? 0) * 0.7);
  });

  const two = { a: {}, b: { 'curriculum.alpha': 0.6 } };
  const warned = (fields: Record<string, unknown>): string[] =>
    plan(fields).warnings.map(({ field, message, remedy }) => `${field}: ${message} ${remedy}`);

  it('warns of seeds that are too few for the strictest of its comparisons, and names how many are enough', () => {
    const eight = [1, 2, 3, 4, 5, 6, 7, 8];
    const six = { arms: { a: {}, b: { mode: 'random' } }, grid: { 'curriculum.alpha': [0.4, 0.5, 0.6] } };
    const measures = [{ kind: 'validation' }, { kind: 'gain' }];
    const [few, ...more] = warned({ ...six, measures, seeds: eight });
    assert.deepEqual(more, []);
    assert.match(few ?? '', /^seeds: With 8 seeds no .* below 0\.0078, .* clearest of 10 comparisons needs 0\.005/);
    assert.match(few ?? '', /Give 9 seeds, or compare fewer/);
    assert.deepEqual(warned({ ...six, measures, seeds: [...eight, 9] }), []);
    assert.deepEqual(warned({ ...six, measures: measures.slice(0, 1), seeds: eight }), []);
    assert.match(
      warned({ arms: two, seeds: [1, 2] })[0] ?? '',
      /below 0\.50, and the level is 0\.05\. Give 6 seeds\.$/,
    );
    assert.match(
      warned({ arms: two, seeds: [1, 2], comparison: { test: 'bootstrap' } })[0] ?? '',
      /below 0\.50, and the level is 0\.05\. Give 4 seeds\.$/,
    );
    assert.deepEqual(warned({ seeds: [1, 2] }), [], 'one arm is compared with nothing');
  });

  it('warns of means over validations that cover more training of one arm than of another', () => {
    const arms = { small: { 'rollouts.group': 8 }, large: { 'rollouts.group': 16 } };
    const seeds = [1, 2, 3, 4, 5, 6];
    assert.deepEqual(warned({ arms, seeds }), [
      'measures[0].last: The last validations of "large" cover 2 times the training that those of "small" do. Set "last" to 1, or validation.every of each arm.',
    ]);
    assert.deepEqual(warned({ arms, seeds, measures: [{ kind: 'validation', last: 1 }] }), []);
    assert.deepEqual(warned({ arms, seeds, budget: { updates: 100 } }), []);
  });

  it('warns of a difference in shares where the first measure is in rollouts', () => {
    const fields = { arms: two, seeds: [1, 2, 3, 4, 5, 6], measures: [{ kind: 'reaches', score: 0.3 }] };
    assert.match(warned(fields)[0] ?? '', /^comparison\.difference: The first measure is in rollouts, .* 0\.02/);
    assert.deepEqual(warned({ ...fields, comparison: { difference: 500 } }), []);
  });

  it('warns of measures that no run has a value of', () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const arms = { a: {}, b: { 'validation.every': 0 } };
    const measures = [
      { kind: 'band', low: 0.4, high: 0.6 },
      { kind: 'reaches', score: 0.5 },
    ];
    assert.deepEqual(warned({ arms, seeds, measures }), [
      'measures[1]: No run of the arm "b" has a value of the measure "reaches": validation.every is 0. Change the base, or choose another measure.',
    ]);
    assert.match(
      warned({ arms: two, seeds, measures: [{ kind: 'evaluation' }] })[0] ?? '',
      /evaluated on no benchmark/,
    );
  });
});
