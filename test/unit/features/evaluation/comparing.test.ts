import assert from 'node:assert/strict';
import { bootstrapMean } from '../../../../src/engine/math/paired/bootstrapMean.ts';
import { exactMcNemar } from '../../../../src/engine/math/paired/mcnemar.ts';
import { Rng } from '../../../../src/engine/random.ts';
import { compareEvaluations } from '../../../../src/features/evaluation/node/compareEvaluations.ts';
import { pairedTasks } from '../../../../src/features/evaluation/node/pairedTasks.ts';
import type { StoredEvaluation } from '../../../../src/features/evaluation/node/evaluationFolder.ts';
import type { EvaluationSettings } from '../../../../src/shared/records/evaluation.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';

/** `10-`: solved, not solved, not answered; several outcomes a task are several attempts. It came to its end. */
function evaluated(tasks: readonly string[], over: Partial<EvaluationSettings> = {}): StoredEvaluation {
  const settings: EvaluationSettings = {
    ...{ benchmark: 'Quiz', rule: 'exact', splits: ['test'], sample: null, seed: 1, attempts: 1, temperature: 0 },
    ...{
      maxTokens: 1,
      policy: { source: 's', version: 'v' },
      tasks: tasks.length,
      digest: '',
      attempts: tasks[0]?.length ?? 1,
      ...over,
    },
  };
  const answers = tasks.flatMap((outcomes, task) =>
    Array.from(outcomes.replaceAll('-', ''), (outcome, index): Trace => {
      const success = outcome === '1';
      return {
        ...{ v: 1, id: `v0/t${task}/r${index}`, purpose: 'validation', task: `t${task}`, family: 'test', epoch: 0 },
        ...{ version: 'v', messages: [], sequences: [], stopReason: 'stop' },
        verdict: { success, reward: Number(success), valid: true },
      };
    }),
  );
  const posed = tasks.map((_, task): Task => ({
    ...{ v: 1, id: `t${task}`, epoch: 0, family: 'test', prompt: [], evaluation: { kind: 'exact' }, gold: null },
    ...{ plan: '', origin: 'validation', seed: null, status: 'accepted', complexity: {} },
  }));
  return {
    ...{
      manifest: { v: 1, begun: 0, settings },
      answers,
      tasks: posed,
      data: null,
      end: { v: 1, answered: answers.length },
    },
    damaged: [],
  };
}

describe('comparing evaluations', () => {
  it('tests changes exactly', () => {
    assert.equal(exactMcNemar(0, 0), 1);
    assert.equal(exactMcNemar(3, 3), 1);
    // 2·(1 + 10)/2¹⁰, and the same the other way round.
    assert.ok(Math.abs(exactMcNemar(9, 1) - 22 / 1024) < 1e-12);
    assert.ok(Math.abs(exactMcNemar(1, 9) - 22 / 1024) < 1e-12);
    assert.ok(Math.abs(exactMcNemar(10, 0) - 2 / 1024) < 1e-12);
    assert.ok(exactMcNemar(600, 400) < 1e-9);
  });

  it('covers a mean by its bootstrap interval about as often as it says', () => {
    let covered = 0;
    for (let trial = 0; trial < 60; trial++) {
      const rng = Rng.from('bootstrap test', trial);
      const { low, high } = bootstrapMean(Array.from({ length: 60 }, () => rng.next() - 0.3));
      if (low <= 0.2 && high >= 0.2) covered += 1;
    }
    assert.ok(covered >= 52 && covered <= 60, `${covered} of 60`);
    assert.deepEqual(bootstrapMean([0.5, 0.5]), { mean: 0.5, low: 0.5, high: 0.5 });
  });

  it('pairs single attempts by McNemar’s test, over the tasks that both asked', () => {
    const compared = compareEvaluations(evaluated('0011-1'.split('')), evaluated('11010-'.split('')));
    assert.deepEqual(compared.method === 'mcnemar' && [compared.gained, compared.lost, compared.p], [2, 2, 1]);
    assert.deepEqual([compared.tasks, compared.unshared, compared.first, compared.second], [6, 0, 0.5, 0.5]);
    assert.ok(compared.difference === 0 && compared.low < 0 && compared.high > 0);
  });

  it('counts as wrong what was not answered, and sets beside it what both answered', () => {
    const { difference, answered, unfinished } = compareEvaluations(
      evaluated('0011-1'.split('')),
      evaluated('11010-'.split('')),
    );
    assert.equal(difference, 0);
    assert.deepEqual([answered?.tasks, answered?.first, answered?.second, answered?.difference], [4, 0.5, 0.75, 0.25]);
    assert.deepEqual(unfinished, []);
    assert.equal(compareEvaluations(evaluated(['1', '0']), evaluated(['1', '1'])).answered, null, 'all were answered');
    // A model whose server refuses what is hard for it does not become the better one.
    const [steady, picky] = [evaluated('1100'.split('')), evaluated('1---'.split(''))];
    assert.equal(compareEvaluations(steady, picky).difference, -0.25);
  });

  it('takes of one that has not come to its end only what is there', () => {
    const cut = { ...evaluated('11--'.split('')), end: null };
    const compared = compareEvaluations(evaluated('1000'.split('')), cut);
    assert.deepEqual([compared.tasks, compared.unshared, compared.difference], [2, 2, 0.5]);
    assert.deepEqual(compared.unfinished, ['second']);
  });

  it('leaves out ids that name another task in each', () => {
    const posed = (golds: readonly (string | null)[], asked = ''): StoredEvaluation => {
      const stored = evaluated(golds.map((_, i) => String(i % 2)));
      const prompt = [{ role: 'user' as const, content: asked }];
      return { ...stored, tasks: stored.tasks.map((task, i) => ({ ...task, prompt, gold: golds[i] ?? null })) };
    };
    const [one, other] = [posed(['a', 'b', 'c']), posed(['a', 'c', 'c'], 'in other words')];
    const { tasks, unshared, differing } = compareEvaluations(one, other);
    assert.deepEqual([tasks, unshared, differing], [2, 0, 1]);
    assert.equal(pairedTasks(one, other).equal + pairedTasks(one, other).rows.length, 2);
    const none = { reason: 'not-comparable', message: /\(2\) name other tasks/ };
    assert.throws(() => compareEvaluations(posed(['a', 'b']), posed(['b', 'a'])), none);
    assert.throws(() => compareEvaluations(posed([null, null], '1 + 1?'), posed([null, null], '2 + 2?')), none);
  });

  it('refuses what was judged otherwise', () => {
    const judge = { source: 'judge', version: 'agent@0 1' };
    const tasks = ['1', '0'];
    const refused = { reason: 'not-comparable', message: 'They were not judged by the same model.' };
    assert.throws(() => compareEvaluations(evaluated(tasks), evaluated(tasks, { judge })), refused);
    const other = { ...judge, version: 'agent@0 2' };
    assert.throws(() => compareEvaluations(evaluated(tasks, { judge }), evaluated(tasks, { judge: other })), refused);
    assert.equal(compareEvaluations(evaluated(tasks, { judge }), evaluated(tasks, { judge })).tasks, 2);
  });

  it('bootstraps over tasks where there are more attempts', () => {
    const before = Array.from({ length: 40 }, () => '0101');
    const after = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? '1111' : '0111'));
    const compared = compareEvaluations(evaluated(before), evaluated(after));
    assert.equal(compared.method, 'bootstrap');
    assert.equal(compared.difference, 0.375);
    assert.ok(compared.low > 0.32 && compared.low < 0.375 && compared.high > 0.375 && compared.high < 0.43);
  });

  it('refuses what has nothing in common', () => {
    const reason = 'not-comparable';
    assert.throws(() => compareEvaluations(evaluated(['1']), evaluated(['1'], { benchmark: 'Other' })), { reason });
    const cut = (tasks: string[]): StoredEvaluation => ({ ...evaluated(tasks), end: null });
    assert.throws(() => compareEvaluations(cut(['1', '-']), cut(['-', '1'])), { reason });
  });
});
