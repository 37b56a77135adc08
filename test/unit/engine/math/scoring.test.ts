import assert from 'node:assert/strict';
import { scoreEpoch } from '../../../../src/engine/math/scoring.ts';
import { scoreFamilies } from '../../../../src/engine/phases/score.ts';
import { FamilyColumns } from '../../../../src/shared/calibration/familyColumns.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import type { Curriculum } from '../../../../src/shared/experiment/schema.ts';
import type { EventOf } from '../../../../src/shared/journal/events.ts';
import { syntheticCourse } from '../../../support/report/syntheticRun.ts';

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

/** The method's definitions written down again, over tasks one by one. */
function byDefinition(groups: ReturnType<typeof attempts>, curriculum: Curriculum) {
  const { scope, estimate, filter, alpha, beta, lambda, kMin } = curriculum;
  const tasks = groups.map(({ task, traces }) => {
    const judged = traces.filter(({ verdict }) => verdict.error === undefined);
    return { family: task.family, k: judged.filter(({ verdict }) => verdict.success).length, n: judged.length };
  });
  const sharesP = (a: { family: string }, b: { family: string }): boolean =>
    a === b || scope === 'epoch' || (scope === 'family' && a.family === b.family);
  const units = tasks.map((task) => {
    const own = tasks.filter((other) => sharesP(task, other));
    const [k, n] = [own.reduce((sum, one) => sum + one.k, 0), own.reduce((sum, one) => sum + one.n, 0)];
    const p = estimate === 'posterior' ? (k + 1) / (n + 2) : n === 0 ? 0 : k / n;
    const reward = Math.exp(-beta * (p - alpha) ** 2);
    const beyond = Math.abs(p - alpha) - kMin;
    const faded = filter === 'soft' ? Math.exp(-((beyond / kMin) ** 2) / 2) : 0;
    const keep = task.n === 0 ? 0 : filter === 'off' || beyond <= 1e-9 ? 1 : faded;
    return { family: task.family, reward, known: n > 0, keep, raw: keep * Math.exp(lambda * reward) };
  });
  const total = units.reduce((sum, { raw }) => sum + raw, 0);
  return [...Map.groupBy(units, ({ family }) => family)].map(([id, own]) => ({
    id,
    environmentReward: mean(own.filter(({ known }) => known).map(({ reward }) => reward)),
    kept: own.reduce((sum, { keep }) => sum + keep, 0) / own.length,
    weight: total === 0 ? 0 : own.reduce((sum, { raw }) => sum + raw, 0) / total,
  }));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('scoring', () => {
  const base = { ...presets.embedded.curriculum, kMin: 0.2 };
  const cases = (['epoch', 'family', 'task'] as const).flatMap((scope) =>
    (['mean', 'posterior'] as const).flatMap((estimate) =>
      (['hard', 'soft', 'off'] as const).map((filter): Curriculum => ({ ...base, scope, estimate, filter })),
    ),
  );
  it('leaves what is not known out of every mean of R_env', () => {
    // Of three families one was judged: its R_env is the epoch’s, whatever an unjudged p̂ would have earned.
    const counts = {
      ...{ successes: [2, 0, 0], attempts: [4, 0, 0], taskFrom: [0, 2, 4, 5] },
      ...{ taskSuccesses: [2, 0, 0, 0, 0], taskAttempts: [4, 0, 0, 0, 0], taskSignals: [NaN, NaN, NaN, NaN, NaN] },
    };
    for (const scope of ['family', 'task'] as const)
      for (const estimate of ['mean', 'posterior'] as const) {
        const how = { from: 0, to: 3, scope, estimate, filter: 'off', signalOf: 'kernel' } as const;
        const scores = scoreEpoch(counts, how, { ...base, alpha: 0.5 });
        assert.deepEqual([...scores.reward], [1, NaN, NaN], `${scope}, ${estimate}`);
        assert.equal(scores.environmentReward, 1);
        const none = scoreEpoch(counts, { ...how, from: 1 }, { ...base, alpha: 0.5 });
        assert.equal(none.environmentReward, null);
      }
  });

  for (const curriculum of cases) {
    const { scope, estimate, filter } = curriculum;
    it(`again with the recorded settings gives what the loop gave: ${scope}, ${estimate}, ${filter}`, () => {
      const event = scored(curriculum);
      const columns = columnsOf(event, curriculum);
      const again = scoreEpoch(columns, columns.epochs[0]!, curriculum);
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
        event.families.map(({ environmentReward }) => environmentReward ?? NaN),
      );
      assert.equal(again.familiesKept, event.familiesKept);
      assert.equal(again.inBand, event.inBand);
      assert.equal(again.environmentReward, event.environmentReward);
      assert.equal(again.effectiveSampleSize, event.effectiveSampleSize);
    });
  }

  for (const curriculum of cases) {
    const { scope, estimate, filter } = curriculum;
    it(`is what the method defines: ${scope}, ${estimate}, ${filter}`, () => {
      const event = scored(curriculum);
      for (const [i, expected] of byDefinition(attempts(), curriculum).entries()) {
        const family = event.families[i]!;
        assert.equal(family.id, expected.id);
        for (const key of ['environmentReward', 'kept', 'weight'] as const) {
          assert.ok(
            Math.abs((family[key] ?? NaN) - expected[key]) < 1e-12,
            `${key}: ${family[key]}, not ${expected[key]}`,
          );
        }
        const tasks = family.tasks.reduce((sum, task) => sum + task.weight, 0);
        assert.ok(Math.abs(tasks - expected.weight) < 1e-12);
      }
    });
  }

  it('again with other settings gives what the loop would have given', () => {
    const columns = columnsOf(scored(base), base);
    const other = { ...base, alpha: 0.3, beta: 25, lambda: 6, kMin: 0.15 };
    const would = scored(other);
    const again = scoreEpoch(columns, columns.epochs[0]!, other);
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
    assert.equal(scoreEpoch(columns, columns.epochs[0]!, base).familiesKept, event.familiesKept);
  });

  it('of an epoch without families is nothing', () => {
    const columns = columnsOf({ ...scored(base), families: [] }, base);
    const { families, inBand, environmentReward, effectiveSampleSize } = scoreEpoch(columns, columns.epochs[0]!, base);
    assert.deepEqual([families, inBand, environmentReward, effectiveSampleSize], [0, 0, null, 0]);
  });

  it('of one epoch among several is that of the epoch alone', () => {
    const curriculum: Curriculum = { ...base, scope: 'epoch' };
    const event = scored(curriculum);
    const columns = columnsOf(event, curriculum);
    const { families } = event;
    columns.add({ ...event, epoch: 2, families: families.toReversed() }, { ...curriculum, filter: 'soft' });
    columns.add({ ...event, epoch: 3, families: families.slice(4) }, curriculum);
    for (const scope of ['epoch', 'family', 'task'] as const) {
      for (const [i, own] of [families, families.toReversed(), families.slice(4)].entries()) {
        const how = { ...columns.epochs[i]!, scope };
        const alone = columnsOf({ ...event, families: own }, curriculum);
        assert.deepEqual(
          scoreEpoch(columns, how, curriculum),
          scoreEpoch(alone, { ...how, from: 0, to: own.length }, curriculum),
        );
      }
    }
  });

  it('keeps one score for all tasks with the same counts', () => {
    const event = scored({ ...base, scope: 'task' });
    const columns = columnsOf(event, { ...base, scope: 'task' });
    const { tasks } = scoreEpoch(columns, { ...columns.epochs[0]!, scope: 'task' }, base);
    const counts = event.families.flatMap((family) => family.tasks.filter(({ attempts }) => attempts > 0));
    assert.equal(
      new Set(tasks.filter(({ keep }, i) => columns.taskAttempts[i] !== 0 && keep >= 0)).size,
      new Set(counts.map(({ successes, attempts }) => `${successes} of ${attempts}`)).size,
    );
  });
});
