/** The study form: arms, work and faults as the host tells them, and the file with typed text in it. */
import assert from 'node:assert/strict';
import { formPlan } from '../../../../src/features/studyForm/core/formPlan.ts';
import { studyText, type NewStudy } from '../../../../src/features/studyForm/core/studyText.ts';
import { noCounts } from '../../../../src/shared/experiment/tasks/taskCounts.ts';
import { edited, freeName, missingIn, seedsOf } from '../../../../webview/studyForm/model.ts';
import { suggestions } from '../../../../webview/studyForm/suggestions.ts';
import { textOf, valuesIn } from '../../../../webview/studyForm/values.ts';

const base = {
  text: '{ "version": 1, "name": "demo", "preset": "embedded", "validation": { "every": 0 } }',
  file: 'demo.genenv.json',
};
const pace = { run: 'demo', secondsPerToken: 0.01, tokensPerAttempt: 10, billedPerToken: 1 };

const made = (over: Partial<NewStudy> = {}): string =>
  studyText({ name: 'one', base: base.file, arms: {}, grid: {}, seeds: 5, rollouts: 51_200, ...over });
const planOf = (
  text: string,
  experiment: Parameters<typeof formPlan>[0]['base'] = base,
  countsOf: Parameters<typeof formPlan>[2] = () => noCounts,
) => formPlan({ text, file: 'one.study.json', base: experiment }, () => pace, countsOf);

describe('the plan of a study’s form', () => {
  for (const { label, arms, grid } of suggestions(null)) {
    it(`of the suggestion “${label}” has no fault on the demo`, () => {
      const plan = planOf(
        made({ arms, grid: Object.fromEntries(Object.entries(grid).map(([field, values]) => [field, [...values]])) }),
      );
      assert.deepEqual(
        plan.problems.filter(({ severity }) => severity === 'error'),
        [],
      );
      assert.equal(plan.arms.length, plan.work?.arms);
      assert.ok((plan.work?.arms ?? 0) >= 3);
    });
  }

  it('has the faults of a base that cannot be read', () => {
    const place = { file: base.file, line: 3, column: 1, field: '' };
    const fault = { ...place, message: 'No.', remedy: 'Save it.', severity: 'error' as const };
    assert.deepEqual(planOf(made(), { problems: [fault] }).problems, [fault]);
  });

  it('tells work and time of all runs, at the pace of a run', () => {
    const plan = planOf(made({ arms: { base: {}, random: { mode: 'random' } } }));
    assert.deepEqual(plan.work && { ...plan.work, tokens: 0 }, {
      ...{ arms: 2, seeds: 5, runs: 10, rollouts: 512_000, tokens: 0 },
    });
    assert.deepEqual(plan.forecast?.seconds, { epoch: null, run: 51_200 });
    const tokens = made().replace('"rollouts": 51200', '"tokens": 1000');
    assert.deepEqual(planOf(tokens).forecast?.seconds.run, 5 * 1000 * 0.01);
    const seconds = made().replace('"rollouts": 51200', '"seconds": 60');
    assert.equal(Math.round(planOf(seconds).forecast?.seconds.run ?? 0), 300);
    assert.equal(
      formPlan(
        { text: made(), file: 'one.study.json', base },
        () => null,
        () => noCounts,
      ).forecast,
      null,
    );
  });

  it('counts each arm’s validations in the epochs that its budget gives, not in the base’s own', () => {
    const seconds = (epochs: number): number | undefined => {
      const validation = '"validation": { "every": 50, "tasks": 40, "rollouts": 1 }';
      const text = `{ "version": 1, "name": "demo", "preset": "embedded", "epochs": ${epochs}, ${validation} }`;
      return planOf(made({ arms: { base: {}, less: { 'validation.every': 0 } } }), { ...base, text }).forecast?.seconds
        .run;
    };
    assert.equal(seconds(1), seconds(1000));
    // 100 epochs of 512 rollouts: validated before them, after 50 and at the end.
    assert.equal(seconds(1), 0.1 * 5 * (2 * 51_200 + 3 * 40));
  });

  it('counts the tasks of files, as the form of an experiment does', () => {
    const measuring = '"validation": { "every": 50, "tasks": 40, "rollouts": 1 }';
    const evaluating = '"evaluation": { "adapter": "mine.adapter.json", "every": 50, "sample": null, "attempts": 1 }';
    const text = `{ "version": 1, "name": "demo", "preset": "embedded", ${measuring}, ${evaluating} }`;
    const seconds = (counts: { heldOut: ReadonlyMap<string, number>; evaluation: number | null }): number =>
      planOf(made(), { ...base, text }, () => ({ ...noCounts, ...counts })).forecast?.seconds.run ?? NaN;
    const [set, few] = [seconds(noCounts), seconds({ heldOut: new Map([['storekeeper', 7]]), evaluation: null })];
    assert.ok(Math.abs(set - few - 0.1 * 5 * 3 * (40 - 7)) < 1e-6, `${set} ${few}`);
    const evaluated = seconds({ ...noCounts, evaluation: 11 });
    assert.ok(Math.abs(evaluated - set - 0.1 * 5 * 3 * 11) < 1e-6, `${set} ${evaluated}`);
  });

  it('says what is wrong: with the study, with an arm on the base, with a base that is gone', () => {
    const fields = (text: string, experiment: typeof base | null = base) =>
      planOf(text, experiment).problems.map(({ field, severity }) => [field, severity]);
    assert.deepEqual(fields(made({ seeds: 0 })), [['seeds', 'error']]);
    assert.deepEqual(fields(made({ arms: { one: { 'curriculum.alpha': 7 } } })), [['curriculum.alpha', 'error']]);
    assert.deepEqual(fields(made(), null), [['base', 'error']]);
    assert.equal(planOf(made({ seeds: 0 })).base?.preset, 'embedded');
  });
});

describe('the model of a study’s form', () => {
  it('has typed text in the file: values, names, what is left out', () => {
    const written = { arms: { a: {}, b: { mode: 'random' } }, measures: [{ kind: 'gain' }] };
    assert.deepEqual(
      edited(written, [
        { path: ['arms', 'a', 'mode'], to: 'static' },
        { path: ['arms', 'a'], rename: 'first' },
        { path: ['arms', 'b'] },
        { path: ['measures', 0, 'last'], to: 3 },
        { path: ['grid', 'curriculum.alpha'], to: [0.1] },
      ]),
      {
        arms: { first: { mode: 'static' } },
        measures: [{ kind: 'gain', last: 3 }],
        grid: { 'curriculum.alpha': [0.1] },
      },
    );
  });

  it('knows what is still to choose', () => {
    assert.deepEqual(missingIn({ base: '' }), ['base', 'arms']);
    assert.deepEqual(missingIn({ base: 'x', arms: { a: {} } }), ['arms']);
    assert.deepEqual(missingIn({ base: 'x', arms: { a: {}, b: {} } }), []);
    assert.deepEqual(missingIn({ base: 'x', grid: { 'curriculum.alpha': [1, 2] } }), []);
  });

  it('makes names and seeds that are free', () => {
    assert.equal(freeName(['base', 'arm 3'], 'arm'), 'arm 4');
    assert.deepEqual(seedsOf([4, 9], 4), [4, 9, 10, 11]);
    assert.deepEqual(seedsOf([4, 9], 1), [4]);
    assert.deepEqual(seedsOf([], 2), [1, 2]);
  });

  it('reads lists of values by their field', () => {
    assert.deepEqual(valuesIn('0.3, 0.5,', 'curriculum.alpha'), { values: [0.3, 0.5] });
    assert.deepEqual(valuesIn('0.3, half', 'curriculum.alpha'), { wrong: 'half' });
    assert.deepEqual(valuesIn('true,false', 'agent.train'), { values: [true, false] });
    assert.deepEqual(valuesIn('coevolve, else', 'mode'), { wrong: 'else' });
    assert.deepEqual(valuesIn('a.bin, 7', 'endpoints.agent.weights'), { values: ['a.bin', '7'] });
    assert.equal(textOf(['a', 0.5, null, true]), 'a, 0.5, null, true');
  });
});
