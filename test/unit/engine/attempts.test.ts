/** Attempts at tasks, request by request and turn by turn. */
import assert from 'node:assert/strict';
import { LoopError } from '../../../src/engine/errors.ts';
import {
  answerTokens,
  attempt,
  smallestGroup,
  tokensOf,
  traceId,
  type Attempters,
  type AttemptPlan,
} from '../../../src/engine/phases/attempt.ts';
import type {
  Completion,
  Environment,
  FailedCompletion,
  Judge,
  Progress,
  SampleRequest,
} from '../../../src/engine/ports.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { LadderDomain, LadderScorer, user } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

/** Prompts as a system message and a question, and episodes where a test gives them. */
class Posing extends LadderDomain {
  readonly #episode: (() => Environment) | null;

  constructor(episode: (() => Environment) | null = null) {
    super();
    this.#episode = episode;
  }

  override agentPrompt(task: Task): readonly Message[] {
    return [{ role: 'system', content: 'Climb.' }, ...task.prompt];
  }

  override environment(): Environment | null {
    return this.#episode?.() ?? null;
  }
}

type Answers = (request: SampleRequest, index: number) => readonly (Completion | FailedCompletion)[];

const said = (
  request: Pick<SampleRequest, 'id'>,
  index: number,
  text: string,
  more: Partial<Completion> = {},
): Completion => ({
  ...{ requestId: request.id, index, promptTokens: [1, 2], tokens: [3, 4, 5], logprobs: [-1, -0.12345678, -2], text },
  ...{ stopReason: 'stop', ...more },
});

interface Setup {
  answers?: Answers;
  episode?: () => Environment;
  judge?: Judge;
  deterministic?: boolean;
  recorded?: Trace[];
  rollouts?: Parameters<typeof smallExperiment>[0];
}

const task = (id: string): Task => makeTask({ id, gold: 'up', prompt: [user(`go ${id}`)] });

const right: Answers = (request, index) => [said(request, index, 'up')];

/** Attempts tasks a and b by a policy that answers as told, and keeps what was asked, recorded and told. */
function attempting(plan: Partial<AttemptPlan> = {}, setup: Setup = {}) {
  const { answers = right, deterministic = true } = setup;
  const [requests, traces, progress]: [SampleRequest[], Trace[], Progress[]] = [[], [], []];
  const scripted = new ScriptedPolicy('agent', 4);
  async function* sample(_: unknown, asked: readonly SampleRequest[]) {
    assert.ok(asked.length > 0, 'nothing is asked for');
    requests.push(...asked);
    for (const request of asked) {
      for (const index of request.only ?? Array.from({ length: request.n }, (__, i) => i)) {
        await Promise.resolve();
        yield* answers(request, index);
      }
    }
  }
  const loop: Attempters = {
    experiment: smallExperiment(setup.rollouts),
    agent: {
      policy: {
        capabilities: { ...scripted.capabilities, deterministic },
        publish: (name) => scripted.publish(name),
        sample,
        checkpoint: (name) => scripted.checkpoint(name),
        restore: (ref) => scripted.restore(ref),
        dispose: () => scripted.dispose(),
      },
      version: { name: 'agent@7', handle: 'h' },
    },
    ports: {
      domain: new Posing(setup.episode ?? null),
      scorer: new LadderScorer(),
      ...(setup.judge === undefined ? {} : { judge: setup.judge }),
      signal: new AbortController().signal,
      onProgress: (now) => progress.push(now),
      records: {
        appendTraces: (some) => {
          traces.push(...some);
          return Promise.resolve();
        },
        tracesOf: () => Promise.resolve(setup.recorded ?? []),
      },
    },
  };
  const done = attempt(loop, {
    ...{ purpose: 'train', epoch: 3, tasks: [task('a'), task('b')], group: 2, minimum: 2, closed: false },
    ...{ temperature: 0.8, keepSequences: true, ...plan },
  });
  return { done, requests, traces, progress };
}

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

describe('attempts in episodes', () => {
  /** Answers with its turn's number; alone from the second turn on where asked. */
  const counting = (turns: number, alone: boolean) => (): Environment => {
    let turn = 0;
    return {
      reset: () => ({ messages: [{ role: 'tool', content: 'ready' }], done: false }),
      step: () => {
        turn += 1;
        return { messages: [{ role: 'tool', content: `turn ${turn}` }], done: turn === turns, alone };
      },
    };
  };
  const one: Partial<AttemptPlan> = { tasks: [task('a')], group: 1, minimum: 1 };
  const contents = (messages: readonly Message[] = []): string[] => messages.map(({ content }) => content);

  for (const deterministic of [true, false]) {
    it(`read all that was said before, ${deterministic ? 'turn by turn' : 'as answers come'}`, async () => {
      const { done, requests, traces } = attempting(one, {
        ...{ deterministic, episode: counting(3, false), rollouts: { rollouts: { maxTurns: 5 } } },
        answers: (request, index) => [said(request, index, `say ${request.messages.length}`)],
      });
      await done;
      assert.deepEqual(
        requests.map(({ id, messages }) => [id, contents(messages).join()]),
        [
          ['a', 'Climb.,go a,ready'],
          ['e3/a/r0', 'Climb.,go a,ready,say 3,turn 1'],
          ['e3/a/r0', 'Climb.,go a,ready,say 3,turn 1,say 5,turn 2'],
        ],
      );
      assert.equal(new Set(requests.map(({ seed }) => seed)).size, 3);
      assert.deepEqual(contents(traces[0]?.messages), [
        'ready',
        'say 3',
        'turn 1',
        'say 5',
        'turn 2',
        'say 7',
        'turn 3',
      ]);
      assert.equal(traces[0]?.stopReason, 'stop');
    });
  }

  it('read the prompt’s system messages alone where an observation stands alone', async () => {
    const { done, requests } = attempting(one, {
      ...{ episode: counting(3, true), rollouts: { rollouts: { maxTurns: 5 } } },
    });
    await done;
    assert.deepEqual(
      requests.map(({ messages }) => contents(messages).join()),
      ['Climb.,go a,ready', 'Climb.,turn 1', 'Climb.,turn 2'],
    );
  });

  it('end with their last turn, and with an answer that was cut', async () => {
    const setup = { episode: counting(9, false), rollouts: { rollouts: { maxTurns: 2 } } };
    const long = attempting(one, setup);
    await long.done;
    assert.deepEqual([long.requests.length, long.traces[0]?.stopReason], [2, 'turns']);
    const cut = attempting(one, {
      ...setup,
      answers: (request, index) => [said(request, index, 'up', { stopReason: 'length' })],
    });
    await cut.done;
    assert.deepEqual([cut.requests.length, cut.traces[0]?.stopReason], [1, 'length']);
  });

  it('add up tokens that an endpoint only counts', async () => {
    const { done, traces } = attempting(one, {
      ...{ episode: counting(2, false), rollouts: { rollouts: { maxTurns: 5 } } },
      answers: (request, index) => [
        said(request, index, 'up', {
          ...{ promptTokens: [], tokens: [], logprobs: [], counted: { prompt: 10, answer: 3 } },
        }),
      ],
    });
    const { tokens } = await done;
    assert.deepEqual(traces[0]?.counted, { prompt: 20, answer: 6 });
    assert.equal(tokens, 26);
    assert.deepEqual(
      traces.map((trace) => [tokensOf(trace), answerTokens(trace)]),
      [[26, 6]],
    );
    const told = makeTrace({
      sequences: [
        {
          tokens: [1, 2, 3],
          spans: [
            [1, 2],
            [2, 3],
          ],
          logprobs: [0, 0],
        },
      ],
    });
    assert.deepEqual([tokensOf(told), answerTokens(told)], [3, 2]);
  });
});
