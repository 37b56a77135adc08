import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHealth } from '../../../src/features/health/node/openHealth.ts';
import { importRollouts } from '../../../src/runs/import/rollouts/importRollouts.ts';
import type { RolloutFormat } from '../../../src/runs/import/rollouts/rollout.ts';
import { surveyRollouts, type Survey } from '../../../src/runs/import/rollouts/survey.ts';
import { surveyLines } from '../../../src/runs/import/rollouts/surveyWords.ts';
import { RunError } from '../../../src/runs/store/runError.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { messagesRows, trlRows, verifiersRows, verlDumps } from '../../support/runs/foreignRollouts.ts';
import { fromSources } from '../../support/fromSources.ts';
import { all, withTempRuns, type TempRuns } from '../../support/runs/tempRuns.ts';

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

interface Imported {
  survey: Survey;
  reader: RunReader;
  events: JournalEvent[];
}

/** The import of files under a temporary folder; a single one is imported by itself. */
async function imported(
  runs: TempRuns,
  files: Readonly<Record<string, string>>,
  { format = null, solved = 1 }: { format?: RolloutFormat | null; solved?: number } = {},
): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-from-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const names = Object.keys(files);
  const path = names.length === 1 ? join(folder, names[0] ?? '') : folder;
  const choices = { format, solved };
  const survey = await surveyRollouts(path, choices, fromSources);
  const clock = { now: () => runs.now };
  const id = await importRollouts({ store: runs.store(), survey, choices, name: 'Foreign', clock, dist: fromSources });
  await rm(folder, { recursive: true });
  const reader = await runs.store().openReader(id);
  return { survey, reader, events: await all(reader.events()) };
}

const of = <T extends JournalEvent['type']>(events: readonly JournalEvent[], type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

describe('rollouts of other programs', () => {
  it('of verl: dumps by the number of their step, an epoch each', () =>
    withTempRuns(async (runs) => {
      const files = Object.fromEntries(Object.entries(verlDumps).map(([name, rows]) => [name, lines(rows)]));
      const { survey, reader, events } = await imported(runs, files);
      assert.deepEqual(surveyLines(survey), [
        '4 attempts at 2 tasks over 2 steps (verl), 2 solved.',
        '1 with a reward outside 0…1: it is cut, and stands as written among its parts.',
        '1 left out: field "output": there is no answer (10.jsonl:2)',
      ]);
      assert.deepEqual(reader.manifest.imported, { format: 'verl', from: '2.jsonl … 10.jsonl', steps: [2, 10] });
      const tasks = await all(reader.tasks());
      assert.deepEqual(
        tasks.map(({ id, epoch, gold, origin }) => [id, epoch, gold, origin]),
        [
          ['task.1', 1, '4', 'offline'],
          ['task.2', 2, '6', 'offline'],
        ],
      );
      const wrong = await reader.trace('e1/task.1/r1');
      assert.deepEqual(wrong?.verdict, { success: false, reward: 0, valid: true, parts: { acc: 0, reward: -1 } });
      assert.deepEqual(
        of(events, 'families.scored').map(({ families }) =>
          families.map(({ id, successRate }) => [id, successRate.successes, successRate.attempts]),
        ),
        [
          [['task.1', 1, 2]],
          [
            ['task.1', 1, 1],
            ['task.2', 0, 1],
          ],
        ],
      );
      const head = await reader.head();
      assert.deepEqual([head.state, head.epoch, head.epochs, head.imported], ['finished', 2, 2, 'verl']);
      await reader.close();
    }));

  it('of TRL: columns of reward functions are summed', () =>
    withTempRuns(async (runs) => {
      const { survey, reader } = await imported(runs, { 'completions.jsonl': lines(trlRows) });
      assert.deepEqual([survey.format, survey.rollouts, survey.tasks, survey.steps], ['trl', 3, 2, [5, 6]]);
      assert.deepEqual(survey.leftOut, [
        {
          why: 'field "reward": no column of a reward function was found',
          count: 1,
          examples: ['completions.jsonl:4'],
        },
      ]);
      const trace = await reader.trace('e1/task.1/r0');
      assert.deepEqual(trace?.verdict, {
        ...{ success: true, reward: 1, valid: true },
        parts: { accuracy_reward: 1, format_reward: 0.5, reward: 1.5 },
      });
      assert.deepEqual(trace.messages, [{ role: 'assistant', content: 'It is 4.' }]);
      await reader.close();
    }));

  it('of verifiers: turns, tool calls, tools, errors and what was cut off', () =>
    withTempRuns(async (runs) => {
      const { survey, reader } = await imported(runs, { 'results.jsonl': lines(verifiersRows) });
      assert.deepEqual(
        [survey.format, survey.rollouts, survey.unjudged, survey.leftOut.map(({ why }) => why)],
        ['verifiers', 2, 1, ['field "completion": refused']],
      );
      const [task] = await all(reader.tasks());
      assert.deepEqual([task?.id, task?.prompt.length, task?.tools?.[0]?.name], ['task.7', 2, 'add']);
      const good = await reader.trace('e1/task.7/r0');
      assert.deepEqual(good?.messages, [
        { role: 'assistant', content: 'add({"a": 2})', reasoning: 'I add.' },
        { role: 'tool', content: '4', name: 'add' },
        { role: 'assistant', content: '4' },
      ]);
      assert.deepEqual([good.verdict.parts, good.sequences[0]?.spans], [{ exact: 1, turns: 2 }, [[0, 9]]]);
      const bad = await reader.trace('e1/task.7/r1');
      assert.deepEqual(
        [bad?.stopReason, bad?.verdict.error, bad?.verdict.valid],
        ['length', 'ToolError: no such tool', false],
      );
      await reader.close();
    }));

  it('of OpenAI messages: what stands before the first answer is the prompt', () =>
    withTempRuns(async (runs) => {
      const { survey, reader } = await imported(runs, { 'chats.jsonl': lines(messagesRows) });
      assert.deepEqual(survey.leftOut, [
        { why: 'field "messages": there is no assistant turn', count: 1, examples: ['chats.jsonl:3'] },
        { why: 'field "messages": it is no list of messages', count: 1, examples: ['chats.jsonl:4'] },
      ]);
      const [judged, unjudged] = await all(reader.traces());
      // Rows that name no epoch come first.
      assert.deepEqual(
        [judged?.id, judged?.version, judged?.verdict.success, judged?.verdict.reward],
        [...['e2/task.sum-a/r0', 'm-1', true, 0.25]],
      );
      assert.deepEqual(
        [unjudged?.id, unjudged?.stopReason, unjudged?.verdict.error],
        [...['e1/task.2/r0', 'length', 'the file says no verdict']],
      );
      const task = await reader.task('task.sum-a');
      assert.deepEqual(task?.prompt, [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '2+2[image_url]' },
      ]);
      assert.equal(task.gold, '{"value":4}');
      await reader.close();
    }));

  it('of tables of texts have numbers and verdicts, and answers and ids that stay texts', () =>
    withTempRuns(async (runs) => {
      const trl =
        'step,prompt,completion,task_id,accuracy_reward,advantage\n5,1+1?,2,007,1.0,0.5\n5,1+1?,3,007,0.0,-0.5\n';
      const { survey, reader } = await imported(runs, { 'completions.csv': trl });
      assert.deepEqual([survey.format, survey.rollouts, survey.solved, survey.steps], ['trl', 2, 1, [5]]);
      const trace = await reader.trace('e1/task.007/r0');
      assert.deepEqual([trace?.messages[0]?.content, trace?.verdict.parts], ['2', { accuracy_reward: 1 }]);
      await reader.close();
      const verl = await imported(runs, {
        '3.tsv': 'input\toutput\tgts\tscore\tacc\tstep\nq\ta\t1.0\t0.25\tTrue\t3\n',
      });
      const [judged] = await all(verl.reader.traces());
      const [task] = await all(verl.reader.tasks());
      assert.deepEqual([verl.survey.format, verl.survey.steps, task?.gold], ['verl', [3], '1.0']);
      assert.deepEqual([judged?.verdict.success, judged?.verdict.reward], [true, 0.25]);
      await verl.reader.close();
      const said = JSON.stringify([
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a' },
      ]);
      const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const rows = `messages,reward,success,metrics\n${cell(said)},1.0,False,${cell('{"exact": 1}')}\n`;
      const chats = await imported(runs, { 'chats.csv': rows });
      const [chat] = await all(chats.reader.traces());
      assert.deepEqual([chat?.verdict.success, chat?.verdict.parts], [false, { exact: 1 }]);
      await chats.reader.close();
    }));

  it('with the same name get numbers', () =>
    withTempRuns(async (runs) => {
      const rows = ['a', 'b', 'c', 'd'].map((prompt, i) => ({
        ...{ task_id: prompt === 'c' ? 'sum.2' : 'sum', reward: 1 },
        messages: [
          { role: 'user', content: prompt },
          { role: 'assistant', content: `${i}` },
        ],
      }));
      const { reader } = await imported(runs, { 'chats.jsonl': lines(rows) });
      const tasks = await all(reader.tasks());
      assert.deepEqual(
        tasks.map(({ id }) => id),
        ['task.sum', 'task.sum.2', 'task.sum.2.2', 'task.sum.3'],
      );
      await reader.close();
    }));

  it('leave out what cannot be read, by file, line and field, and go on', () =>
    withTempRuns(async (runs) => {
      const [first = {}, ...rest] = trlRows;
      const text = `${lines([first])}{"step": 5, "prompt"\n\n${lines([{ ...first, prompt: 3 }, ...rest.slice(0, 1)])}`;
      const { survey, reader } = await imported(runs, { 'mixed.jsonl': text });
      assert.equal(survey.rollouts, 2);
      assert.deepEqual(
        survey.leftOut.map(({ why, examples }) => [why, ...examples]),
        [
          ['the line is no JSON object', 'mixed.jsonl:2'],
          ['field "prompt": there is no prompt', 'mixed.jsonl:4'],
        ],
      );
      await reader.close();
    }));

  it('are refused where nothing is an attempt, or the form is not known', () =>
    withTempRuns(async (runs) => {
      const refused = async (text: string, pattern: RegExp): Promise<void> => {
        const path = join(runs.root, 'rows.jsonl');
        await writeFile(path, text);
        await assert.rejects(
          surveyRollouts(path, { format: null, solved: 1 }, fromSources),
          (error) => RunError.is(error, 'format') && pattern.test(error.message),
        );
      };
      await refused('', /there are no rows/);
      await refused(lines([{ question: 'a', reply: 'b' }]), /rows\.jsonl:1: .*question, reply.* none of the forms/);
      await refused(lines([{ messages: [] }]), /no row is an attempt: .* \(rows\.jsonl:1\)/);
    }));

  it('count as solved from a reward that a person names', () =>
    withTempRuns(async (runs) => {
      const rows = [0.2, 0.5, 0.9].map((score) => ({ input: 'a', output: `${score}`, score, step: 1 }));
      const { survey, reader, events } = await imported(runs, { 'd.jsonl': lines(rows) }, { solved: 0.5 });
      assert.equal(survey.solved, 2);
      const rounded = rows.map((row) => ({ ...row, score: Math.fround(row.score) }));
      assert.equal((await imported(runs, { 'd.jsonl': lines(rounded) }, { solved: 0.9 })).survey.solved, 1);
      assert.equal(of(events, 'families.scored')[0]?.successRate.successes, 2);
      await reader.close();
    }));

  it('make a run that is only read, and whose health can be told', () =>
    withTempRuns(async (runs) => {
      const same = Array.from({ length: 8 }, (_, i) => ({ input: 'q', output: '5', gts: '4', score: 0, step: i % 2 }));
      const { reader } = await imported(runs, { 'd.jsonl': lines(same) });
      await assert.rejects(runs.store().openWriter(reader.id), (error) => RunError.is(error, 'imported'));
      await assert.rejects(runs.store().branch(reader.id, 1, reader.manifest.experiment), (error) =>
        RunError.is(error, 'cannot-branch'),
      );
      const task = await reader.task('task.1');
      assert.ok(task !== undefined);
      const flags = await (await openHealth(reader)).of(task);
      assert.deepEqual(
        flags.map(({ flag }) => flag),
        ['gold-disagrees', 'dead'],
      );
      await reader.close();
    }));
});
