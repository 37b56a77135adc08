/** Attempts at tasks, request by request. */
import assert from 'node:assert/strict';
import { LoopError } from '../../../../src/engine/errors.ts';
import { smallestGroup, traceId } from '../../../../src/engine/phases/attempts/attemptPlan.ts';
import type { Judge } from '../../../../src/engine/ports.ts';
import { makeTrace } from '../../../support/runs/records.ts';
import { attempting, said, task, type Answers } from '../../../support/scripted/attempting.ts';
import { user } from '../../../support/scripted/ladder.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const isEndpoint = (message: RegExp) => (error: unknown) =>
  LoopError.is(error, 'endpoint') && message.test(error.message);

describe('attempts', () => {
  it('are asked for in one request a task, with what the experiment says', async () => {
    const usual = attempting({}, { rollouts: { rollouts: { maxSequence: 99, maxTokens: 9 } } });
    await usual.done;
    assert.deepEqual(
      usual.requests.map(({ seed, ...rest }) => ({ ...rest, isSeed: Number.isInteger(seed) })),
      ['a', 'b'].map((id) => ({
        ...{ id, n: 2, only: [0, 1], maxTokens: 9, maxSequence: 99, temperature: 0.8, isSeed: true },
        messages: [{ role: 'system', content: 'Climb.' }, user(`go ${id}`)],
      })),
    );
    assert.notEqual(usual.requests[0]?.seed, usual.requests[1]?.seed);
    const measuring = attempting({ keepSequences: false });
    await measuring.done;
    assert.deepEqual(
      measuring.requests.map(({ logprobs }) => logprobs),
      [false, false],
    );
    assert.ok(measuring.requests.every((request) => !('maxSequence' in request)));
  });

  it('are recorded with what was said, and without tokens where nothing is trained on them', async () => {
    const { done, traces } = attempting({ tasks: [task('a')] });
    const { groups, tokens } = await done;
    const [first] = traces;
    assert.deepEqual(first, {
      ...{ v: 1, id: 'e3/a/r0', purpose: 'train', task: 'a', family: 'e1.f0', epoch: 3, version: 'agent@7' },
      // The domain's words: the task itself says “go a” alone.
      asked: [{ role: 'system', content: 'Climb.' }, user('go a')],
      messages: [{ role: 'assistant', content: 'up', tokens: [3, 4, 5] }],
      sequences: [{ tokens: [1, 2, 3, 4, 5], spans: [[2, 5]], logprobs: [-1, -0.123457, -2] }],
      ...{ stopReason: 'stop', verdict: { success: true, reward: 1, valid: true } },
    });
    assert.deepEqual(
      groups.map((group) => [group.task.id, group.traces.map(({ id }) => id)]),
      [['a', ['e3/a/r0', 'e3/a/r1']]],
    );
    assert.equal(tokens, 10);
    const measuring = attempting({ keepSequences: false, purpose: 'validation' });
    await measuring.done;
    assert.deepEqual(measuring.traces[0]?.sequences, [{ tokens: [], spans: [[2, 5]], logprobs: [] }]);
  });

  it('have names and phases by their purpose', async () => {
    const names = { train: 'e3/a/r1', validation: 'v3/a/r1', rank: 'k3/a/r1', benchmark: 'b3/a/r1' };
    const phases = { train: 'attempt', validation: 'validate', rank: 'rank', benchmark: 'evaluate' };
    for (const purpose of ['train', 'validation', 'rank', 'benchmark'] as const) {
      assert.equal(traceId({ purpose, epoch: 3 }, 'a', 1), names[purpose]);
      const { done, progress } = attempting({ purpose });
      await done;
      assert.ok(progress.length > 0 && progress.every(({ phase }) => phase === phases[purpose]));
    }
  });

  it('are told one by one, with their successes', async () => {
    const { done, progress } = attempting(
      {},
      { answers: (request, index) => [said(request, index, index === 0 ? 'up' : 'x')] },
    );
    await done;
    assert.deepEqual(
      progress.map(({ epoch, done: finished, total, tokens, successes }) => [
        epoch,
        finished,
        total,
        tokens,
        successes,
      ]),
      [
        [3, 1, 4, 5, 1],
        [3, 2, 4, 10, 1],
        [3, 3, 4, 15, 2],
        [3, 4, 4, 20, 2],
      ],
    );
  });

  it('that are recorded are not asked for again, those of other purposes and tasks are', async () => {
    const recorded = [
      makeTrace({ id: 'e3/a/r0', task: 'a' }),
      makeTrace({ id: 'e3/a/r1', task: 'a' }),
      makeTrace({ id: 'e3/b/r1', task: 'b' }),
      makeTrace({ id: 'e3/b/r0', task: 'b', purpose: 'rank' }),
      makeTrace({ id: 'e3/c/r0', task: 'c' }),
    ];
    for (const { done, requests } of [attempting({}, { recorded }), attempting({ recorded }, {})]) {
      const { groups } = await done;
      assert.deepEqual(
        requests.map(({ id, only }) => [id, only]),
        [['b', [0]]],
      );
      assert.deepEqual(groups[0]?.traces, recorded.slice(0, 2));
    }
    const closed = attempting({ recorded, closed: true });
    assert.equal((await closed.done).groups[1]?.traces.length, 1, 'what is journaled is all there is');
    assert.deepEqual(closed.requests, []);
  });

  it('that nobody asked for are passed over', async () => {
    const { done, traces } = attempting(
      {},
      { answers: (request, index) => [said({ id: 'nobody' }, 0, 'up'), said(request, index, 'up')] },
    );
    await done;
    assert.equal(traces.length, 4);
  });

  it('that fail are counted, and end the phase where too few are left', async () => {
    const failing =
      (...ids: string[]): Answers =>
      (request, index) =>
        ids.includes(`${request.id}${index}`)
          ? [{ requestId: request.id, index, failure: 'too long' }]
          : [said(request, index, 'up')];
    const some = attempting({ minimum: 1 }, { answers: failing('a1') });
    assert.deepEqual((await some.done).unanswered, { count: 1, causes: [{ cause: 'too long', count: 1 }] });
    await assert.rejects(
      attempting({}, { answers: failing('a1') }).done,
      isEndpoint(/Task a has 1 of 2 attempts, and 2 must be there \(rollouts\.minGroup\): too long/),
    );
    await assert.rejects(
      attempting({ minimum: 0 }, { answers: failing('a0', 'a1', 'b0', 'b1') }).done,
      isEndpoint(/Not one attempt was answered: too long/),
    );
    const half = await attempting({ minimum: 0 }, { answers: failing('a0', 'a1') }).done;
    assert.deepEqual(
      half.groups.map(({ traces }) => traces.length),
      [0, 2],
    );
    await assert.rejects(
      attempting({}, { answers: () => [] }).done,
      isEndpoint(/fewer completions than were asked for/),
    );
    assert.deepEqual((await attempting({ tasks: [], minimum: 0 }).done).groups, []);
  });

  it('need as large a share of smaller groups as the experiment wants of its own', () => {
    const of = (minGroup: number | null, group: number, least: 0 | 1): number =>
      smallestGroup({ experiment: smallExperiment({ rollouts: { group: 8, minGroup } }) }, group, least);
    assert.deepEqual([of(null, 8, 1), of(6, 8, 1), of(6, 4, 1), of(6, 1, 1), of(6, 1, 0)], [8, 6, 3, 1, 0]);
  });

  it('are recorded although others fail while they are being judged', async () => {
    const verdicts: (() => void)[] = [];
    const judge: Judge = {
      judge: () => new Promise((resolve) => verdicts.push(() => resolve({ success: true, reward: 1, valid: true }))),
    };
    const { done, traces } = attempting(
      { tasks: [task('a')] },
      {
        judge,
        answers: (request, index) => {
          if (index === 0) return [said(request, index, 'up')];
          // The endpoint fails, and the verdict comes later.
          setImmediate(() => verdicts.forEach((give) => give()));
          throw new Error('socket closed');
        },
      },
    );
    await assert.rejects(done, /socket closed/);
    assert.deepEqual(
      traces.map(({ id, verdict }) => [id, verdict.success]),
      [['e3/a/r0', true]],
    );
  });
});
