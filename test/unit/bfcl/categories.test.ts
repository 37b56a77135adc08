import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { openBfclMultiTurn } from '../../../src/benchmarks/bfcl/multiTurn/offline.ts';
import { Instances } from '../../../src/benchmarks/bfcl/multiTurn/instances.ts';
import { readLongContext } from '../../../src/benchmarks/bfcl/multiTurn/apis/longContext.ts';
import { surroundingsOn } from '../../../src/benchmarks/bfcl/multiTurn/surroundings.ts';
import { recordOf } from '../../../src/benchmarks/bfcl/multiTurn/turnCase.ts';
import { scoreTable } from '../../../src/benchmarks/evaluate/scoreTable.ts';
import { GivenTasks } from '../../../src/benchmarks/given/domain.ts';
import { readCase } from '../../../src/benchmarks/offline/pythonCase.ts';
import { CaseError, OptionError, type ScorerOptions } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { evaluationTasks } from '../../../src/launch/inputs/evaluationTasks.ts';
import { officialTurns } from '../../../src/features/evaluation/node/openChoice.ts';
import { openRules } from '../../../src/launch/scoring/openRules.ts';
import type { Adapter } from '../../../src/shared/adapters/schema.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Verdict } from '../../../src/shared/records/trace.ts';
import { disagreements } from '../../support/benchmarks/golden.ts';

/** Two conversations of our own in the official layout, and a small `long_context.py` of our own. */
const fixture = fileURLToPath(new URL('../../support/bfcl/bfcl_eval/', import.meta.url));
const data = join(fixture, 'data');
const today = { year: 2026, month: 11, day: 21 };
const golden = (name: string): URL => new URL(`golden/${name}.jsonl`, import.meta.url);
const options = (folder: string | null): ScorerOptions => ({ has: () => false, text: () => folder });
const { signal } = new AbortController();

function shipped(name: string): Adapter {
  const file = new URL(`../../../media/adapters/${name}.adapter.json`, import.meta.url);
  const { adapter } = readAdapter(readFileSync(file, 'utf8'), name);
  assert.ok(adapter !== null);
  return adapter;
}

async function posed(name: string, folder = data, splits: readonly string[] = []) {
  const { tasks, problems } = await evaluationTasks(shipped(name), {
    folder,
    outside: true,
    splits,
    sample: null,
    seed: 1,
    signal,
  });
  assert.deepEqual(problems, []);
  const rules = await openRules(tasks, null);
  const domain = new GivenTasks(tasks, rules);
  const play = (task: Task, answers: readonly string[]): { messages: readonly Message[]; verdict: Verdict } => {
    const episode = domain.environment(task);
    assert.ok(episode !== null);
    const messages = [...episode.reset(task).messages];
    let done = false;
    for (const content of answers) {
      assert.ok(!done, `${task.id} is over before ${content}`);
      const observation = episode.step(content);
      messages.push({ role: 'assistant', content }, ...observation.messages);
      done = observation.done;
    }
    return { messages, verdict: rules.score(task, { messages, stopReason: done ? 'stop' : 'turns' }) };
  };
  const official = async (task: Task): Promise<readonly string[]> => (await officialTurns(task, rules)) ?? [];
  return { tasks, rules, play, official };
}

// The official program's verdicts on these calls and conversations, with our own long_context.py in its place.
describe('BFCL’s four multi-turn categories', () => {
  it('lets the tools of long contexts hold and answer more, to the character', async () => {
    const longContext = await readLongContext(data);
    const schema = z.object({ calls: z.array(z.tuple([z.string(), z.string()])) });
    for (const line of readFileSync(golden('tools-long'), 'utf8').trimEnd().split('\n')) {
      const { config, involved, isLong } = recordOf(readCase(`${line.slice(0, -1)}, "ground_truth": []}`));
      assert.ok(isLong);
      const tools = new Instances('model', config, involved, surroundingsOn(today, longContext));
      for (const [call, expected] of schema.parse(JSON.parse(line)).calls) {
        assert.equal(tools.execute(call), expected, call);
      }
    }
  });

  it('judges conversations of all four, and needs the official extension for long contexts alone', async () => {
    assert.deepEqual(await disagreements(golden('multi-turn-long'), await openBfclMultiTurn(options(data), today)), []);
    const plain = await openBfclMultiTurn(options(null), today);
    const line = (id: string): string =>
      JSON.stringify({
        record: { id, involved_classes: ['MathAPI'], ground_truth: [['add(a=1, b=2)']] },
        model_turns: [],
      });
    for (const category of ['base', 'miss_func', 'miss_param']) {
      assert.deepEqual(plain.score(line(`multi_turn_${category}_1`)), {
        ...{ valid: false, error_type: 'multi_turn:force_terminated' },
      });
    }
    assert.throws(
      () => plain.score(line('multi_turn_long_context_1')),
      (error: unknown) => error instanceof CaseError && error.field === 'record.id' && /--data DIR/.test(error.message),
    );
    await assert.rejects(openBfclMultiTurn(options(fixture), today), OptionError);
  });

  it('poses all of them, and finds their truths right', async () => {
    const { tasks, play, official } = await posed('bfcl-multi-turn');
    assert.equal(tasks.length, 6);
    const outcomes = [];
    for (const task of tasks) {
      const { verdict } = play(task, await official(task));
      assert.deepEqual(verdict, { success: true, reward: 1, valid: true }, task.id);
      outcomes.push({
        task: task.id,
        category: task.family,
        asked: 1,
        checks: {},
        attempts: 1,
        successes: 1,
        parts: {},
        errors: 0,
      });
      assert.equal(
        play(task, Array.from({ length: 4 }, () => 'No.').slice(0, task.id.endsWith('1') ? 2 : 4)).verdict.success,
        false,
      );
    }
    const [total] = scoreTable(outcomes, 'bfcl-multi-turn', [1]).totals;
    assert.deepEqual([total?.name, total?.value, total?.missing], ['multi-turn', 1, []]);
    const [{ missing } = { missing: [] }] = scoreTable(outcomes.slice(0, 1), 'bfcl-multi-turn', [1]).totals;
    assert.deepEqual(missing, ['multi_turn_miss_func', 'multi_turn_miss_param', 'multi_turn_long_context']);
  });

  it('holds functions back and brings them in a later turn, with the official words', async () => {
    const { tasks, play, official } = await posed('bfcl-multi-turn', data, ['multi_turn_miss_func', 'multi_turn_base']);
    const task = tasks.find(({ id }) => id === 'multi_turn_miss_func_0');
    const whole = tasks.find(({ id }) => id === 'multi_turn_base_0');
    assert.ok(task !== undefined && whole !== undefined);
    const named = ({ prompt }: Task): string[] =>
      Array.from(prompt[0]?.content.matchAll(/^\{.*?"name": "(\w+)"/gm) ?? [], ([, name = '']) => name);
    assert.deepEqual(named(task), ['ls', 'cd', 'cat', 'cp']);
    // Nothing else is left out: excluded_function is not read by the official program.
    assert.deepEqual(named(whole), ['ls', 'cd', 'cat', 'touch', 'cp']);
    const { messages } = play(task, await official(task));
    const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    assert.equal(
      said[2],
      "[{'name': 'touch', 'description': 'Makes a file.', 'parameters': {'type': 'dict', 'properties': {'file_name': " +
        "{'type': 'string', 'description': 'What it is called.'}}, 'required': ['file_name']}}]\n" +
        'I have updated some more functions you can choose from. What about now?',
    );
  });

  it('names what is missing of the extension, where it is needed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-bfcl-'));
    try {
      await cp(data, join(folder, 'data'), { recursive: true });
      await assert.rejects(posed('bfcl-multi-turn', join(folder, 'data')), {
        ...{ name: 'DataError', reason: 'incomplete', message: /long_context\.py, which cannot be read/ },
      });
      const { tasks } = await posed('bfcl-multi-turn', join(folder, 'data'), [
        'multi_turn_base',
        'multi_turn_miss_func',
      ]);
      assert.equal(tasks.length, 3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('BFCL’s conversations, each turn by itself', () => {
  it('gives every turn that is checked the truth as its history, and judges that turn alone', async () => {
    const { tasks, play, official } = await posed('bfcl-long-context-turns');
    // Of the six turns one has no truth.
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['0.turn0', '0.turn1', '0.turn3', '1.turn0', '1.turn1'].map((id) => `multi_turn_long_context_${id}`),
    );
    for (const task of tasks) {
      const right = await official(task);
      assert.deepEqual(play(task, right).verdict, { success: true, reward: 1, valid: true }, task.id);
      assert.equal(play(task, ['I would rather not.']).verdict.note, 'multi_turn:empty_turn_model_response', task.id);
      assert.equal(play(task, ['[no_such_tool()]', 'Done.']).verdict.success, false, task.id);
    }
    const last = tasks.find(({ id }) => id === 'multi_turn_long_context_0.turn3');
    assert.ok(last !== undefined);
    const { messages } = play(last, ['[ls()]', 'Done.']);
    assert.deepEqual(
      messages.map(({ role }) => role),
      [
        ...['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
        ...['user', 'assistant', 'user', 'assistant'],
      ],
    );
    assert.equal(messages[1]?.content, "[cd(folder='docs'), cat(file_name='a.txt')]");
    // The tools of a long context answered what came before, and hold what was made there.
    assert.match(messages[2]?.content ?? '', /One\. And more is said below/);
    assert.match(messages.at(-2)?.content ?? '', /"c\.txt"/);
    // An answer that repeats the history is the agent's own, behind it.
    assert.equal(play(last, ["[cd(folder='docs'), cat(file_name='a.txt')]", 'Done.']).verdict.success, false);
  });

  it('says why a turn cannot be judged', async () => {
    const { tasks, rules } = await posed('bfcl-long-context-turns');
    const [task] = tasks;
    assert.ok(task !== undefined);
    const fault = (more: object): string | null =>
      rules.fault({ ...task, evaluation: { ...task.evaluation, ...more } });
    assert.equal(fault({ turn: 9 }), 'evaluation.turn: the conversation has no turn 9');
    assert.equal(fault({ turn: 2 }), 'evaluation.turn: nothing is checked in turn 2');
    assert.equal(fault({ data: undefined }), 'evaluation.data: the folder of the benchmark is missing');
  });
});
