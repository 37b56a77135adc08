import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scoreFamilies } from '../../../../src/engine/phases/score.ts';
import type { SeedRate } from '../../../../src/engine/rewardKinds/progress.ts';
import { Rng } from '../../../../src/engine/random.ts';
import { Rescore } from '../../../../src/features/rescore/core/rescore.ts';
import type { ScoredEpoch } from '../../../../src/features/rescore/core/epochChange.ts';
import type { Rejudged } from '../../../../src/features/rescore/contract/rejudged.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import type { Verdict } from '../../../../src/shared/records/trace.ts';
import type { Task } from '../../../../src/shared/records/task.ts';

const verdicts = fc.oneof(
  fc.record({
    success: fc.boolean(),
    reward: fc.constantFrom(0, 0.25, 0.5, 1),
    valid: fc.constant(true),
  }),
  fc.record({
    success: fc.constant(false),
    reward: fc.constant(0),
    valid: fc.constant(false),
    error: fc.constant('it threw'),
  }),
);

/** Families of tasks of attempts, each attempt with both verdicts; a task may have none. */
const families = fc.array(
  fc.array(fc.array(fc.record({ before: verdicts, after: verdicts }), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 3,
  }),
  { maxLength: 6 },
);

const epochs = fc.array(
  fc.record({
    families,
    mixed: fc.array(fc.array(fc.record({ before: verdicts, after: verdicts }), { minLength: 1, maxLength: 4 }), {
      maxLength: 3,
    }),
    curriculum: fc.record({
      scope: fc.constantFrom('epoch' as const, 'family' as const, 'task' as const),
      estimate: fc.constantFrom('mean' as const, 'posterior' as const),
      filter: fc.constantFrom('hard' as const, 'soft' as const, 'off' as const),
      kMin: fc.constantFrom(0.1, 0.3),
    }),
    warm: fc.boolean(),
    advantageNorm: fc.constantFrom('none' as const, 'group-std' as const),
  }),
  { minLength: 1, maxLength: 3 },
);

type Side = 'before' | 'after';
type Group = Record<Side, Verdict>[];

const task = (id: string, family: string): Pick<Task, 'id' | 'family' | 'seed' | 'origin' | 'plan' | 'complexity'> => ({
  ...{ id, family, seed: null, origin: 'generated', plan: '', complexity: {} },
});

/** GRPO's definition, written down again. */
function advantages(group: readonly Verdict[], norm: 'none' | 'group-std'): number[] {
  const rewards = group.filter(({ error }) => error === undefined).map(({ reward }) => reward);
  if (new Set(rewards).size < 2) return group.map(() => 0);
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const squares = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  const scale = norm === 'none' ? 1 : Math.sqrt(squares / (rewards.length - 1)) + 1e-6;
  return group.map(({ error, reward }) => (error === undefined ? (reward - mean) / scale : 0));
}

const near = (actual: number, expected: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${what}: ${actual}, not ${expected}`);

/** Sums of attempts in another order differ in their last digits. */
function alike(actual: object | null, expected: object | null, what: string): void {
  if (actual === null || expected === null) {
    assert.equal(actual, expected, what);
    return;
  }
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), what);
  const others = new Map<string, unknown>(Object.entries(expected));
  for (const [key, value] of new Map<string, unknown>(Object.entries(actual))) {
    const other = others.get(key);
    if (typeof value === 'number' && typeof other === 'number') near(value, other, `${what} ${key}`);
    else assert.deepEqual(value, other, `${what} ${key}`);
  }
}

const attemptedBy = { version: 'agent@0', before: new Map<string, SeedRate>() };

const sign = (value: number): number => (Math.abs(value) < 1e-9 ? 0 : Math.sign(value));
const fate = ({ success, error }: Verdict): string => (error !== undefined ? 'error' : success ? 'solved' : 'failed');

describe('rescoring', function () {
  this.timeout(240_000);

  it('equals a fresh scoring of everything', () => {
    fc.assert(
      fc.property(epochs, fc.nat(), (drawn, seed) => {
        const rescore = new Rescore();
        const scored: ScoredEpoch[] = [];
        const all: Rejudged[] = [];
        const fresh = drawn.map(({ families, mixed, curriculum: chosen, warm, advantageNorm }, e) => {
          const curriculum = { ...presets.embedded.curriculum, ...chosen };
          const own = families.map((tasks, f) =>
            tasks.map((group, t) => ({ task: task(`e${e}.f${f}.v${t}`, `e${e}.f${f}`), group })),
          );
          const others = mixed.map((group, m) => ({ task: task(`base.${m}`, `base.${m}`), group }));
          for (const { task: at, group } of [...own.flat(), ...others]) {
            for (const [r, verdict] of group.entries()) {
              const id = `e${e}/${at.id}/r${r}`;
              all.push({ id, purpose: 'train', task: at.id, family: at.family, epoch: e, verdict });
            }
          }
          const of = (side: Side, groups: { task: ReturnType<typeof task>; group: Group }[]) =>
            groups.map((one) => ({ task: one.task, traces: one.group.map((both) => ({ verdict: both[side] })) }));
          const score = (side: Side) => scoreFamilies(of(side, own.flat()), of(side, others), curriculum, warm);
          const [before, after] = [score('before'), score('after')];
          const cut = before.families.map((family, f) => ({ ...family, ...(f === 0 ? { cutOff: 3 } : {}) }));
          scored.push({ epoch: e, families: cut, curriculum, warm, advantageNorm, attemptedBy });
          return { before, after, groups: [...own.flat(), ...others], curriculum, advantageNorm };
        });

        const shuffled = Rng.from(seed, 'order').shuffle(all);
        const flips = shuffled.map((one) => rescore.add(one)).filter((flip) => flip !== null);
        for (const one of scored) rescore.settle(one);
        const summary = rescore.summary();

        const turned = all.filter(({ verdict }) => fate(verdict.before) !== fate(verdict.after));
        assert.deepEqual(flips.map(({ id }) => id).sort(), turned.map(({ id }) => id).sort());
        assert.equal(summary.flips, turned.length);
        assert.equal(summary.cutOff, fresh.filter(({ before }) => before.families.length > 0).length);
        for (const side of ['before', 'after'] as const) {
          const errors = all.filter(({ verdict }) => verdict[side].error !== undefined).length;
          assert.equal(summary.fates[side].error, errors);
          const judged = fresh.map((one) => one[side].successRate);
          const k = judged.reduce((sum, { successes }) => sum + successes, 0);
          assert.equal(summary.successRate[side].successes, k);
        }
        for (const [e, { before, after, groups, curriculum, advantageNorm }] of fresh.entries()) {
          const epoch = summary.epochs[e];
          assert.ok(epoch !== undefined);
          alike(epoch.successRate.before, before.successRate, 'p̂ before');
          alike(epoch.successRate.after, after.successRate, 'p̂ after');
          alike(epoch.baseSuccessRate.before, before.baseSuccessRate, 'p̂ of base tasks before');
          alike(epoch.baseSuccessRate.after, after.baseSuccessRate, 'p̂ of base tasks after');
          const rewardsOf = (score: typeof before): number[] =>
            score.families.flatMap(({ environmentReward }) => environmentReward ?? []);
          assert.deepEqual(epoch.environmentReward, { before: rewardsOf(before), after: rewardsOf(after) });
          near(epoch.effectiveSampleSize.after ?? NaN, after.effectiveSampleSize, 'effective sample size');
          const inside = (p: number | null): boolean =>
            p !== null && Math.abs(p - curriculum.alpha) <= curriculum.kMin + 1e-9;
          const band = before.families.map(({ id, successRate }, f) => ({
            id,
            was: inside(successRate.p),
            is: inside(after.families[f]?.successRate.p ?? null),
          }));
          assert.deepEqual(
            epoch.entered,
            band.filter(({ was, is }) => is && !was).map(({ id }) => id),
          );
          assert.deepEqual(
            epoch.left,
            band.filter(({ was, is }) => was && !is).map(({ id }) => id),
          );
          const pairs = groups.flatMap(({ group }) => {
            const [a, b] = (['before', 'after'] as const).map((side) =>
              advantages(
                group.map((both) => both[side]),
                advantageNorm,
              ),
            );
            return group.map((_, i) => [a?.[i] ?? 0, b?.[i] ?? 0] as const);
          });
          const found = epoch.advantages;
          assert.equal(found.turned, pairs.filter(([a, b]) => sign(a) * sign(b) < 0).length);
          assert.equal(found.gained, pairs.filter(([a, b]) => sign(a) === 0 && sign(b) !== 0).length);
          assert.equal(found.lost, pairs.filter(([a, b]) => sign(a) !== 0 && sign(b) === 0).length);
          near(
            found.moved,
            pairs.reduce((sum, [a, b]) => sum + Math.abs(b - a), 0),
            'moved',
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  it('equals a fresh scoring of 100,000 attempts', () => {
    const rng = Rng.from(1, 'attempts');
    const curriculum = presets.embedded.curriculum;
    const judged = (): Verdict => ({ success: rng.int(3) === 0, reward: rng.int(1000) / 1000, valid: true });
    const rescore = new Rescore();
    let [flips, moved] = [0, 0];
    for (let epoch = 1; epoch <= 10; epoch++) {
      const groups = Array.from({ length: 1250 }, (_, f) => ({
        task: task(`e${epoch}.f${f}.v0`, `e${epoch}.f${f}`),
        group: Array.from({ length: 8 }, () => ({ before: judged(), after: judged() })),
      }));
      for (const { task: at, group } of groups) {
        for (const [r, verdict] of group.entries()) {
          const attempt = { purpose: 'train', task: at.id, family: at.family, epoch, verdict } as const;
          if (rescore.add({ id: `e${epoch}/${at.id}/r${r}`, ...attempt }) !== null) flips += 1;
          if (verdict.before.success !== verdict.after.success) moved += 1;
        }
      }
      const score = (side: Side) =>
        scoreFamilies(
          groups.map((one) => ({ task: one.task, traces: one.group.map((both) => ({ verdict: both[side] })) })),
          [],
          curriculum,
          false,
        );
      const [before, after] = [score('before'), score('after')];
      rescore.settle({ epoch, families: before.families, curriculum, warm: false, advantageNorm: 'none', attemptedBy });
      const scored = rescore.summary().epochs.at(-1);
      assert.deepEqual(scored?.successRate, { before: before.successRate, after: after.successRate });
      assert.deepEqual(
        scored.environmentReward.after,
        after.families.map(({ environmentReward }) => environmentReward),
      );
      assert.deepEqual(scored.familiesKept, { before: before.familiesKept, after: after.familiesKept });
    }
    assert.deepEqual([rescore.summary().attempts, rescore.summary().flips, flips], [100_000, moved, moved]);
  });

  it('moves all the weight where only one reward keeps a family', () => {
    const rescore = new Rescore();
    const solved: Verdict = { success: true, reward: 1, valid: true };
    const failed: Verdict = { success: false, reward: 0, valid: true };
    for (const [r, before] of [solved, failed].entries()) {
      const place = { purpose: 'train', task: 'e1.f0.v0', family: 'e1.f0', epoch: 1 } as const;
      rescore.add({ id: `e1/e1.f0.v0/r${r}`, ...place, verdict: { before, after: solved } });
    }
    const curriculum = { ...presets.embedded.curriculum, kMin: 0.1, filter: 'hard' as const };
    const tasks = [{ id: 'e1.f0.v0', successes: 1, attempts: 2, environmentReward: 1, weight: 1 }];
    const families = [{ id: 'e1.f0', seed: null, origin: 'generated' as const, tasks }];
    rescore.settle({ epoch: 1, families, curriculum, warm: false, advantageNorm: 'none', attemptedBy });
    const summary = rescore.summary();
    assert.deepEqual([summary.weightMoved, summary.left, summary.entered], [1, ['e1.f0'], []]);
    assert.deepEqual(summary.effectiveSampleSize, { before: 1, after: 0 });
    assert.deepEqual(summary.advantages, {
      ...{ groups: { before: 1, after: 0 }, attempts: 2, turned: 0, gained: 0, lost: 2, moved: 1 },
    });
  });

  /** Two families of a seed, an epoch each, by another version of the agent; `after` and `before` are their successes of 4. */
  function ofSeed(
    kind: 'progress' | 'file',
    epochs: readonly { before: number; after: number; signal?: number }[],
  ): Rescore {
    const rescore = new Rescore();
    const curriculum = {
      ...{ ...presets.embedded.curriculum, kMin: 0.3, filter: 'off' as const },
      reward: { ...presets.embedded.curriculum.reward, kind },
    };
    for (const [e, { before, after, signal }] of epochs.entries()) {
      const id = `e${e}.f0.v0`;
      const verdict = (solved: boolean): Verdict => ({ success: solved, reward: Number(solved), valid: true });
      for (let r = 0; r < 4; r++) {
        const place = { purpose: 'train', task: id, family: `e${e}.f0`, epoch: e } as const;
        rescore.add({
          id: `${id}/r${r}`,
          ...place,
          verdict: { before: verdict(r < before), after: verdict(r < after) },
        });
      }
      const counts = { id, successes: before, attempts: 4, environmentReward: signal ?? null, weight: 1 };
      const tasks = [{ ...counts, ...(signal === undefined ? {} : { signal }) }];
      const families = [{ id: `e${e}.f0`, seed: 'base.1', origin: 'generated' as const, tasks }];
      const by = { ...attemptedBy, version: `agent@${e}` };
      rescore.settle({ ...{ epoch: e, families, curriculum, warm: false }, advantageNorm: 'none', attemptedBy: by });
    }
    return rescore;
  }

  it('measures progress anew, between the new success rates, and counts families without a reward', () => {
    const { epochs, families, environmentReward } = ofSeed('progress', [
      { before: 1, after: 4 },
      { before: 2, after: 4, signal: 0.25 },
      { before: 2, after: 1, signal: 0 },
    ]).summary();
    assert.deepEqual(
      epochs.map((epoch) => epoch.environmentReward),
      [
        { before: [], after: [] },
        { before: [0.25], after: [0] },
        { before: [0], after: [0.75] },
      ],
    );
    assert.deepEqual([families, environmentReward.before.mean, environmentReward.after.mean], [3, 0.125, 0.375]);
  });

  it('knows no reward of a file, which is not asked again, and no weight that follows it', () => {
    const summary = ofSeed('file', [{ before: 1, after: 4, signal: 0.7 }]).summary();
    assert.deepEqual([summary.environmentReward.before.mean, summary.environmentReward.after.mean], [0.7, null]);
    assert.deepEqual(summary.familiesKept, { before: 1, after: null });
    assert.deepEqual(summary.effectiveSampleSize, { before: 1, after: null });
    assert.deepEqual([summary.weightMoved, summary.families, summary.inBand.before], [null, 1, 1]);
  });
});
