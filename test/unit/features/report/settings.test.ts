import assert from 'node:assert/strict';
import { settingRows } from '../../../../src/runs/facts/settings.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';

describe('settings of a report', () => {
  it('mark nothing of an experiment that is its preset', () => {
    for (const preset of Object.values(presets)) {
      assert.deepEqual(
        settingRows(preset).filter((row) => row.preset !== null),
        [],
      );
    }
  });

  it('mark what differs, with the preset’s value and the meaning', () => {
    const { embedded } = presets;
    const rows = settingRows({
      ...embedded,
      curriculum: { ...embedded.curriculum, kMin: 0.1 },
      budget: { ...embedded.budget, tokens: 5000 },
    });
    const changed = rows.filter((row) => row.preset !== null);
    assert.deepEqual(
      changed.map(({ path, value, preset }) => [path, value, preset]),
      [
        ['curriculum.kMin', '0.1', String(embedded.curriculum.kMin)],
        ['budget.tokens', '5000', 'off'],
      ],
    );
    assert.match(changed[0]!.meaning, /outside the band/);
  });

  it('compare with the preset that the experiment names', () => {
    const { paper } = presets;
    const rows = settingRows({ ...paper, curriculum: { ...paper.curriculum, beta: presets.default.curriculum.beta } });
    assert.deepEqual(
      rows.filter((row) => row.preset !== null).map(({ path, preset }) => [path, preset]),
      [['curriculum.beta', String(paper.curriculum.beta)]],
    );
  });

  it('cover every field of an experiment once', () => {
    const paths = settingRows(presets.default).map(({ path }) => path);
    assert.equal(new Set(paths).size, paths.length);
    for (const path of ['mode', 'agent.adam.beta2', 'endpoints.agent.weights', 'earlyStop']) {
      assert.ok(paths.includes(path), path);
    }
  });
});
