import assert from 'node:assert/strict';
import { branchedExperiment } from '../../../../src/shared/experiment/branched.ts';
import { fields, isFieldPath } from '../../../../src/shared/experiment/fields.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import { editText, type FieldEdit } from '../../../../src/shared/experiment/text/textEdit.ts';
import { applyEdit, formModel } from '../../../../webview/experiment/formModel.ts';
import { groups, headerFields } from '../../../../webview/experiment/groups.ts';
import { assignment, differences } from '../../../../webview/experiment/differences.ts';

const file = { version: 1, name: 'a study', preset: 'embedded', curriculum: { alpha: 0.4 } };

describe('the form', () => {
  it('has a place for every field, and one only', () => {
    const placed = [...headerFields, ...groups.flatMap(({ parts }) => parts.flatMap((part) => part.fields))];
    assert.deepEqual(
      placed.toSorted(),
      Object.keys(fields)
        .filter((path) => path !== 'version')
        .toSorted(),
    );
  });

  it('shows the preset under the file under what is being typed', () => {
    const model = formModel(file, [{ path: ['curriculum', 'kMin'], to: 0.1 }], []);
    assert.equal(model.value('curriculum.alpha'), 0.4);
    assert.equal(model.value('curriculum.kMin'), 0.1);
    assert.equal(model.value('curriculum.beta'), presets.embedded.curriculum.beta);
    assert.equal(model.presetValue('curriculum.alpha'), 0.5);
    const differing = Object.keys(fields).filter((path) => isFieldPath(path) && model.differs(path));
    assert.deepEqual(differing, ['curriculum.alpha', 'curriculum.kMin']);
    assert.equal(model.experiment?.curriculum.kMin, 0.1);
  });

  it('draws what is right while something is wrong', () => {
    const wrong = { ...file, curriculum: { alpha: 2, kMin: 0.2, kmin: 1 }, mode: 'random', earlyStop: { patience: 3 } };
    const model = formModel(wrong, [], []);
    assert.equal(model.experiment, null);
    assert.equal(model.drawn.curriculum.alpha, 0.5);
    assert.equal(model.drawn.curriculum.kMin, 0.2);
    assert.match(model.irrelevant('environment.steps') ?? '', /random/);
  });

  it('gives each problem to the row of its field, and names those that no row shows', () => {
    const at = { line: 1, column: 1, message: 'Wrong.', remedy: '', severity: 'error' } as const;
    const placed = ['curriculum.alpha', 'curriculum.alphaPoints[0].epoch', 'earlyStop.patience', 'earlyStop.patienec'];
    const nowhere = ['', '$schema', 'version', 'name', 'aplha', 'curriculum.aplha', 'endpoints.agent.workdir'];
    const problems = [...placed, ...nowhere].map((field) => ({ ...at, field }));
    const model = formModel(file, [], problems);
    const rows = groups.flatMap(({ parts }) => parts.flatMap((part) => part.fields));
    const shown = rows.flatMap((row) => model.problemsOf(row).map(({ field }) => `${row}: ${field}`));
    assert.deepEqual(shown, [
      'curriculum.alpha: curriculum.alpha',
      'curriculum.alphaPoints: curriculum.alphaPoints[0].epoch',
      'earlyStop: earlyStop.patienec',
      'earlyStop.patience: earlyStop.patience',
    ]);
    assert.deepEqual(
      model.unplaced.map(({ field }) => field),
      nowhere,
    );
  });

  it('edits a value as the text is edited', () => {
    const edits: FieldEdit[] = [
      { path: ['curriculum', 'beta'], to: 4 },
      { path: ['curriculum', 'alpha'] },
      { path: ['curriculum', 'beta'] },
      { path: ['agent', 'adam', 'beta1'], to: 0.8 },
      { path: ['earlyStop'], to: { patience: 5, minImprovement: 0.01 } },
      { path: ['name'], to: 'b' },
    ];
    let [value, text]: [Record<string, unknown>, string] = [file, JSON.stringify(file)];
    for (const edit of edits) {
      value = applyEdit(value, edit);
      text = editText(text, [edit]);
      assert.deepEqual(JSON.parse(text), value);
    }
  });
});

describe('what the form would change in a run', () => {
  const running = presets.embedded;

  it('is each field that differs, and when it would take hold', () => {
    const form = {
      ...running,
      seed: 9,
      name: 'another',
      curriculum: { ...running.curriculum, alpha: 0.6 },
      rollouts: { ...running.rollouts, group: 4 },
    };
    const found = differences(running, form);
    assert.deepEqual(
      found.map(({ path, when }) => [path, when]),
      [
        ['seed', null],
        ['curriculum.alpha', 'scoring'],
        ['rollouts.group', 'epoch'],
      ],
    );
    assert.deepEqual(found.map(assignment), ['seed=9', 'curriculum.alpha=0.6', 'rollouts.group=4']);
  });

  it('is one where a section is turned off, and each of its fields where it is turned on', () => {
    const stops = { ...running, earlyStop: { patience: 3, minImprovement: 0.01 } };
    assert.deepEqual(differences(stops, running).map(assignment), ['earlyStop=null']);
    assert.deepEqual(differences(running, stops).map(assignment), [
      'earlyStop.patience=3',
      'earlyStop.minImprovement=0.01',
    ]);
    const branch = branchedExperiment(stops, differences(stops, running).map(assignment), 1);
    assert.deepEqual('experiment' in branch && branch.experiment.earlyStop, null);
  });

  it('is nothing where they agree', () => assert.deepEqual(differences(running, structuredClone(running)), []));
});
