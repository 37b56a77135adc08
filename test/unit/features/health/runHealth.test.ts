import { deadGroup } from '../../../../src/features/health/node/findings.ts';
import assert from 'node:assert/strict';
import type { Task } from '../../../../src/shared/records/task.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { Duplicates, likenessOf } from '../../../../src/features/health/node/duplicates.ts';
import { HeldOut } from '../../../../src/features/health/node/heldOut.ts';
import { duplicateWords, heldOutWords } from '../../../../src/features/health/node/words.ts';
import { LadderDomain, LadderScorer } from '../../../support/scripted/ladder.ts';
import { answers, ladderRun, rung } from '../../../support/runs/ladderRun.ts';
import { withTempRuns } from '../../../support/runs/tempRuns.ts';

const eight = (right: number): string[] => Array.from({ length: 8 }, (_, i) => (i < right ? '5' : `wrong ${i}`));

const wrongAlike = (right: number): string[] => eight(right).map((text) => (text === '5' ? text : '6'));

/** Two tasks, one of which must have the flag, said so, and the other just not; both ways of asking agree. */
async function tells(
  flag: string,
  { has, hasNot, why }: { has: [Task, Trace[]]; hasNot: [Task, Trace[]]; why: RegExp },
  others: readonly [Task, Trace[]][] = [],
): Promise<void> {
  await withTempRuns(async (runs) => {
    const all = [has, hasNot, ...others];
    const run = await ladderRun(runs, {
      tasks: all.map(([task]) => task),
      traces: all.flatMap(([, traces]) => traces),
    });
    const told = new Map(Object.entries(await run.why(has[0])));
    assert.match(told.get(flag) ?? 'nothing', why);
    assert.deepEqual([...told.keys()], [flag]);
    assert.deepEqual(await run.why(hasNot[0]), {});
    const scanned = await run.scanned();
    assert.deepEqual(scanned[has[0].id], [flag]);
    assert.equal(scanned[hasNot[0].id], undefined);
    await run.reader.close();
  });
}

const a = rung('e1.f0.v0');
const b = rung('e1.f1.v0');
/** Keeps a task out of dead groups: one attempt that ended otherwise. */
const mixed = (task: Task): Trace[] => answers(task, ['5', 'w1', 'w2', 'w3']);

describe('health flags of tasks', () => {
  it('unverifiable: the domain refuses it', () =>
    tells('unverifiable', {
      has: [{ ...a, complexity: { rung: 10 } }, mixed(a)],
      hasNot: [{ ...b, complexity: { rung: 9 } }, mixed(b)],
      why: /^It does not verify: Rung 10 is not 1…9\.\.$/,
    }));

  it('unverifiable: its checker gives up on half of the attempts', () => {
    const broken = (task: Task, times: number): Trace[] =>
      mixed(task).map((trace, i) =>
        i < times ? { ...trace, verdict: { success: false, reward: 0, valid: false, error: 'no such rung' } } : trace,
      );
    return tells('unverifiable', {
      has: [a, broken(a, 2)],
      hasNot: [b, broken(b, 1)],
      why: /^The checker failed on 2 of 4 attempts: no such rung\.$/,
    });
  });

  it('gold disagrees: most attempts give one other answer', () =>
    tells('gold-disagrees', {
      has: [a, answers(a, ['5', '6', ' 6', '6 ', '6', '6', '5', '7'])],
      // Half is no majority, and what could not be read is no answer.
      hasNot: [
        b,
        answers(b, ['5', '6', '6', '6', '6', '5', '7', '8', '6']).map((trace, i) =>
          i < 8 ? trace : { ...trace, verdict: { ...trace.verdict, valid: false } },
        ),
      ],
      why: /^5 of 8 attempts answered “6”, which is not the gold/,
    }));

  it('gold disagrees: whatever reasoning stands before the answer that the rule reads', () => {
    const numbers = { ...a, evaluation: { ...a.evaluation, answer: { kind: 'final-number' } } };
    return tells('gold-disagrees', {
      has: [numbers, answers(numbers, ['5', 'First 6', 'I count: 6', 'It is 6.', 'Two and four is 6', '5', '7'])],
      hasNot: [b, answers(b, ['5', 'First 6', 'I count: 6', 'It is 6.', 'Two and four is 6', '5', '7'])],
      why: /^4 of 7 attempts answered “6”, which is not the gold/,
    });
  });

  it('gold disagrees: not once the gold was put right, and no other flag that the old gold brought', () =>
    withTempRuns(async (runs) => {
      // Judged by the gold “5”: all failed, six of eight with “6”.
      const failed = answers(a, ['6', '6', '6', '6', '6', '6', '7', '8']);
      const later = failed.map((trace) => ({ ...trace, id: trace.id.replace('e1/', 'e2/'), epoch: 2 }));
      const mended = { ...a, gold: '6' };
      const overlays = new Map([[a.id, { fields: { gold: '6' }, excluded: null, tags: [] }]]);
      const run = await ladderRun(
        runs,
        { tasks: [a, b], traces: [...failed, ...later, ...mixed(b)] },
        { overlays: () => Promise.resolve(overlays) },
      );
      assert.deepEqual(Object.keys(await run.why(a)), ['gold-disagrees', 'dead']);
      assert.deepEqual(await run.why(mended), {});
      assert.deepEqual(await run.scanned(), {});
      // A wrong correction is still told of, by how the attempts are judged now.
      const { 'gold-disagrees': why = '' } = await run.why({ ...a, gold: '7' });
      assert.match(why, /^12 of 16 attempts answered “6”/);
      // Attempts at another wording say nothing of this one.
      assert.deepEqual(await run.why({ ...a, prompt: [{ role: 'user', content: 'climb 5 otherwise' }] }), {});
      await run.reader.close();
    }));

  it('counts no attempts that another judge measured, as those that a branch shares', () =>
    withTempRuns(async (runs) => {
      const failed = answers(a, ['6', '6', '6', '6', '6', '6', '7', '8']);
      const later = failed.map((trace) => ({ ...trace, id: trace.id.replace('e1/', 'e2/'), epoch: 2 }));
      const run = await ladderRun(runs, { tasks: [a], traces: [...failed, ...later] }, { since: 3 });
      assert.deepEqual([await run.why(a), await run.scanned()], [{}, {}]);
      await run.reader.close();
    }));

  it('gold disagrees: not where a gold that verifies follows from its task', () =>
    withTempRuns(async (runs) => {
      class Computed extends LadderDomain {
        goldFollows(): boolean {
          return true;
        }
      }
      const traces = answers(a, ['5', '6', '6', '6', '6', '6', '5', '7']);
      const run = await ladderRun(runs, { tasks: [a], traces }, { domain: new Computed() });
      assert.deepEqual(await run.why(a), {});
      assert.deepEqual(await run.scanned(), {});
      await run.reader.close();
    }));

  it('not deterministic: not where an edit changed what is right, before an attempt or after it', () =>
    withTempRuns(async (runs) => {
      const mended = { ...a, gold: '6' };
      const old = answers(a, ['5', '6', 'w1', 'w2'], 1);
      const fresh = answers(mended, ['5', '6', 'w1', 'w2'], 2);
      const run = await ladderRun(runs, { tasks: [a], traces: [...old, ...fresh] });
      assert.deepEqual(await run.why(mended), {});
      await run.reader.close();
    }));

  it('not deterministic: what was recorded is not what the checker says now', () => {
    const [first, ...rest] = mixed(a);
    assert.ok(first !== undefined);
    return tells('not-deterministic', {
      has: [a, [{ ...first, verdict: { success: false, reward: 0, valid: true } }, ...rest, ...answers(a, ['5'], 2)]],
      hasNot: [b, mixed(b)],
      why: /^The attempt e1\/e1\.f0\.v0\/r0 was recorded as failed, and is judged solved now\.$/,
    });
  });

  it('not deterministic: the checker cannot make up its mind', () =>
    withTempRuns(async (runs) => {
      let turn = 0;
      const scorer = { score: () => ({ success: (turn += 1) % 2 === 0, reward: 0, valid: true }) };
      const run = await ladderRun(runs, { tasks: [a], traces: mixed(a) }, { scorer });
      const { 'not-deterministic': why = '' } = await run.why(a);
      assert.match(why, /was recorded as solved; scored again it was judged failed, then solved\.$/);
      await run.reader.close();
    }));

  it('coin flip: its p̂ stays while those of others rise', () => {
    const epochs = (task: Task, course: readonly number[]): Trace[] =>
      course.flatMap((right, i) => answers(task, eight(right), i + 1));
    const others = [2, 3, 4].map((n): [Task, Trace[]] => {
      const task = rung(`e1.f${n}.v0`);
      return [task, epochs(task, [2, 2, 6, 8])];
    });
    return tells(
      'coin-flip',
      {
        has: [a, epochs(a, [4, 4, 4, 4])],
        hasNot: [b, epochs(b, [4, 4, 6, 7])],
        why: /^p̂ stayed at 0\.50 \(16 attempts up to epoch 2\) and 0\.50 \(16 after\), while the odds of the run’s other tasks rose \d+\.\d-fold/,
      },
      others,
    );
  });

  it('duplicate: the same prompt, or nearly the same', () =>
    withTempRuns(async (runs) => {
      const words = Array.from({ length: 40 }, (_, i) => `word${i}`);
      const saying = (id: string, ...changes: readonly number[]): Task => {
        const content = words.map((word, i) => (changes.includes(i) ? `other${i}` : word)).join(' ');
        return rung(id, { prompt: [{ role: 'user', content }] });
      };
      const same = rung('e2.f0.v0', { prompt: a.prompt });
      const [first, near, far] = [saying('e2.f1.v0'), saying('e2.f2.v0', 20), saying('e2.f3.v0', 10, 30)];
      const rejected = rung('e2.f4.v0', { prompt: b.prompt, status: 'rejected', cause: 'duplicate' });
      const run = await ladderRun(runs, { tasks: [a, b, same, first, near, far, rejected], traces: [] });
      assert.deepEqual(await run.why(a), { duplicate: 'It says the same as e2.f0.v0.' });
      assert.deepEqual(await run.why(same), { duplicate: 'It says the same as e1.f0.v0.' });
      assert.deepEqual(await run.why(near), { duplicate: 'It shares 85 % of its word triples with e2.f1.v0.' });
      assert.deepEqual(await run.why(far), {});
      assert.deepEqual(await run.why(rejected), {});
      // As people left it: edited to say what another says.
      assert.deepEqual(await run.why({ ...far, prompt: b.prompt }), { duplicate: 'It says the same as e1.f1.v0.' });
      const flagged = ['e1.f0.v0', 'e2.f0.v0', 'e2.f1.v0', 'e2.f2.v0'];
      assert.deepEqual(await run.scanned(), Object.fromEntries(flagged.map((id) => [id, ['duplicate']])));
      await run.reader.close();
    }));

  it('held out: a short task is another one if its signs differ, and the same if only its gold does', () => {
    const asks = (text: string, gold: string): Task => rung('v', { prompt: [{ role: 'user', content: text }], gold });
    const ask = 'Compute the value of the following expression step by step, and give the result as a number: 12 + 7';
    const held = new HeldOut({
      seeds: (split) => (split === 'validation' ? [asks('12 + 7?', '19'), asks(ask, '19')] : []),
      fingerprint: (task) => JSON.stringify(task),
    });
    const found = (text: string) => {
      const { alike = null } = held.find(likenessOf(text, '')) ?? {};
      return alike === null ? null : heldOutWords('v', alike);
    };
    assert.equal(found('12 - 7?'), null);
    assert.match(found('12 + 7?') ?? '', /^It is the held-out task v: /);
    assert.equal(found(ask.replace('+', '-')), 'It has nearly the same words as the held-out task v.');
  });

  it('duplicate: tasks whose signs alone differ have nearly the same words', async () => {
    const ask = 'Compute the value of the following expression step by step, and give the result as a number: 12 + 7';
    const duplicates = new Duplicates(2, () => Promise.resolve(ask));
    await duplicates.add(0, likenessOf(ask, 'a'));
    await duplicates.add(1, likenessOf(ask.replace('+', '-'), 'b'));
    const { alike } = duplicates.twinOf(1) ?? assert.fail();
    assert.equal(duplicateWords('t', alike), 'It has nearly the same words as t.');
  });

  it('counts every given task that it looks at, flagged or not', () =>
    withTempRuns(async (runs) => {
      const [ladder, signal] = [new LadderDomain(), new AbortController().signal];
      const given = [...ladder.seeds('base'), ...ladder.seeds('validation')];
      const run = await ladderRun(runs, { tasks: [a], traces: [] }, { given });
      assert.equal((await run.health.scan({ signal })).givenTasks, ladder.seeds('base').length);
      await run.reader.close();
    }));

  it('held out: it repeats a task that is only measured on', () =>
    withTempRuns(async (runs) => {
      const [measured] = new LadderDomain().seeds('validation');
      assert.ok(measured !== undefined);
      const leaked = rung('e1.f0.v0', { prompt: measured.prompt });
      const run = await ladderRun(runs, { tasks: [leaked, b], traces: [] }, { given: [measured] });
      const { 'held-out': why = '' } = await run.why(leaked);
      assert.match(why, /^It is the held-out task validation\.0: /);
      assert.deepEqual(await run.scanned(), { 'e1.f0.v0': ['held-out'] });
      assert.deepEqual(await run.why(measured), {});
      await run.reader.close();
    }));

  it('truncated: more than half of the attempts were cut off', () => {
    const cut = (task: Task, times: number): Trace[] =>
      mixed(task).map((trace, i) => (i < times ? { ...trace, stopReason: 'length' } : trace));
    return tells('truncated', { has: [a, cut(a, 3)], hasNot: [b, cut(b, 2)], why: /^3 of 4 attempts were cut off/ });
  });

  it('dead: every attempt over two epochs ends alike', () => {
    const twice = (task: Task, right: number): Trace[] => [
      ...answers(task, ['5', '5', '5', '5'], 1),
      ...answers(task, ['5', '5', '5', right === 8 ? '5' : 'w'], 2),
    ];
    return tells('dead', {
      has: [a, twice(a, 8)],
      hasNot: [b, twice(b, 7)],
      why: /^All 8 attempts at it, over several epochs, were solved/,
    });
  });

  it('dead: not where failed attempts differ in reward', () => {
    const failed = (task: Task, rewards: readonly number[]): Trace[] =>
      [1, 2].flatMap((epoch) =>
        answers(task, ['w0', 'w1', 'w2', 'w3'], epoch).map((trace, i) => ({
          ...trace,
          verdict: { ...trace.verdict, reward: rewards[i] ?? 0 },
        })),
      );
    return tells('dead', {
      has: [a, failed(a, [0.3, 0.3, 0.3, 0.3])],
      hasNot: [b, failed(b, [0.1, 0.7, 0, 0.5])],
      why: /^All 8 attempts at it, over several epochs, failed/,
    });
  });

  it('dead: every attempt at its family fails', () => {
    const fails = (task: Task): Trace[] => answers(task, ['w0', 'w1', 'w2', 'w3']);
    const [twin, other] = [rung('e1.f0.v1'), rung('e1.f1.v1')];
    return tells('dead', { has: [a, fails(a)], hasNot: [b, fails(b)], why: /^All 8 attempts at its family failed/ }, [
      [twin, fails(twin)],
      [other, answers(other, ['5', 'w', 'w', 'w'])],
    ]);
  });

  it('dead: not of a family that fell out, and says where one was cut off', () => {
    const none = { attempts: 0, successes: 0 };
    const halves = { earlier: none, later: none };
    const tally = { attempts: 4, judged: 4, successes: 0, truncated: 0, epochs: 1, varied: false, halves };
    const family = { attempts: 8, successes: 0 };
    assert.match(deadGroup({ ...tally, family })?.why ?? '', /teach the agent nothing\.$/);
    assert.equal(deadGroup({ ...tally, family, partial: 'fell out' }), null);
    assert.match(deadGroup({ ...tally, family, partial: 'cut off' })?.why ?? '', /were left out \(rollouts\.cutOff\)/);
  });

  it('dead: not of a family that fell out under spare groups that were asked for while the run ran', () =>
    withTempRuns(async (runs) => {
      const twin = rung('e1.f0.v1');
      const traces = [a, twin].flatMap((task) => answers(task, ['w0', 'w1', 'w2', 'w3']));
      const run = await ladderRun(runs, { tasks: [a, twin], traces });
      assert.equal(run.reader.manifest.experiment.rollouts.spare, 0, 'nothing of the run’s start says so');
      assert.deepEqual(Object.keys(await run.why(a)), ['dead']);
      const writer = await runs.store().openWriter(run.reader.id);
      await writer.append({
        ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch: 1, tasks: 8, rollouts: 64, tokens: 640 },
        ...{ truncated: 0, invalid: 0, checkerErrors: 0, answerLength: 8, seconds: 1 },
        dropped: {
          groups: [a, twin].map(({ id }) => ({ task: id, attempts: 4 })),
          ...{ attempts: 8, tokens: 60, left: 0, likely: 0 },
        },
      });
      await writer.close();
      assert.deepEqual(await run.why(a), {}, 'the same records, and the journal tells more');
      assert.deepEqual(await run.scanned(), {});
      await run.reader.close();
    }));

  it('are of given tasks too, and a scan can be stopped', () =>
    withTempRuns(async (runs) => {
      const given = rung('base.1', { origin: 'base' });
      const traces = [1, 2].flatMap((epoch) => answers(given, ['w0', 'w1', 'w2', 'w3'], epoch));
      const run = await ladderRun(runs, { tasks: [], traces }, { given: [given] });
      assert.deepEqual(await run.scanned(), { 'base.1': ['dead'] });
      assert.deepEqual(Object.keys(await run.why(given)), ['dead']);
      const stopped = AbortSignal.abort(new Error('enough'));
      await assert.rejects(run.health.scan({ signal: stopped }), /enough/);
      await run.reader.close();
    }));

  it('are kept up with a run that grows', () =>
    withTempRuns(async (runs) => {
      const run = await ladderRun(runs, { tasks: [a], traces: mixed(a) });
      assert.deepEqual(await run.why(a), {});
      const writer = await runs.store().openWriter(run.reader.id);
      await writer.appendTasks([rung('e2.f0.v0', { prompt: a.prompt, epoch: 2 })]);
      await writer.appendTraces(answers(a, ['6', '6', '6', '6', '6'], 2));
      await writer.close();
      assert.deepEqual(Object.keys(await run.why(a)), ['gold-disagrees', 'duplicate']);
      await run.reader.close();
    }));

  it('agree whichever way they are asked for, over a run of many tasks', () =>
    withTempRuns(async (runs) => {
      const tasks = Array.from({ length: 120 }, (_, i) =>
        rung(`e1.f${Math.floor(i / 4)}.v${i % 4}`, {
          prompt: [{ role: 'user', content: `climb 5 ${i % 50}` }],
          complexity: { rung: i % 11 },
        }),
      );
      const traces = tasks.flatMap((task, i) =>
        [1, 2, 3, 4].flatMap((epoch) =>
          answers(task, i % 2 === 0 ? eight((i * epoch) % 9) : wrongAlike((i * epoch) % 9), epoch).map((trace, r) =>
            (i + r) % 5 < i % 4 ? { ...trace, stopReason: 'length' as const } : trace,
          ),
        ),
      );
      const run = await ladderRun(runs, { tasks, traces }, { scorer: new LadderScorer() });
      const scanned = await run.scanned();
      assert.ok(new Set(Object.values(scanned).flat()).size >= 4, JSON.stringify(scanned));
      for (const task of tasks) {
        const asked = (await run.health.of(task)).map(({ flag }) => flag);
        assert.deepEqual(asked, scanned[task.id] ?? [], task.id);
      }
      await run.reader.close();
    }));
});
