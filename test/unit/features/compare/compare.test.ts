import assert from 'node:assert/strict';
import { CompareFold } from '../../../../src/features/compare/core/compareFold.ts';
import { settingTexts } from '../../../../src/features/compare/core/settingTexts.ts';
import { compareShared, type ValidationTask } from '../../../../src/features/compare/core/sharedTasks.ts';
import { outcomeTries } from '../../../../src/engine/math/paired/taskTries.ts';
import { pairedDifference } from '../../../../src/engine/math/paired/proportions.ts';
import { distinctions, settingLines } from '../../../../webview/compare/differences.ts';
import { overlayGeometry } from '../../../../webview/compare/overlayGeometry.ts';
import { runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { journalOf } from '../../../support/journal.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const tasks = (...keys: string[]): ValidationTask[] => keys.map((key, i) => ({ id: `validation.${i}`, key }));

describe('the fold behind a comparison', () => {
  it('has what the run spent by then at every epoch and validation', async () => {
    const experiment = smallExperiment({ epochs: 4, validation: { every: 2, tasks: 6 } });
    const run = await runScripted(experiment);
    const fold = new CompareFold();
    for (const event of run.events) fold.add(event);
    // A repeated event counts once.
    for (const event of run.events.slice(-20)) fold.add(event);
    assert.deepEqual(
      fold.epochs.map(({ epoch }) => epoch),
      [1, 2, 3, 4],
    );
    assert.deepEqual(
      fold.validations.map(({ epoch }) => epoch),
      [0, 2, 4],
    );
    assert.deepEqual(fold.epochs.at(-1)?.spent, run.state.spent);
    const spent = fold.epochs.map((row) => row.spent.tokens ?? NaN);
    assert.deepEqual(
      spent,
      spent.toSorted((a, b) => a - b),
    );
    assert.ok((fold.validations[0]?.spent.tokens ?? 0) < (fold.epochs[0]?.spent.tokens ?? 0));
    assert.equal(fold.validations[0]?.spent.rollouts, 0);
    const validated = run.events.filter((event) => event.type === 'validated');
    assert.equal(fold.measured(2)?.outcomes, validated[1]?.outcomes);
    assert.equal(fold.measured(1), undefined);
  });

  it('has the entropy and the gradient norm of an epoch’s last updates, and none where there was none', () => {
    const script = { successes: 5, attempts: 10 };
    const fold = new CompareFold();
    let seq = 0;
    for (const event of journalOf([script, { ...script, agent: 'none', environment: 'none' }])) {
      if (event.type === 'agent.updated') fold.add({ ...event, seq: seq++, entropy: 0.75, gradNorm: 3 });
      fold.add({ ...event, seq: seq++ });
    }
    assert.deepEqual(
      fold.epochs.map(({ entropyAgent, gradNormAgent, entropyEnvironment, gradNormEnvironment }) => [
        [entropyAgent, gradNormAgent],
        [entropyEnvironment, gradNormEnvironment],
      ]),
      [
        [
          [0.5, 0.3],
          [null, 0.4],
        ],
        [
          [null, null],
          [null, null],
        ],
      ],
    );
  });
});

describe('validations compared task by task', () => {
  it('are the paired difference when the sets are the same', () => {
    const set = tasks('a', 'b', 'c', 'd');
    const result = compareShared(
      { tasks: set, tries: outcomeTries('1010') },
      { tasks: set, tries: outcomeTries('1101') },
    );
    assert.deepEqual(result?.paired, pairedDifference(outcomeTries('1010'), outcomeTries('1101')));
    assert.deepEqual(result.changed, [
      { task: 'validation.1', gained: true },
      { task: 'validation.2', gained: false },
      { task: 'validation.3', gained: true },
    ]);
  });

  it('use only the tasks that both share, whatever their order', () => {
    const first = { tasks: tasks('a', 'b', 'c', 'd'), tries: outcomeTries('1100') };
    const second = { tasks: tasks('d', 'x', 'b'), tries: outcomeTries('110') };
    const result = compareShared(first, second);
    assert.deepEqual([result?.paired.tasks, result?.paired.gained, result?.paired.lost], [2, 1, 1]);
    assert.deepEqual(result?.changed, [
      { task: 'validation.0', gained: true },
      { task: 'validation.2', gained: false },
    ]);
  });

  it('take each task once where several have one key', () => {
    const set = tasks('a', 'a', 'b', 'a');
    const same = { tasks: set, tries: outcomeTries('1001') };
    const result = compareShared(same, same);
    assert.deepEqual([result?.paired.tasks, result?.paired.gained, result?.paired.lost], [4, 0, 0]);
    // In another order by their ids; under other ids in their order; one too many has no counterpart.
    const turned = compareShared(same, { tasks: set.toReversed(), tries: outcomeTries('1001') });
    assert.deepEqual([turned?.paired.tasks, turned?.changed], [4, []]);
    const renamed = [...set, { id: 'x', key: 'a' }].map(({ id, key }) => ({ id: `other.${id}`, key }));
    const other = compareShared(same, { tasks: renamed, tries: outcomeTries('10010') });
    assert.deepEqual([other?.paired.tasks, other?.changed], [4, []]);
    const mixed = [{ id: 'new', key: 'a' }, ...set.slice(0, 2)];
    assert.deepEqual(compareShared(same, { tasks: mixed, tries: outcomeTries('110') })?.changed, []);
  });

  it('are nothing when no task is shared, or none was attempted', () => {
    assert.equal(
      compareShared({ tasks: tasks('a'), tries: outcomeTries('1') }, { tasks: tasks('b'), tries: outcomeTries('1') }),
      null,
    );
    assert.equal(
      compareShared({ tasks: tasks('a'), tries: outcomeTries('') }, { tasks: tasks('a'), tries: outcomeTries('1') }),
      null,
    );
  });
});

describe('what is set up differently', () => {
  const alone = (settings?: Parameters<typeof smallExperiment>[0]) => ({
    parent: null,
    experiment: smallExperiment(settings),
  });
  const one = { settings: settingTexts([alone()], []) };
  const other = { settings: settingTexts([alone({ seed: 9, mode: 'random' })], []) };

  it('is said by path, and names what sets a run apart', () => {
    const differing = settingLines([one, other]).filter(({ differs }) => differs);
    assert.deepEqual(
      differing.map(({ path, values }) => [path, ...values]),
      [
        ['mode', 'coevolve', 'random'],
        ['seed', '1', '9'],
      ],
    );
    assert.deepEqual(distinctions([one, other]), ['mode coevolve, seed 1', 'mode random, seed 9']);
    assert.deepEqual(distinctions([one, one]), ['', '']);
    assert.equal(distinctions([one, other], 1)[0], 'mode coevolve, …');
  });

  it('knows of changes on the way', () => {
    const changes = [
      { field: 'curriculum.alpha', from: 0.5, to: 0.4, epoch: 12 },
      { field: 'environment.totalKlCap', from: 0.1, to: null, epoch: 13 },
    ];
    const changed = settingTexts([alone({ environment: { totalKlCap: 0.1 } })], changes);
    assert.equal(changed['curriculum.alpha'], '0.5 → 0.4 (epoch 12)');
    assert.equal(changed['environment.totalKlCap'], '0.1 → off (epoch 13)');
  });

  it('of a branch begin with its parent’s, and have what it changed as a step', () => {
    const lambda = (to: number, epoch: number) => ({ field: 'curriculum.lambda', to, epoch });
    const changes = [lambda(6, 2), lambda(1, 4), lambda(9, 5), lambda(7, 8)];
    const branch = { ...alone({ curriculum: { lambda: 4 }, seed: 3 }), parent: { run: 'root', epoch: 5 } };
    const root = alone({ curriculum: { lambda: 3 } });
    const texts = settingTexts([branch, root], changes);
    assert.equal(texts['curriculum.lambda'], '3 → 6 (epoch 2) → 1 (epoch 4) → 9 (epoch 5) → 4 (epoch 6) → 7 (epoch 8)');
    assert.equal(texts['seed'], '1 → 3 (epoch 6)');
    assert.equal(texts['curriculum.alpha'], settingTexts([root], [])['curriculum.alpha']);
    // Its parent is gone: what it took over is known, not how that came about.
    assert.equal(settingTexts([branch], changes)['curriculum.lambda'], '4 → 7 (epoch 8)');
    const same = { ...alone({ curriculum: { lambda: 9 } }), parent: { run: 'root', epoch: 5 } };
    assert.match(settingTexts([same, root], changes)['curriculum.lambda'] ?? '', /9 \(epoch 5\) → 7 \(epoch 8\)$/);
    const between = { ...alone({ curriculum: { lambda: 6 } }), parent: { run: 'root', epoch: 3 } };
    const third = { ...alone({ curriculum: { lambda: 6 } }), parent: { run: 'between', epoch: 4 } };
    const taken = settingTexts([third, between, root], [lambda(6, 2), lambda(5, 4)]);
    assert.equal(taken['curriculum.lambda'], '3 → 6 (epoch 2) → 5 (epoch 4) → 6 (epoch 5)');
  });

  it('of a branch name a file that it was given once', () => {
    const root = alone();
    const branch = { ...alone({ reward: { file: 'b.ts' } }), parent: { run: 'root', epoch: 2 } };
    const texts = settingTexts([branch, root], [{ field: 'reward.file', to: 'b.ts', epoch: 3 }]);
    assert.equal(texts['reward.file'], 'off → b.ts (epoch 3)');
  });
});

describe('the geometry of an overlay', () => {
  const frame = { left: 40, right: 340, top: 20, bottom: 220 };
  const point = (x: number, value: number, half = 0) => ({ epoch: x, x, value, low: value - half, high: value + half });

  it('spans all runs, and keeps their labels apart', () => {
    const { x, y, runs } = overlayGeometry([[point(0, 0.2), point(10, 0.5)], [point(5, 0.51)]], false, frame);
    assert.deepEqual([x(0), x(10)], [40, 340]);
    assert.equal(y(0), 220);
    const labels = runs.map(({ labelY }) => labelY ?? NaN);
    assert.ok(Math.abs((labels[0] ?? outOfRange()) - (labels[1] ?? outOfRange())) >= 14);
  });

  it('makes room for intervals only where they are drawn', () => {
    const runs = [[point(1, 0.4, 0.4), point(2, 0.4, 0.4)]];
    assert.ok(overlayGeometry(runs, true, frame).y.domain()[1]! >= 0.8);
    assert.ok(overlayGeometry(runs, false, frame).y.domain()[1]! < 0.8);
  });

  it('draws one point in the middle, and nothing at all without a NaN', () => {
    assert.equal(overlayGeometry([[point(7, 0.5)]], true, frame).runs[0]?.points[0]?.x, 190);
    const none = overlayGeometry([[]], true, frame);
    assert.equal(none.runs[0]?.labelY, null);
    assert.ok([...none.x.domain(), ...none.y.domain()].every(Number.isFinite));
  });
});
