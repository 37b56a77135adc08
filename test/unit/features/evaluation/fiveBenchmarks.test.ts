import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';
import { GivenTasks } from '../../../../src/benchmarks/given/domain.ts';
import { scoreTable } from '../../../../src/benchmarks/evaluate/scoreTable.ts';
import { evaluate, type Evaluation } from '../../../../src/features/evaluation/node/evaluate.ts';
import { evaluationTasks } from '../../../../src/launch/inputs/evaluationTasks.ts';
import { officialTurns } from '../../../../src/features/evaluation/node/openChoice.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { openRules } from '../../../../src/launch/scoring/openRules.ts';
import type { Adapter } from '../../../../src/shared/adapters/schema.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import { traceSchema, type Trace } from '../../../../src/shared/records/trace.ts';
import { mutations, officialText, type Mutation } from '../../../support/bfcl/officialText.ts';
import { benchmarkFolders } from '../../../support/benchmarks/data.ts';
import { scripted, type TurnsOf } from '../../../support/benchmarks/scriptedAnswers.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { FakeServer } from '../../../support/openai/fakeServer.ts';
import { tiny } from '../../../support/tiny.ts';
import type { EvaluationAsk } from '../../../../src/features/evaluation/node/evaluationAsk.ts';

const { signal } = new AbortController();
const tools = {
  ...{ dist, clock: { now: () => 1_763_769_600_000 }, keys: environmentKeys({}), signal },
  log: { info: () => undefined, warn: () => undefined },
};

async function shipped(name: string): Promise<Adapter> {
  const text = await readFile(new URL(`../../../../media/adapters/${name}.adapter.json`, import.meta.url), 'utf8');
  const { adapter, problems } = readAdapter(text, name);
  assert.ok(adapter !== null, JSON.stringify(problems));
  return adapter;
}

/** Which tasks of an adapter's data are posed, and what of them. */
interface Posed {
  name: string;
  data: string;
  splits?: readonly string[];
  sample?: number;
}

describe('the five benchmarks, asked through an endpoint', function () {
  this.timeout(240_000);
  let dir = '';
  let server: FakeServer;

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-five-'));
    server = await new FakeServer('vllm').start();
    server.context = 1_000_000;
  });
  after(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const endpoint = (name: string): NonNullable<EvaluationAsk['judge']> => ({
    ...{ kind: 'experiment', name },
    experiment: resolveExperiment({
      ...{ version: 1, ...tiny, mode: 'offline' },
      endpoints: { agent: { kind: 'openai', url: server.url, model: 'qwen' } },
    }),
  });

  let times = 0;
  /** Evaluates what an endpoint says; `answers` is what was kept. */
  async function said(
    { name, data, splits = [], sample }: Posed,
    turnsOf: (task: Task, official: TurnsOf) => readonly string[],
    judge: EvaluationAsk['judge'] = null,
  ): Promise<Evaluation & { answers: Map<string, Trace>; tasks: Task[] }> {
    const adapter = await shipped(name);
    const asked = { splits, sample: sample ?? null, seed: 1 };
    const { tasks } = await evaluationTasks(adapter, { folder: data, outside: true, ...asked, signal });
    const rules = await openRules(tasks, dist);
    const golds = new Map<string, readonly string[]>();
    for (const task of tasks) golds.set(task.id, (await officialTurns(task, rules)) ?? [officialText(task)]);
    const official: TurnsOf = ({ id }) => golds.get(id) ?? [];
    const answer = scripted(tasks, new GivenTasks(tasks, rules), (task) => turnsOf(task, official));
    const judging = server.says;
    server.says = (seed, body) =>
      JSON.stringify(body.messages).includes('Ground Truth') ? judging(seed, body) : { content: answer(body) };
    times += 1;
    const ask = {
      adapter,
      data,
      ...asked,
      attempts: 1,
      temperature: 0,
      maxTokens: 1000,
      policy: endpoint('said'),
      judge,
    };
    const evaluation = await evaluate({ ...ask, outside: true, folderOf: (id) => join(dir, `${times}-${id}`) }, tools);
    server.says = judging;
    const lines = (await readFile(join(evaluation.folder, 'answers.jsonl'), 'utf8')).trimEnd().split('\n');
    const answers = lines.map((line) => traceSchema.parse(JSON.parse(line)));
    return { ...evaluation, tasks, answers: new Map(answers.map((one) => [one.task, one])) };
  }

  const official = (_: Task, right: TurnsOf): readonly string[] => right(_);
  const full = ({ outcomes, unanswered }: Evaluation, count: number): void => {
    assert.equal(unanswered, undefined);
    assert.equal(outcomes.length, count);
    assert.deepEqual(
      outcomes.filter(({ attempts, successes }) => attempts !== 1 || successes !== 1),
      [],
    );
  };
  /** Notes and how many have each. */
  const notes = ({ answers }: { answers: ReadonlyMap<string, Trace> }): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { verdict } of answers.values()) {
      const note = verdict.success ? 'right' : (verdict.error ?? verdict.note ?? '');
      counts[note] = (counts[note] ?? 0) + 1;
    }
    return counts;
  };
  /** A folder of the benchmark's own files with few records of each file: some of those before `end`, evenly. */
  async function fewRecords(from: string, files: readonly string[], count: number, end = count): Promise<string> {
    const to = await mkdtemp(join(dir, 'bfcl-'));
    await mkdir(join(to, 'possible_answer'), { recursive: true });
    await mkdir(join(to, 'multi_turn_func_doc'), { recursive: true });
    for (const file of files) {
      const lines = (await readFile(join(from, file), 'utf8')).split('\n');
      const few = lines.slice(0, end).filter((_, i) => i % (end / count) === 0);
      await writeFile(join(to, file), (file.startsWith('multi_turn_func') ? lines : few).join('\n'));
    }
    return to;
  }

  const bfclFiles = ['simple_python', 'simple_java', 'simple_javascript', 'multiple', 'parallel', 'parallel_multiple'];
  const live = ['live_simple', 'live_multiple', 'live_parallel', 'live_parallel_multiple'];
  const questions = (names: readonly string[]): string[] => names.map((name) => `BFCL_v4_${name}.json`);

  const everyCategory = async (folder: string, isSmall: boolean): Promise<void> => {
    const categories = [...bfclFiles, ...live];
    const files = questions(categories).flatMap((file) => [file, `possible_answer/${file}`]);
    // Tests look at the first half of each file alone.
    const count = isSmall ? 4 : 5;
    const data = await fewRecords(folder, files, count);
    const posed = { name: 'bfcl', data };
    const right = await said(posed, official);
    assert.equal(right.outcomes.length, count * categories.length);
    // The official decoder loses the entries of a Java map, which no text can therefore say.
    assert.deepEqual(
      right.outcomes.filter(({ successes }) => successes !== 1).map(({ task }) => task),
      isSmall ? [] : ['simple_java_1'],
    );
    const errors = async (mutation: Mutation): Promise<Set<string>> => {
      const one = await said(posed, (task) => [officialText(task, mutation)]);
      assert.ok(one.outcomes.every(({ successes }) => successes === 0) || mutation === 'bare');
      // Its map is wrong before anything else is looked at.
      if (!isSmall) one.answers.delete('simple_java_1');
      return new Set(Object.keys(notes(one)));
    };
    const simple = (error: string): string => `simple_function_checker:${error}`;
    const parallel = (error: string): string => `parallel_function_checker_no_order:${error}`;
    const missed = parallel('cannot_find_match');
    assert.deepEqual(await errors('renamed'), new Set([simple('wrong_func_name'), missed]));
    assert.deepEqual(await errors('unknown'), new Set([simple('unexpected_param'), missed]));
    const counts = [simple('wrong_count'), 'multiple_function_checker:wrong_count', parallel('wrong_count')];
    // Of two calls with a comma between them Java reads an error, JavaScript nothing.
    const unread = ['ast_decoder:decoder_failed', 'ast_decoder:decoder_wrong_output_format'];
    assert.deepEqual(await errors('doubled'), new Set([...counts, ...unread]));
    const bare = await errors('bare');
    assert.ok(bare.has(simple('missing_required')) && bare.has(missed), [...bare].join(', '));
    assert.deepEqual(Object.keys(mutations).length, 5);
  };

  it('BFCL: every category in the model’s form, and each change the error type that it has', async () => {
    for (const { folder, isSmall } of benchmarkFolders('bfcl')) await everyCategory(folder, isSmall);
  });

  const relevance = async (folder: string, isSmall: boolean): Promise<void> => {
    const count = isSmall ? 4 : 8;
    const data = await fewRecords(folder, questions(['irrelevance', 'live_irrelevance', 'live_relevance']), count);
    const posed = { name: 'bfcl-relevance', data };
    full(await said(posed, official), 3 * count);
    const wrong = await said(posed, (task) => [officialText(task, 'none')]);
    assert.deepEqual(notes(wrong), {
      'irrelevance_error:decoder_success': 2 * count,
      'relevance_error:decoder_failed': count,
    });
  };

  it('BFCL’s relevance: no call where none fits, and one where one does', async () => {
    for (const { folder, isSmall } of benchmarkFolders('bfcl')) await relevance(folder, isSmall);
  });

  const conversations = async (folder: string, isSmall: boolean): Promise<void> => {
    const docs = ['gorilla_file_system', 'math_api', 'message_api', 'posting_api', 'ticket_api', 'trading_bot'];
    const file = 'BFCL_v4_multi_turn_base.json';
    const count = isSmall ? 4 : 5;
    const data = await fewRecords(
      folder,
      [
        ...[file, `possible_answer/${file}`],
        ...[...docs, 'travel_booking', 'vehicle_control'].map((name) => `multi_turn_func_doc/${name}.json`),
      ],
      count,
      isSmall ? count : 100,
    );
    const posed = { name: 'bfcl-multi-turn', data };
    const right = await said(posed, official);
    full(right, count);
    // A step whose calls were executed is followed by what they gave.
    const [first] = right.answers.values();
    assert.match(first?.messages[1]?.content ?? '', /^\[\{'role': 'tool', 'name': ["']/);
    const silent = await said(posed, () => Array.from({ length: 9 }, () => 'I do nothing.'));
    assert.deepEqual(notes(silent), { 'multi_turn:empty_turn_model_response': count });
    const broken = await said(posed, (task, turns) => ['[no_such_tool()]', ...turns(task).slice(1)]);
    assert.match(Object.keys(notes(broken)).join(), /multi_turn:(instance_state|execution_response)_mismatch/);
    assert.ok(broken.outcomes.every(({ successes }) => successes === 0));
    // Twenty steps with a call are allowed in a turn; the next one is the last of the conversation.
    const endless = await said({ ...posed, sample: 2 }, () => Array.from({ length: 40 }, () => '[no_such_tool()]'));
    assert.deepEqual(notes(endless), { 'multi_turn:force_terminated': 2 });
    for (const { messages } of endless.answers.values()) {
      assert.equal(messages.filter(({ role }) => role === 'assistant').length, 21);
    }
  };

  it('BFCL’s conversations: calls are executed turn by turn, and the state decides', async () => {
    for (const { folder, isSmall } of benchmarkFolders('bfcl')) await conversations(folder, isSmall);
  });

  const toolRl = async (data: string, isSmall: boolean): Promise<void> => {
    const sample = isSmall ? 7 : 60;
    const posed = { name: 'api-bank', data, sample };
    full(await said(posed, official), sample);
    const other = await said(posed, (task, right) => [(right(task)[0] ?? '').replace(/"name":"/, '"name":"X')]);
    assert.ok(other.outcomes.every(({ successes }) => successes === 0));
  };

  it('API-Bank by ToolRL’s rule', async () => {
    for (const { folder, isSmall } of benchmarkFolders('api-bank')) await toolRl(folder, isSmall);
  });

  const executed = async (data: string, isSmall: boolean): Promise<void> => {
    const posed = { name: 'api-bank-dialogues', data, splits: ['level-2', 'level-2-responses'] };
    const right = await said(posed, official);
    const { rows, totals } = scoreTable(right.outcomes, 'api-bank', [1]);
    assert.deepEqual(
      rows.map(({ category, successes, attempts }) => [category, successes, attempts]),
      isSmall
        ? [
            // ToolSearcher's findings depend on a model, so that no call of it is right.
            ['level-2', 5, 7],
            ['level-2-responses', 5, 5],
          ]
        : [
            ['level-2', 80, 135],
            // Two dialogues have equal beginnings: an endpoint says the same to both.
            ['level-2-responses', 102, 103],
          ],
    );
    const [calls1, responses1, calls2, responses2] = totals.map(({ value }) => value);
    assert.deepEqual([calls1, responses1, calls2], [null, null, isSmall ? 5 / 7 : 80 / 135]);
    assert.ok(typeof responses2 === 'number' && responses2 > 0.99 && responses2 <= 1);
    const other = await said({ ...posed, sample: isSmall ? 12 : 40 }, ({ evaluation }) =>
      String(evaluation['category']).endsWith('responses') ? ['zyx'] : ['[NoSuchApi(a="b")]'],
    );
    assert.ok(other.outcomes.every(({ successes }) => successes === 0));
    assert.ok(Object.keys(notes(other)).every((note) => /not NoSuchApi$|^ROUGE-L is 0$/.test(note)));
  };

  it('API-Bank’s calls are executed: its own truths are right as often as its own program says', async () => {
    for (const { folder, isSmall } of benchmarkFolders('api-bank')) await executed(folder, isSmall);
  });

  const bamboogle = async (data: string, isSmall: boolean): Promise<void> => {
    const sample = isSmall ? 4 : 40;
    const posed = { name: 'bamboogle', data, sample };
    full(await said(posed, official), sample);
    const longer = (task: Task): string[] => [`<answer>That was ${task.gold ?? ''}, I think</answer>`];
    const strict = await said(posed, longer);
    assert.ok(strict.outcomes.every(({ successes, parts }) => successes === 0 && parts['subEm'] === 1));
    // The judge reads question, gold and answer; every other reply is none.
    let asked = 0;
    server.says = (_, { messages }) => {
      asked += 1;
      const question = messages?.at(-1)?.content ?? '';
      assert.match(
        question,
        /\*\*Query\*\*\n.+\n\n\*\*Ground Truth Answer\*\*\n.+\n\n\*\*Predicted Answer\*\*\nThat was /,
      );
      return { content: asked === 1 ? 'Hm.' : `- Thought: ${asked}\n- Judgment: ${asked % 2 === 0 ? 'Yes' : 'No'}` };
    };
    const judged = await said(posed, longer, endpoint('judge'));
    assert.equal(judged.settings.judge?.source, 'judge');
    const verdicts = [...judged.answers.values()].map(({ verdict }) => verdict);
    assert.equal(verdicts.filter(({ success }) => success).length, sample / 2);
    assert.equal(verdicts.filter(({ error }) => error !== undefined).length, 1);
    for (const { success, parts, output } of verdicts) {
      assert.equal(parts?.['em'], 0);
      assert.equal(parts['subEm'], 1);
      if (output !== 'Hm.') assert.equal(output?.endsWith('Yes'), success);
    }
    const none = await said(posed, () => ['I do not know.'], endpoint('judge'));
    assert.deepEqual(notes(none), { 'the answer has no <answer>': sample });
    assert.equal(asked, sample);
  };

  it('Bamboogle by its words, and by a model that judges', async () => {
    for (const { folder, isSmall } of benchmarkFolders('bamboogle')) await bamboogle(folder, isSmall);
  });

  it('ALFWorld: games are played to their end', async () => {
    const game = await readFile(new URL('../../../support/alfworld/potato.tw-pddl', import.meta.url), 'utf8');
    const data = join(dir, 'alfworld');
    const folder = join(data, 'json_2.1.1/valid_seen/pick_heat-Potato-None-SinkBasin-1/trial_a');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'game.tw-pddl'), game);
    await writeFile(join(folder, 'traj_data.json'), '{"task_type": "pick_heat_then_place_in_recep"}');
    const posed = { name: 'alfworld', data, splits: ['valid_seen'] };
    full(await said(posed, official), 1);
    const shorter = (task: Task, right: TurnsOf): string[] => [
      ...right(task).slice(1),
      ...Array.from({ length: 50 }, () => 'look'),
    ];
    assert.match(Object.keys(notes(await said(posed, shorter))).join(), /^not won in 50 turns/);
  });

  const plans = async (data: string, isSmall: boolean): Promise<void> => {
    const posed = { name: 'travelplanner', data, splits: ['train'] };
    const right = await said(posed, official);
    full(right, isSmall ? 5 : 45);
    const ratesOf = ({ outcomes }: Evaluation): (number | null)[] =>
      scoreTable(outcomes, 'travelplanner', [1]).totals.map(({ value }) => value);
    assert.deepEqual(ratesOf(right), [1, 1, 1, 1, 1, 1, 1]);
    const planSchema = z.array(z.record(z.string(), z.unknown()));
    const sleepless = await said({ ...posed, sample: isSmall ? 5 : 10 }, (task, turns) => {
      const plan = planSchema.parse(JSON.parse(turns(task)[0] ?? ''));
      return [JSON.stringify(plan.map((day) => ({ ...day, accommodation: 'Nowhere Inn, Atlantis' })))];
    });
    assert.ok(sleepless.outcomes.every(({ successes }) => successes === 0));
    assert.ok(Object.keys(notes(sleepless)).every((note) => note.includes('is_valid_information_in_sandbox')));
    const [delivered, micro, macro, hardMicro, , final] = ratesOf(sleepless);
    assert.deepEqual([delivered, macro, hardMicro, final], [1, 0, 0, 0]);
    assert.ok(micro !== null && micro !== undefined && micro > 0.5 && micro < 1);
    const wordy = await said({ ...posed, sample: 3 }, () => ['I would rather stay at home.']);
    assert.deepEqual(ratesOf(wordy), [0, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(notes(wordy), { 'the answer is not JSON': 3 });
  };

  it('TravelPlanner: annotated plans keep everything, and a broken plan says what it breaks', async () => {
    for (const { folder, isSmall } of benchmarkFolders('travelplanner')) await plans(folder, isSmall);
  });

  const tables = async (from: string): Promise<void> => {
    const adapter = await shipped('travelplanner');
    const asked = { splits: ['train'], sample: null, seed: 1, signal };
    const here = await evaluationTasks(adapter, { folder: from, outside: true, ...asked });
    const data = await mkdtemp(join(dir, 'travelplanner-'));
    await mkdir(join(data, 'database'));
    await symlink(join(from, 'database/train_ref_info.jsonl'), join(data, 'database/train_ref_info.jsonl'));
    const lines = (await readFile(join(from, 'derived/train_queries.jsonl'), 'utf8')).trimEnd().split('\n');
    const rows = lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
    const columns = Object.keys(rows[0] ?? {});
    // There the constraints and plans are the text of Python literals.
    const cell = (value: unknown): string => {
      const text = typeof value === 'string' ? value : JSON.stringify(value).replaceAll(':null', ': None');
      return `"${text.replaceAll('"', '""')}"`;
    };
    const table = [columns.join(','), ...rows.map((one) => columns.map((name) => cell(one[name])).join(','))];
    await writeFile(join(data, 'train.csv'), table.join('\n'));
    await assert.rejects(evaluationTasks(adapter, { folder: data, outside: true, ...asked }), {
      ...{ name: 'DataError', reason: 'incomplete', remedy: adapter.data.obtain },
      message:
        /no file matches database\/accommodations\/clean_accommodations_2022\.csv, .*, which TravelPlanner needs/,
    });
    for (const name of [
      'accommodations',
      'restaurants',
      'attractions',
      'flights',
      'googleDistanceMatrix',
      'background',
    ]) {
      await symlink(join(from, 'database', name), join(data, 'database', name));
    }
    const there = await evaluationTasks(adapter, { folder: data, outside: true, ...asked });
    assert.deepEqual(
      there.tasks.map(({ id, prompt }) => [id, prompt]),
      here.tasks.map(({ id, prompt }) => [id, prompt]),
    );
    // With the reference information in the table, as the official prompt has it, nothing is joined.
    const whole = await mkdtemp(join(dir, 'travelplanner-'));
    await symlink(join(from, 'database'), join(whole, 'database'));
    const more = table.map((line, i) => `${line},${i === 0 ? 'reference_information' : `"[{'Description': ${i}}]"`}`);
    await writeFile(join(whole, 'validation.csv'), more.join('\n'));
    const held = await evaluationTasks(adapter, { folder: whole, outside: true, ...asked, splits: ['validation'] });
    assert.equal(held.tasks.length, rows.length);
    assert.match(held.tasks[1]?.prompt[1]?.content ?? '', /^\[\{'Description': 2\}\]\n\nQuery: /);
    const rules = await openRules(there.tasks, dist);
    for (const task of there.tasks) {
      const content = rules.goldAnswer(task) ?? '';
      const messages = [{ role: 'assistant' as const, content }];
      assert.ok(rules.score(task, { messages, stopReason: 'stop' }).success, task.id);
    }
  };

  it('TravelPlanner’s tables are read as the data set’s authors offer them, and what is missing is named', async () => {
    for (const { folder } of benchmarkFolders('travelplanner')) await tables(folder);
  });
});
