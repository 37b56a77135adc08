import assert from 'node:assert/strict';
import { rescore } from '../../../src/engine/math/rescore.ts';
import { scoreFamilies } from '../../../src/engine/phases/score.ts';
import { FamilyColumns } from '../../../src/shared/calibration/familyColumns.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import type { Curriculum } from '../../../src/shared/experiment/schema.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';
import { syntheticCourse } from '../../support/report/syntheticRun.ts';

/** Attempts of one epoch; the second family's first task was never judged. */
function attempts() {
  const { tasks, traces } = syntheticCourse({ epochs: 1, families: 9, variations: 3, group: 6 }).epoch(1);
  return tasks.map((task, i) => ({
    task,
    traces: traces
      .filter((trace) => trace.task === task.id)
      .map((trace) =>
        i === 3 ? { ...trace, verdict: { ...trace.verdict, success: false, error: 'the checker broke' } } : trace,
      ),
  }));
}

function scored(curriculum: Curriculum, warm = false): EventOf<'families.scored'> {
  const outcome = scoreFamilies(attempts(), [], curriculum, warm);
  return { v: 1, seq: 0, at: 0, type: 'families.scored', epoch: 1, ...outcome };
}

function columnsOf(event: EventOf<'families.scored'>, curriculum: Curriculum, filter = curriculum.filter) {
  const columns = new FamilyColumns();
  columns.add(event, { estimate: curriculum.estimate, filter });
  return columns;
}

describe('scoring again', () => {
  const base = { ...presets.embedded.curriculum, kMin: 0.2 };
  const cases = (['epoch', 'family', 'task'] as const).flatMap((scope) =>
    (['mean', 'posterior'] as const).flatMap((estimate) =>
      (['hard', 'soft', 'off'] as const).map((filter): Curriculum => ({ ...base, scope, estimate, filter })),
    ),
  );
  for (const curriculum of cases) {
    const { scope, estimate, filter } = curriculum;
    it(`with the recorded settings gives what the loop gave: ${scope}, ${estimate}, ${filter}`, () => {
      const event = scored(curriculum);
      const columns = columnsOf(event, curriculum);
      const again = rescore(columns, columns.epochs[0]!, curriculum);
      assert.deepEqual(
        [...again.weight],
        event.families.map(({ weight }) => weight),
      );
      assert.deepEqual(
        [...again.kept],
        event.families.map(({ kept }) => kept),
      );
      assert.deepEqual(
        [...again.reward],
        event.families.map(({ environmentReward }) => environmentReward),
      );
      assert.equal(again.familiesKept, event.familiesKept);
      assert.equal(again.inBand, event.inBand);
      assert.equal(again.environmentReward, event.environmentReward);
      assert.equal(again.effectiveSampleSize, event.effectiveSampleSize);
    });
  }

  it('with other settings gives what the loop would have given', () => {
    const columns = columnsOf(scored(base), base);
    const other = { ...base, alpha: 0.3, beta: 25, lambda: 6, kMin: 0.15 };
    const would = scored(other);
    const again = rescore(columns, columns.epochs[0]!, other);
    assert.deepEqual(
      [...again.weight],
      would.families.map(({ weight }) => weight),
    );
    assert.equal(again.effectiveSampleSize, would.effectiveSampleSize);
    assert.notEqual(again.familiesKept, scored(base).familiesKept);
  });

  it('leaves the filter off where a warm-up left it off', () => {
    const event = scored(base, true);
    const columns = columnsOf(event, base, 'off');
    assert.equal(rescore(columns, columns.epochs[0]!, base).familiesKept, event.familiesKept);
  });

  it('of an epoch without families is nothing', () => {
    const columns = columnsOf({ ...scored(base), families: [] }, base);
    const { families, environmentReward, effectiveSampleSize } = rescore(columns, columns.epochs[0]!, base);
    assert.deepEqual([families, environmentReward, effectiveSampleSize], [0, 0, 0]);
  });
});
