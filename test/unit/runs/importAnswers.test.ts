import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { evaluationOf, taskFaults } from '../../../src/features/import/node/evaluations.ts';
import { importTasks } from '../../../src/runs/import/importTasks.ts';
import { fromSources } from '../../support/fromSources.ts';
import { runError } from '../../support/runs/runError.ts';

const lineSchema = z.looseObject({ gold: z.string().nullable(), evaluation: z.looseObject({ kind: z.string() }) });

/** The tasks of these rows, judged by a rule: golds with other answers that are right; and the rows that were left out. */
async function imported(rows: readonly string[], kind: string, gold: string | null = null) {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-answers-'));
  try {
    const [from, file] = [join(folder, 'rows.jsonl'), join(folder, 'seeds.jsonl')];
    await writeFile(from, rows.join('\n'));
    const columns = { prompt: null, gold, evaluation: evaluationOf(kind) };
    const { leftOut } = await importTasks({ from, file, columns, faultOf: taskFaults(), dist: fromSources });
    const tasks = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => lineSchema.parse(JSON.parse(line)));
    return {
      answers: tasks.map((task) => [task.gold, task.evaluation['accept']]),
      leftOut: leftOut.map(({ why, examples }) => `${why}: ${examples.join('; ')}`),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('rows with several right answers', () => {
  it('have the first as their gold, and the others are accepted, by every rule that compares with a text', async () => {
    const row = '{"prompt":"Capital of France?","answer":["Paris","Paris, France",null,"Paris"]}';
    for (const kind of ['exact', 'contains', 'token-f1', 'rouge-l', 'bamboogle', 'alfworld-steps'])
      assert.deepEqual(await imported([row], kind), { answers: [['Paris', ['Paris, France']]], leftOut: [] }, kind);
  });

  it('keep the digits of numbers, and need no list for one', async () => {
    const rows = [
      '{"prompt":"a","answer":[5.00, 12345678901234567890]}',
      '{"prompt":"b","reward_model":{"ground_truth":["7"]}}',
      '{"prompt":"c","answer":8}',
    ];
    const { answers } = await imported(rows, 'number');
    assert.deepEqual(answers, [
      ['5.00', ['12345678901234567890']],
      ['7', undefined],
      ['8', undefined],
    ]);
  });

  it('stand before what the row accepts besides', async () => {
    const evaluation = { ...evaluationOf('exact'), accept: ['C', 'B'] };
    const { answers } = await imported([JSON.stringify({ prompt: 'a', evaluation, x: ['A', 'B'] })], 'exact', 'x');
    assert.deepEqual(answers, [['A', ['B', 'C']]]);
  });

  it('are one JSON value where the rule compares with JSON', async () => {
    const { answers } = await imported(['{"prompt":"a","answer":["b", 1.50]}'], 'json');
    assert.deepEqual(answers, [['["b",1.50]', undefined]]);
  });

  it('are refused where one of them is no text', async () => {
    const rows = [
      '{"prompt":"a","answer":"b"}',
      '{"prompt":"c","answer":["d",{"e":1}]}',
      '{"prompt":"f","reward_model":{"ground_truth":{"target":["g"]}}}',
    ];
    const { answers, leftOut } = await imported(rows, 'exact');
    assert.deepEqual(answers, [['b', undefined]]);
    assert.deepEqual(leftOut, [
      'its gold is JSON, and the rule compares with texts: name another column with --gold, or give --evaluation json: ' +
        'row 2: answer; row 3: reward_model.ground_truth',
    ]);
    const { message } = await runError(imported(rows.slice(2), 'exact'));
    assert.match(message, /rows\.jsonl.*no row is a task: its gold is JSON.*\(row 1: reward_model\.ground_truth\)/);
  });
});
