import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';
import { scoreTable } from '../../../../src/benchmarks/evaluate/scoreTable.ts';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import { evaluate, type EvaluationTools } from '../../../../src/features/evaluation/node/evaluate.ts';
import { readEvaluation } from '../../../../src/features/evaluation/node/evaluationFolder.ts';
import type { PolicyChoice } from '../../../../src/features/evaluation/node/openChoice.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import type { Adapter } from '../../../../src/shared/adapters/schema.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { traceSchema } from '../../../../src/shared/records/trace.ts';
import { benchmarkFolders } from '../../../support/benchmarks/data.ts';
import { recordsOf } from '../../../support/bfcl/records.ts';
import { rightCalls, textOfCalls } from '../../../support/bfcl/rightCalls.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { launchHere } from '../../../support/launchHere.ts';
import { FakeServer } from '../../../support/openai/fakeServer.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { tiny } from '../../../support/tiny.ts';
import type { EvaluationAsk } from '../../../../src/features/evaluation/node/evaluationAsk.ts';

const clock = { now: () => 1_763_769_600_000 };
const log = { info: () => undefined, warn: () => undefined };

function adapterOf(text: string): Adapter {
  const { adapter, problems } = readAdapter(text, 'test');
  assert.ok(adapter !== null, JSON.stringify(problems));
  return adapter;
}

const shipped = async (name: string): Promise<Adapter> =>
  adapterOf(await readFile(new URL(`../../../../media/adapters/${name}.adapter.json`, import.meta.url), 'utf8'));

/** Questions whose answer is the number in them. */
const quiz = adapterOf(
  JSON.stringify({
    ...{ version: 1, name: 'Quiz' },
    data: { folder: 'x', obtain: 'here', format: 'jsonl', splits: { a: { files: ['a.jsonl'] } } },
    task: { id: '/record/id', prompt: [{ messages: '/record/messages' }], gold: '/record/gold' },
    answer: { kind: 'text' },
    scorer: { kind: 'exact', compare: 'trimmed' },
  }),
);

describe('evaluating a policy on a benchmark', function () {
  this.timeout(240_000);
  let dir = '';

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-evaluate-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const evaluated = (ask: Partial<EvaluationAsk> & { policy: PolicyChoice }, tools: Partial<EvaluationTools> = {}) =>
    evaluate(
      {
        ...{ adapter: quiz, data: dir, splits: [], sample: null, seed: 1, attempts: 1, temperature: 0, maxTokens: 40 },
        ...{ folderOf: (name) => join(dir, 'evaluations', name), ...ask },
      },
      { dist, clock, log, keys: environmentKeys({}), signal: new AbortController().signal, ...tools },
    );
  const answersIn = async (folder: string): Promise<string[]> =>
    (await readFile(join(folder, 'answers.jsonl'), 'utf8')).trimEnd().split('\n');
  const write = async (name: string, lines: readonly object[]): Promise<string> => {
    const path = join(dir, name);
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return path;
  };
  const questions = (count: number): Promise<string> =>
    write(
      'a.jsonl',
      Array.from({ length: count }, (_, i) => ({
        ...{ id: `q${i}`, gold: `${i}` },
        messages: [{ role: 'user', content: `Say ${i}` }],
      })),
    );

  it('gives the official answers of Bamboogle and API-Bank full marks', async () => {
    const given = [
      ...benchmarkFolders('bamboogle').map(({ folder }, i) => ['bamboogle', folder, i === 0 ? 4 : 125] as const),
      ...benchmarkFolders('api-bank').map(({ folder }, i) => ['api-bank', folder, i === 0 ? 7 : 60] as const),
    ];
    for (const [name, data, tasks] of given) {
      const policy = { kind: 'gold' } as const;
      const { outcomes, unanswered } = await evaluated({ adapter: await shipped(name), data, sample: tasks, policy });
      assert.equal(unanswered, undefined);
      assert.equal(outcomes.length, tasks);
      assert.ok(outcomes.every(({ attempts, successes }) => attempts === 1 && successes === 1));
    }
  });

  const acceptable = async (data: string): Promise<void> => {
    const splits = ['parallel', 'live_parallel', 'live_parallel_multiple'];
    const adapter = await shipped('bfcl');
    const right = splits.flatMap((split) =>
      recordsOf(data, split).map(({ id, expected, functions, language }) => ({
        id,
        calls: rightCalls(expected, functions, language),
        language,
      })),
    );
    const policyOf = async (name: string, text: (one: (typeof right)[number]) => string): Promise<PolicyChoice> => ({
      kind: 'answers',
      path: await write(
        name,
        right.map((one) => ({ id: one.id, text: text(one) })),
      ),
    });
    const good = await policyOf('good.jsonl', ({ calls, language }) => textOfCalls(calls, language));
    const full = await evaluated({ adapter, data, splits, policy: good });
    const answered = new Set(right.map(({ id }) => id));
    assert.ok(full.outcomes.every(({ task, successes }) => successes === Number(answered.has(task))));
    // Only the first half of the records was answered: the rest is wrong, and told under one cause.
    const missing = full.outcomes.length - right.length;
    assert.ok(missing > 0);
    assert.deepEqual(full.unanswered, {
      count: missing,
      causes: [{ cause: 'The file has no answer to it.', count: missing }],
    });
    const bad = await policyOf('bad.jsonl', ({ calls, language }) =>
      textOfCalls(
        calls.length > 1 ? calls.slice(1) : calls.map((call) => ({ ...call, name: `${call.name}_` })),
        language,
      ),
    );
    const none = await evaluated({ adapter, data, splits, policy: bad });
    assert.ok(none.outcomes.every(({ asked, successes }) => asked === 1 && successes === 0));
  };

  it('gives BFCL’s acceptable calls full marks, and none where a call is missing or misnamed', async () => {
    for (const { folder } of benchmarkFolders('bfcl')) await acceptable(folder);
  });

  const officialAnswers = async (data: string, isSmall: boolean): Promise<void> => {
    const policy = { kind: 'gold' } as const;
    const wrongOf = async (name: string, splits: string[]): Promise<string[]> => {
      const { outcomes, unanswered } = await evaluated({ adapter: await shipped(name), data, splits, policy });
      assert.equal(unanswered, undefined);
      return outcomes.filter(({ successes }) => successes !== 1).map(({ task }) => task);
    };
    // The entries of a Java map are lost where the official decoder reads a text, and so are types in lists of any.
    const java = isSmall ? [] : [1, 36, 65, 67, 68].map((i) => `simple_java_${i}`);
    assert.deepEqual(await wrongOf('bfcl', ['simple_java', 'simple_javascript', 'parallel', 'live_parallel']), java);
    assert.deepEqual(await wrongOf('bfcl-relevance', ['irrelevance', 'live_relevance']), []);
  };

  it('gives the official answers of every adapter of BFCL all that a text can be given', async () => {
    for (const { folder, isSmall } of benchmarkFolders('bfcl')) await officialAnswers(folder, isSmall);
  });

  it('tells answers under ids that no task has, to attempts that are not made, and twice', async () => {
    await questions(3);
    const path = await write('idle.jsonl', [
      ...[0, 1].map((i) => ({ id: `q${i}`, text: `${i}` })),
      ...['w', 'x', 'y', 'z'].map((id) => ({ id, text: '' })),
      ...[
        { id: 'q2', index: 4, text: '2' },
        { id: 'q0', text: '0' },
      ],
    ]);
    const { idle, outcomes } = await evaluated({ policy: { kind: 'answers', path } });
    assert.deepEqual(idle, { unknown: 4, beyond: 1, replaced: 1, examples: ['w', 'x', 'y'] });
    assert.deepEqual(
      outcomes.map(({ asked, attempts }) => [asked, attempts]),
      [
        [1, 1],
        [1, 1],
        [1, 0],
      ],
    );
  });

  it('counts as wrong what a server refuses: it does not raise its model’s score', async () => {
    await questions(6);
    const server = await new FakeServer('vllm').start();
    try {
      const experiment = resolveExperiment({
        ...{ version: 1, ...tiny, mode: 'offline' },
        endpoints: { agent: { kind: 'openai', url: server.url, model: 'qwen' } },
      });
      server.says = (_, { messages }) => {
        const number = Number(/\d+/.exec(messages?.at(-1)?.content ?? '')?.[0]);
        return { content: `${number}` };
      };
      // The longest questions do not fit.
      await write(
        'a.jsonl',
        Array.from({ length: 6 }, (_, i) => ({
          ...{ id: `q${i}`, gold: `${i}` },
          messages: [{ role: 'user', content: `Say ${i}${i < 2 ? '' : ' please'.repeat(2 * server.context)}` }],
        })),
      );
      const { outcomes, unanswered, folder } = await evaluated({
        policy: { kind: 'experiment', name: 'f', experiment },
      });
      assert.equal(unanswered?.count, 4);
      const { all, totals } = scoreTable(outcomes, 'bamboogle', [1]);
      assert.deepEqual([all.pass[0]?.value, all.answered, totals[0]?.value], [2 / 6, 1, 2 / 6]);
      const { end } = await readEvaluation(folder);
      assert.deepEqual([end?.answered, end?.unanswered?.count], [2, 4]);
    } finally {
      await server.stop();
    }
  });

  it('plays games of ALFWorld to their end: walkthroughs win, others do not', async () => {
    const adapter = await shipped('alfworld');
    const game = await readFile(new URL('../../../support/alfworld/potato.tw-pddl', import.meta.url), 'utf8');
    const trial = async (name: string, text: string): Promise<void> => {
      const folder = join(dir, 'json_2.1.1', 'valid_seen', name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'game.tw-pddl'), text);
      await writeFile(join(folder, 'traj_data.json'), '{"task_type": "pick_heat_then_place_in_recep"}');
    };
    await trial('pick_heat-Potato-None-SinkBasin-1/trial_a', game);
    await trial('pick_heat-Potato-None-SinkBasin-1/trial_b', game);
    await trial('pick_heat-PotatoSliced-None-SinkBasin-1/trial_c', game);
    await trial('pick_heat-Potato-None-SinkBasin-2/trial_d', game.replace(/"solvable":\s*true/, '"solvable":false'));
    const splits = ['valid_seen'];
    const full = await evaluated({ adapter, splits, policy: { kind: 'gold' } });
    const ids = ['a', 'b'].map((one) => `json_2.1.1.valid_seen.pick_heat-Potato-None-SinkBasin-1.trial_${one}`);
    assert.deepEqual(
      full.outcomes.map(({ task, category, successes }) => [task, category, successes]),
      ids.map((id) => [id, 'pick_heat_then_place_in_recep', 1]),
    );
    assert.deepEqual(full.unofficial, [{ kind: 'records', split: 'valid_seen', fit: 2, expected: 140 }]);
    const walkthrough = z.object({ walkthrough: z.array(z.string()) }).parse(JSON.parse(game)).walkthrough;
    const [first = '', second = ''] = ids;
    const path = await write('turns.jsonl', [
      { id: first, turns: ['think: where is it?', ...walkthrough] },
      { id: second, turns: [...walkthrough.toReversed(), ...Array.from({ length: 50 }, () => 'look')] },
    ]);
    const mixed = await evaluated({ adapter, splits, policy: { kind: 'answers', path } });
    assert.deepEqual(
      mixed.outcomes.map(({ attempts, successes }) => [attempts, successes]),
      [
        [1, 1],
        [1, 0],
      ],
    );
    const [won, lost] = (await answersIn(mixed.folder)).map((line) => traceSchema.parse(JSON.parse(line)));
    assert.equal(won?.messages.filter(({ role }) => role === 'assistant').length, walkthrough.length + 1);
    assert.equal(lost?.messages.filter(({ role }) => role === 'assistant').length, 50);
    assert.match(lost.verdict.note ?? '', /^not won in 50 turns/);
  });

  it('judges answers of a file without their thoughts, as those of an endpoint', async () => {
    await questions(2);
    const path = await write('thoughts.jsonl', [
      { id: 'q0', text: '<think>0 or 1?</think>\n\n0' },
      { id: 'q1', text: 'Is it 7?\n</think>\n\n1' },
    ]);
    const { outcomes, folder, settings } = await evaluated({ policy: { kind: 'answers', path } });
    assert.deepEqual(
      outcomes.map(({ successes }) => successes),
      [1, 1],
    );
    assert.equal(settings.policy.source, 'thoughts.jsonl', 'two files of answers can be told apart');
    const said = (await answersIn(folder)).map((line) => traceSchema.parse(JSON.parse(line)).messages.at(-1));
    assert.deepEqual(said.map((message) => [message?.content, message?.reasoning]).sort(), [
      ['0', '0 or 1?'],
      ['1', 'Is it 7?'],
    ]);
  });

  it('draws the same tasks for a seed, and keeps their order', async () => {
    await questions(30);
    const drawn = async (seed: number, name: string): Promise<string[]> => {
      const folderOf = (): string => join(dir, name);
      const { outcomes } = await evaluated({ seed, sample: 8, policy: { kind: 'gold' }, folderOf });
      return outcomes.map(({ task }) => task);
    };
    const first = await drawn(1, 'one');
    assert.equal(new Set(first).size, 8);
    assert.deepEqual(
      first,
      first.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
    );
    assert.deepEqual(await drawn(1, 'two'), first);
    assert.notDeepEqual(await drawn(2, 'three'), first);
  });

  it('asks an endpoint only for what is missing, whatever ended it before', async () => {
    await questions(6);
    const server = await new FakeServer('vllm').start();
    try {
      const experiment = resolveExperiment({
        ...{ version: 1, ...tiny },
        mode: 'offline',
        endpoints: { agent: { kind: 'openai', url: server.url, model: 'qwen' } },
      });
      const policy: PolicyChoice = { kind: 'experiment', name: 'fake', experiment };
      server.says = () => ({ content: '3' });
      const ask = { policy, attempts: 2, temperature: 0.7 };
      const ending = new AbortController();
      await assert.rejects(
        evaluated(ask, {
          signal: ending.signal,
          onProgress: ({ done }) => done === 3 && ending.abort(new Error('Stop.')),
        }),
        /Stop\./,
      );
      let folder = '';
      let kept = 0;
      const begun = { onBegun: (at: string, count: number) => ([folder, kept] = [at, count]) };
      const { outcomes } = await evaluated(ask, begun);
      assert.ok(kept >= 3 && kept < 12, `${kept} kept`);
      assert.deepEqual(
        outcomes.map(({ attempts, successes }) => [attempts, successes]),
        Array.from({ length: 6 }, (_, i) => [2, i === 3 ? 2 : 0]),
      );
      const lines = await answersIn(folder);
      assert.equal(lines.length, 12);
      // A crash tore the last line: that attempt alone is made again.
      await writeFile(join(folder, 'answers.jsonl'), `${lines.slice(0, -1).join('\n')}\n`);
      await appendFile(join(folder, 'answers.jsonl'), (lines.at(-1) ?? '').slice(0, 40));
      server.bodies.length = 0;
      const again = await evaluated(ask, begun);
      assert.deepEqual(again.outcomes, outcomes);
      assert.equal(kept, 11);
      assert.equal(server.bodies.filter((body) => JSON.stringify(body).includes('Say ')).length, 1);
    } finally {
      await server.stop();
    }
  });

  it('refuses a folder that holds another evaluation', async () => {
    await questions(3);
    const folderOf = (): string => join(dir, 'here');
    await evaluated({ policy: { kind: 'gold' }, folderOf });
    await assert.rejects(evaluated({ policy: { kind: 'gold' }, folderOf, seed: 2 }), {
      ...{ name: 'EvaluationError', reason: 'other' },
      message: /other settings \(seed\)/,
    });
  });

  it('refuses answers that are none, and says so when nothing was answered', async () => {
    await questions(3);
    const path = await write('answers.jsonl', [{ id: 'q1', text: '1' }, { id: 'q2' }]);
    await assert.rejects(evaluated({ policy: { kind: 'answers', path } }), {
      reason: 'answers',
      message: /:2 is no answer/,
    });
    await writeFile(path, '\uFEFF{"id":"q1","text":"1"}\n');
    assert.equal((await evaluated({ policy: { kind: 'answers', path } })).outcomes[1]?.successes, 1, 'behind a mark');
    const other = await write('others.jsonl', [{ id: 'z', text: '1' }]);
    await assert.rejects(evaluated({ policy: { kind: 'answers', path: other } }), {
      reason: 'answers',
      message: /answers none of these tasks: its ids are like “z”, the tasks’ like “q0”/,
    });
  });

  it('evaluates each version of a run’s agent as it was', async () => {
    const domain = await StorekeeperDomain.open({ baseTasks: 6, validationTasks: 1, multiTurn: false });
    await write(
      'a.jsonl',
      domain.seeds('base').map((task) => ({ id: task.id, gold: task.gold, messages: domain.agentPrompt(task) })),
    );
    const experiment = resolveExperiment({ version: 1, ...tiny });
    const root = join(dir, 'runs');
    assert.equal((await launchHere({ root, notes: [] }, { experiment, directory: dir }, {})).state, 'finished');
    const store = new RunStore(root, { clock, log, version: 'test' });
    const run = await store.openReader(await onlyRun(root));
    try {
      const told = async (policy: PolicyChoice): Promise<[string, string[]]> => {
        const { settings, folder } = await evaluated({ policy, attempts: 2, temperature: 0.7 });
        const answers = await answersIn(folder);
        assert.equal(answers.length, 12);
        return [settings.policy.version, answers.map((line) => /"content":"[^"]*"/.exec(line)?.[0] ?? '').sort()];
      };
      const [start, atStart] = await told({ kind: 'run', run, version: 'agent@0' });
      const [first, atFirst] = await told({ kind: 'shipped' });
      const [newest] = await told({ kind: 'run', run, version: null });
      assert.deepEqual([start, first], ['agent@0', 'agent@0']);
      assert.deepEqual(atStart, atFirst);
      assert.match(newest, /^agent@[1-9]/);
      await assert.rejects(told({ kind: 'run', run, version: 'agent@99' }), { reason: 'no-agent' });
    } finally {
      await run.close();
    }
  });
});
