/** Attempts that lead themselves: what they ask, what is kept of it, and what a crash leaves. */
import assert from 'node:assert/strict';
import type { Completion } from '../../../../src/engine/completion.ts';
import { EpisodeError } from '../../../../src/engine/errors.ts';
import { QuestionError, type Ask, type Leader, type Question } from '../../../../src/engine/leader.ts';
import { attempt } from '../../../../src/engine/phases/attempts/attempt.ts';
import { hasFailed } from '../../../../src/engine/unanswered.ts';
import { refuseTurns } from '../../../../src/engine/phases/byJob/jobs.ts';
import type { Attempts } from '../../../../src/engine/phases/attempts/attemptPlan.ts';
import type { Domain, Judge, SampleRequest } from '../../../../src/engine/ports.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import type { Trace, Verdict } from '../../../../src/shared/records/trace.ts';
import { defined } from '../../../../src/shared/defined.ts';
import { judgeOfParts, mixture } from '../../../../src/domains/mixture.ts';
import { LadderDomain, LadderScorer, user } from '../../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../../support/scripted/scriptedRun.ts';
import { unreliable } from '../../../support/scripted/unreliablePolicy.ts';

type Leads = (task: Task, ask: Ask, signal: AbortSignal) => Promise<void>;

const leader = (leads: Leads, verdict: Verdict | null): Leader => ({
  atOnce: 256,
  lead: async (task, _, ask, signal) => {
    await leads(task, ask, signal);
    return { verdict };
  },
});

const withLeader = (leads: Leads, verdict: Verdict | null = null): Domain => {
  const one = leader(leads, verdict);
  return Object.assign(new LadderDomain(), { leaderOf: () => one });
};

const question = (messages: readonly Message[], over: Partial<Question> = {}): Question => ({
  ...{ messages, tools: [], n: 1, maxTokens: null, stop: [], signal: new AbortController().signal },
  ...over,
});

const assistant = (content: string): Message => ({ role: 'assistant', content });
const textsOf = (messages: readonly Message[]): string[] => messages.map(({ content }) => content);

/** How each answer ends, in the order they are given. */
type Ends = () => Completion['stopReason'];

interface Attempted {
  attempts: Attempts;
  traces: Trace[];
  requests: SampleRequest[];
}

/** Attempts one task of the ladder. */
const attempted = (leads: Leads, how: { group?: number; maxTurns?: number; ends?: Ends } = {}): Promise<Attempted> => {
  const domain = withLeader(leads);
  return attemptedAll(domain, domain.seeds('base').slice(0, 1), how);
};

async function attemptedAll(
  domain: Domain,
  tasks: readonly Task[],
  { group = 2, maxTurns = 8, judge, ends }: { group?: number; maxTurns?: number; judge?: Judge; ends?: Ends } = {},
): Promise<Attempted> {
  const experiment = smallExperiment({ rollouts: { maxTurns } });
  const policy = new ScriptedPolicy('agent', 4, new Map(), { samples: [] }, () => 'yes');
  const requests: SampleRequest[] = [];
  const sample = policy.sample.bind(policy);
  policy.sample = async function* (version, asked, signal) {
    requests.push(...asked);
    for await (const one of sample(version, asked, signal))
      yield ends === undefined || hasFailed(one) ? one : { ...one, stopReason: ends() };
  };
  const traces: Trace[] = [];
  const attempts = await attempt(
    {
      experiment,
      agent: { policy, version: await policy.publish('agent@0') },
      ports: {
        ...{ domain, ...defined({ judge }), scorer: new LadderScorer(), signal: new AbortController().signal },
        records: {
          tracesOf: () => Promise.resolve([]),
          appendTraces: (more) => {
            traces.push(...more);
            return Promise.resolve();
          },
        },
      },
    },
    {
      ...{ purpose: 'train', epoch: 1, tasks, group, minimum: 0, closed: false },
      ...{ temperature: 1, keepSequences: true },
    },
  );
  return { attempts, traces, requests };
}

/** Asks once what its task asks, and once more. */
const twoTurns: Leads = async (task, ask) => {
  const [first] = await ask(question(task.prompt));
  await ask(question([...task.prompt, assistant(first?.text ?? ''), user('sure?')]));
};

describe('an attempt that leads itself', () => {
  it('is recorded as what was said, with the ids that were sampled', async () => {
    const { traces } = await attempted(twoTurns);
    assert.equal(traces.length, 2);
    for (const { messages, branches, sequences, stopReason } of traces) {
      assert.deepEqual(textsOf(messages), ['climb 1 0', 'yes', 'sure?', 'yes']);
      assert.deepEqual(messages[1]?.tokens, [121, 101, 115]);
      assert.deepEqual(branches, []);
      assert.equal(stopReason, 'stop');
      // One append-only conversation is one sequence, in which both turns were sampled.
      assert.equal(sequences.length, 1);
      assert.deepEqual(
        sequences[0]?.spans.map(([from, to]) => String.fromCharCode(...(sequences[0]?.tokens.slice(from, to) ?? []))),
        ['yes', 'yes'],
      );
      assert.deepEqual(
        sequences.map(({ logprobs }) => logprobs.length),
        [6],
      );
    }
  });

  it('keeps a rewritten history as a branch, whose new turn alone is trained', async () => {
    const { traces } = await attempted(
      async (_, ask) => {
        await ask(question([user('a'), user('b')]));
        await ask(question([user('a'), user('b'), assistant('yes'), user('c')]));
        await ask(question([user('a'), assistant('a summary'), user('c')]));
      },
      { group: 1 },
    );
    const [trace] = traces;
    assert(trace !== undefined);
    assert.deepEqual(textsOf(trace.messages), ['a', 'a summary', 'c', 'yes']);
    assert.equal(trace.messages[1]?.tokens, undefined);
    assert.deepEqual(
      trace.branches?.map(({ of, after, messages }) => ({ of, after, texts: textsOf(messages) })),
      [{ of: 0, after: 1, texts: ['b', 'yes', 'c', 'yes'] }],
    );
    assert.deepEqual(
      trace.sequences.map(({ spans }) => spans.length),
      [2, 1],
    );
    for (const { tokens, spans } of trace.sequences)
      for (const [from, to] of spans) assert.equal(String.fromCharCode(...tokens.slice(from, to)), 'yes');
  });

  it('does not take a turn that was changed for one that was said', async () => {
    const { traces } = await attempted(
      async (_, ask) => {
        await ask(question([user('a')]));
        await ask(question([user('a'), assistant('Yes'), user('b')]));
      },
      { group: 1 },
    );
    assert.equal(traces[0]?.messages[1]?.tokens, undefined);
    assert.equal(traces[0]?.sequences.length, 2);
  });

  it('answers parallel questions in any order alike', async () => {
    const seeds = async (names: readonly string[]): Promise<Record<string, number>> => {
      const { requests } = await attempted(async (_, ask) => {
        await Promise.all(names.map(async (name) => ask(question([user(name)]))));
      });
      return Object.fromEntries(
        requests.map(({ id, messages, seed }) => [`${id.slice(0, -2)} ${textsOf(messages).join()}`, seed]),
      );
    };
    const [one, other] = [await seeds(['a', 'b', 'c']), await seeds(['c', 'a', 'b'])];
    assert.deepEqual(one, other);
    assert.equal(new Set(Object.values(one)).size, 6);
  });

  it('is answered anew where it asks the same again', async () => {
    const { requests } = await attempted(
      async (_, ask) => {
        await ask(question([user('a')]));
        await ask(question([user('a')]));
      },
      { group: 1 },
    );
    assert.notEqual(requests[0]?.seed, requests[1]?.seed);
  });

  it('gives n answers, each a conversation of its own', async () => {
    const { traces } = await attempted(
      async (_, ask) => {
        const answers = await ask(question([user('a')], { n: 3 }));
        assert.deepEqual(
          answers.map(({ index }) => index),
          [0, 1, 2],
        );
        await ask(question([user('a'), assistant(answers[1]?.text ?? ''), user('b')]));
      },
      { group: 1 },
    );
    assert.deepEqual(
      traces.map(({ branches, sequences }) => [branches?.length, sequences.length]),
      [[2, 3]],
    );
  });

  it('may ask so often and no more', async () => {
    const refused: string[] = [];
    const { traces } = await attempted(
      async (_, ask) => {
        await ask(question([user('a')]));
        await ask(question([user('b')], { n: 2 })).catch((error: unknown) => {
          assert(QuestionError.is(error));
          refused.push(`${error.reason}: ${error.message}`);
        });
        await ask(question([user('c')]));
      },
      { group: 1, maxTurns: 2 },
    );
    assert.deepEqual(refused, [
      'turns: This attempt has used 1 of its 2 answers (rollouts.maxTurns), and asks for 2 more.',
    ]);
    assert.deepEqual(
      traces.map(({ stopReason, sequences }) => [stopReason, sequences.length]),
      [['turns', 2]],
    );
  });

  it('whose newest answer was cut at its length says so, unless it had no answer left', async () => {
    const cut = (ends: readonly Completion['stopReason'][], maxTurns = 8) => {
      const left = [...ends];
      const leads: Leads = async (_, ask) => {
        for (const at of ends.keys()) await ask(question([user(`${at}`)])).catch(() => []);
      };
      return attempted(leads, { group: 1, maxTurns, ends: () => left.shift() ?? 'stop' });
    };
    const told = async (...given: Parameters<typeof cut>) => (await cut(...given)).traces[0]?.stopReason;
    assert.equal(await told(['stop', 'length']), 'length');
    assert.equal(await told(['length', 'stop']), 'stop');
    assert.equal(await told(['length', 'length'], 1), 'turns');
  });

  it('is asked with the run’s own limit of tokens where the program wants more, and with its stops', async () => {
    const limits: unknown[] = [];
    const experiment = smallExperiment({ rollouts: { group: 2, maxTokens: 50 } });
    const run = new MemoryRun();
    const agent = new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill);
    const sample = agent.sample.bind(agent);
    agent.sample = (version, requests, signal) => {
      for (const { maxTokens, stop, temperature } of requests) limits.push([maxTokens, stop, temperature]);
      return sample(version, requests, signal);
    };
    const domain = withLeader(async (task, ask) => {
      await ask(question(task.prompt, { maxTokens: 10, stop: ['.'] }));
      await ask(question([...task.prompt, user('more')], { maxTokens: 1000 })).catch(() => undefined);
    });
    await runScripted({ ...experiment, epochs: 1 }, run, { ports: { agent, domain } });
    assert(limits.some((limit) => JSON.stringify(limit) === '[10,["."],1]'));
    assert(limits.every((limit) => !JSON.stringify(limit).startsWith('[1000')));
  });

  it('that a program goes away from is no part of what was said', async () => {
    const { traces } = await attempted(
      async (_, ask) => {
        await ask(question([user('a')]));
        const gone = AbortSignal.abort(new Error('gone'));
        await assert.rejects(ask(question([user('b')], { signal: gone })), /gone/);
      },
      { group: 1 },
    );
    assert.deepEqual(textsOf(traces[0]?.messages ?? []), ['a', 'yes']);
    assert.deepEqual(traces[0]?.branches, []);
  });

  it('that cannot be made costs itself alone', async () => {
    let made = 0;
    const { attempts, traces } = await attempted(
      async (task, ask, signal) => {
        made += 1;
        if (made === 2) throw new EpisodeError('the dice fell off the table');
        await twoTurns(task, ask, signal);
      },
      { group: 4 },
    );
    assert.equal(traces.length, 3);
    assert.deepEqual(attempts.unanswered, { count: 1, causes: [{ cause: 'the dice fell off the table', count: 1 }] });
  });

  it('is called off when the endpoint cannot answer anyone, with the endpoint’s own error', async () => {
    const run = new MemoryRun();
    const signals: AbortSignal[] = [];
    const domain = withLeader(async (task, ask, signal) => {
      signals.push(signal);
      // A program may continue after any answer.
      await ask(question(task.prompt)).catch(() => undefined);
    });
    const policy = new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill, () => {
      throw new Error('the server is away');
    });
    await assert.rejects(runScripted(smallExperiment(), run, { ports: { agent: policy, domain } }), /server is away/);
    assert(signals.length > 0 && signals.every(({ aborted }) => aborted));
  });

  it('asks again what the endpoint failed, if it likes', async () => {
    const run = new MemoryRun();
    const agent = unreliable(new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill), {
      fails: (id) => (id.endsWith('#0#0') ? 'too long' : null),
    });
    const causes = new Set<string>();
    const domain = withLeader(async (task, ask) => {
      await ask(question(task.prompt)).catch((error: unknown) => {
        assert(QuestionError.is(error));
        causes.add(`${error.reason}: ${error.message}`);
      });
      await ask(question(task.prompt));
    });
    const experiment = smallExperiment({ rollouts: { group: 4, maxTurns: 2 } });
    await runScripted({ ...experiment, epochs: 1 }, run, { ports: { agent, domain } });
    assert.deepEqual([...causes], ['endpoint: too long']);
    assert(run.traces.length > 0);
  });
});

describe('attempts at tasks of several domains', () => {
  const domain = (): Domain =>
    mixture(
      [
        { name: 'led', domain: withLeader(twoTurns, { success: true, reward: 0.75, valid: true }) },
        { name: 'asked', domain: new LadderDomain({ turns: 2 }) },
      ],
      new LadderDomain(),
    );
  const own: Judge = { judge: () => Promise.resolve({ success: false, reward: 0.25, valid: true }) };

  it('are led where their domain has a leader, and take its verdict', async () => {
    const both = domain();
    const tasks = ['led.base.0', 'asked.base.0'].flatMap(
      (id) => both.seeds('base').find((task) => task.id === id) ?? [],
    );
    const judge = judgeOfParts(new Map([['asked', own]]), new LadderScorer()) ?? own;
    const { traces } = await attemptedAll(both, tasks, { judge });
    const told = traces.map(({ domain: name, messages, verdict }) => [name, textsOf(messages).join(), verdict.reward]);
    assert.deepEqual(told.sort(), [
      ...Array.from({ length: 2 }, () => ['asked', 'ready,yes,heard yes,yes,heard yes', 0.25]),
      ...Array.from({ length: 2 }, () => ['led', 'climb 1 0,yes,sure?,yes', 0.75]),
    ]);
  });

  it('wait for their round where any is led, and jobs refuse those alone', () => {
    const both = domain();
    assert('leaderOf' in both);
    assert(!('leaderOf' in mixture([{ name: 'asked', domain: new LadderDomain() }], new LadderDomain())));
    const [led] = both.seeds('base').filter(({ domain: name }) => name === 'led');
    const [other] = new LadderDomain().seeds('base');
    assert(led !== undefined && other !== undefined);
    assert.throws(
      () => refuseTurns([led], { domain: both }),
      /led\.base\.0 is played over several turns or by a program/,
    );
    assert.doesNotThrow(() => refuseTurns([other], { domain: both }));
  });
});

describe('a run whose attempts lead themselves', () => {
  const experiment = smallExperiment({ rollouts: { group: 4, maxTurns: 3 } });
  const options: RunOptions = { ports: { domain: withLeader(twoTurns) } };

  it('ends as an undisturbed one, wherever it was killed', async function () {
    this.timeout(120_000);
    const whole = await runScripted(experiment, new MemoryRun(), options);
    assert.equal(whole.events.at(-1)?.type, 'run.finished');
    const kept = (run: MemoryRun): string[] => run.traces.map((trace) => JSON.stringify(trace)).sort();
    const total = whole.events.length + whole.tasks.length + whole.traces.length;
    for (let at = 1; at < total; at += 37) {
      const run = new MemoryRun();
      let appends = 0;
      const beforeAppend = (): void => {
        if (appends++ === at) throw new Error('crash');
      };
      await assert.rejects(runScripted(experiment, run, { ...options, beforeAppend }), /crash/);
      const paid = run.traces.length;
      await runScripted(experiment, run, options);
      assert.equal(run.text, whole.text, `killed at append ${at}, with ${paid} traces`);
      assert.deepEqual(kept(run), kept(whole));
    }
  });
});
