import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as z from 'zod';
import { exportPool } from '../../../src/runs/export/exportPool.ts';
import { formatNames } from '../../../src/runs/export/formats.ts';
import { csvRecords } from '../../../src/runs/import/csv.ts';
import { evaluationOf, evaluationKinds, taskFaults } from '../../../src/features/import/node/evaluations.ts';
import { importTasks } from '../../../src/runs/import/importTasks.ts';
import { rowsOf } from '../../../src/runs/import/rows.ts';
import type { Columns } from '../../../src/runs/import/taskOfRow.ts';
import { defined } from '../../../src/shared/defined.ts';
import { LongInteger } from '../../../src/shared/longInteger.ts';
import { parquetBytes } from '../../../src/shared/parquet/parquetBytes.ts';
import { parseTaskFile } from '../../../src/shared/records/taskFile.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { runError } from '../../support/runs/runError.ts';
import { fromSources } from '../../support/fromSources.ts';
import { grown } from '../../support/runs/grown.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const usual: Columns = { prompt: null, gold: null, evaluation: null };
const asText = { kind: 'exact', compare: 'trimmed', answer: { kind: 'text' } };
const exact = { ...usual, evaluation: asText };
const anyGold = { ...usual, evaluation: { kind: 'domain' } };
const dist = fromSources;

/** Written by pyarrow 26: int64, date32 and timestamp[us], two rows. */
const longAndDated = [
  'UEFSMRUAFSwVLCwVBBUAFQYVBhwAAAACAAAABAEVgel99BAiEQcAAAAAAAAAFQAVFBUULBUEFQAVBhUGHAAAAAIAAAADAQxNAAAVABUcFRwsFQ',
  'QVABUGFQYcAAAAAgAAAAMBQNNNwO0NBgAVBBlMNQAYBnNjaGVtYRUGABUEJQIYAW4AFQIlAhgBZCUMTGwAAAAVBCUCGAF0JRRMjBIcLAAAAAAA',
  'FgQZHBk8JgAcFQQZJQYAGRgBbhUAFgQWUhZSJghJHBUAFQAVAgA8KQYZJgAEAAAAJgAcFQIZJQYAGRgBZBUAFgQWOhY6JlpJHBUAFQAVAgA8KQ',
  'YZJgICAAAAJgAcFQQZJQYAGRgBdBUAFgQWQhZCJpQBSRwVABUAFQIAPCkGGSYCAgAAABbOARYEJggWzgEAKCBwYXJxdWV0LWNwcC1hcnJvdyB2',
  'ZXJzaW9uIDI2LjAuMRk8HAAAHAAAHAAAAPgAAABQQVIx',
].join('');

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-import-'));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The import of this file's text. */
async function imported(name: string, text: string | Uint8Array, columns = usual) {
  const made: {
    tasks: (Pick<Task, 'id' | 'prompt' | 'gold' | 'tools' | 'domain'> & { evaluation: unknown })[];
    leftOut: Record<string, string[]>;
  } = { tasks: [], leftOut: {} };
  await inFolder(async (folder) => {
    await writeFile(join(folder, name), text);
    const out = join(folder, 'seeds.jsonl');
    const { tasks, leftOut } = await importTasks({
      from: join(folder, name),
      file: out,
      columns,
      faultOf: taskFaults(),
      dist,
    });
    const written = await readFile(out, 'utf8');
    const parsed = parseTaskFile(written, 'seeds.jsonl', 'base');
    assert.ok('tasks' in parsed && parsed.leftOut.length === 0, 'what was written is a task file');
    assert.equal(parsed.tasks.length, tasks);
    made.tasks = parsed.tasks.map(({ id, prompt, gold, evaluation, tools, domain }) => ({
      id,
      prompt,
      gold,
      // Objects of a task file have no prototype.
      evaluation: z.json().parse(evaluation),
      tools,
      ...defined({ domain }),
    }));
    made.leftOut = Object.fromEntries(leftOut.map(({ why, examples }) => [why.split(':')[0] ?? '', examples]));
  });
  return made;
}

const user = (content: string) => [{ role: 'user', content }];

describe('runs: import of tasks', () => {
  it('takes a table with a prompt and an answer, whatever their columns are called', async () => {
    const table = 'Question,Answer,note\r\n"What is 6, times 7?",42,\r\n"Say ""hi""\nloudly",HI,x\r\n';
    const columns = { prompt: 'Question', gold: 'Answer', evaluation: asText };
    const { tasks, leftOut } = await imported('quiz.csv', table, columns);
    const evaluation = asText;
    assert.deepEqual(tasks, [
      { id: 'base.r2', prompt: user('What is 6, times 7?'), gold: '42', evaluation, tools: undefined },
      { id: 'base.r3', prompt: user('Say "hi"\nloudly'), gold: 'HI', evaluation, tools: undefined },
    ]);
    assert.deepEqual(leftOut, {});
    const tabbed = await imported('quiz.tsv', 'question\tanswer\nWhat, then?\t7\n', exact);
    assert.deepEqual(tabbed.tasks, [
      { id: 'base.r2', prompt: user('What, then?'), gold: '7', evaluation, tools: undefined },
    ]);
  });

  it('takes what every form of an export of tasks says, and makes the same tasks of it', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const tools = [{ name: 'f3', description: 'Adds.', parameters: { type: 'object' } }];
      const given = [
        makeTask({ id: 'base.0', family: 'base.0', origin: 'base', tools, domain: 'sums' }),
        makeTask({
          id: 'base.1',
          family: 'base.1',
          origin: 'base',
          gold: null,
          evaluation: { kind: 'json-schema', answer: { kind: 'json' }, schema: { type: 'object' } },
          prompt: [{ role: 'user', content: 'b' }],
        }),
      ];
      await writer.appendTraces([makeTrace({ task: 'base.1' })]);
      await writer.append(grown(1, 0));
      for (const format of formatNames.filter((name) => name !== 'tinker')) {
        for (const ending of format === 'jsonl' ? ['jsonl'] : ['jsonl', 'parquet']) {
          const file = join(runs.root, `rows.${ending}`);
          await exportPool(file, { choice: { pool: 'agent', format, rows: 'tasks' }, source: writer, given });
          const { tasks, leftOut } = await imported(`rows.${ending}`, await readFile(file));
          assert.deepEqual(
            tasks,
            given.map(({ id, prompt, gold, evaluation, tools: own, domain }) => ({
              ...{ id, prompt, gold, evaluation, tools: own },
              ...defined({ domain }),
            })),
            `${format} ${ending}`,
          );
          assert.deepEqual(leftOut, format === 'jsonl' ? { 'an attempt is no task': ['row 3'] } : {});
        }
      }
      await writer.close();
    }));

  it('takes of a run what became tasks, as people left them, with where they come from', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const text = (content: string) => [{ role: 'user' as const, content }];
      const recorded = (v: number, over: Partial<Task> = {}) =>
        makeTask({ id: `e1.f0.v${v}`, prompt: text(`task ${v}`), ...over });
      await writer.appendTasks([
        recorded(0),
        recorded(1, { status: 'rejected', cause: 'held-out', note: 'Equal to a validation task.' }),
        recorded(2, { status: 'rejected', cause: 'unparseable', note: 'no JSON' }),
        recorded(3),
        recorded(4),
        recorded(5, { origin: 'validation' }),
      ]);
      const edits: TaskEdit[] = [
        { action: 'exclude', task: 'e1.f0.v3', reason: 'odd' },
        {
          ...{ action: 'edit', task: 'e1.f0.v4' },
          changes: [{ field: 'prompt', from: text('task 4'), to: text('mended') }],
        },
      ];
      await writer.append({ v: 1, seq: 0, at: 0, type: 'tasks.edited', epoch: 2, author: 'me', edits });
      await writer.close();
      const out = join(runs.root, 'seeds.jsonl');
      const from = join(writer.dir, 'tasks.jsonl');
      const { tasks, leftOut } = await importTasks({ from, file: out, columns: usual, faultOf: taskFaults(), dist });
      assert.equal(tasks, 2);
      assert.deepEqual(
        leftOut.map(({ why, count, examples }) => [why, count, examples]),
        [
          ['the run that wrote it rejected it', 2, ['row 2: held-out', 'row 3: unparseable']],
          ['people took it out of the pools of its run', 1, ['row 4']],
          ['it is marked as held out: tasks that measure are not trained on', 1, ['row 6']],
        ],
      );
      const lines = (await readFile(out, 'utf8')).trim().split('\n');
      const { evaluation, gold, complexity, plan, seed, epoch } = makeTask();
      const facts = { evaluation, gold, origin: 'generated', epoch, seed, complexity, plan };
      assert.deepEqual(
        lines.map((line): unknown => JSON.parse(line)),
        [
          { id: 'e1.f0.v0', family: 'e1.f0', prompt: text('task 0'), ...facts },
          { id: 'e1.f0.v4', family: 'e1.f0', prompt: text('mended'), ...facts },
        ],
      );
    }));

  it('leaves out and names what is no task, is there twice or does not fit', async () => {
    const lines = [
      { id: 'a b/c', prompt: 'one', answer: 1 },
      { id: 'a b/c', prompt: 'another', answer: 2 },
      { prompt: 'one', answer: '1' },
      { answer: '3' },
      { prompt: [{ role: 'narrator', content: 'x' }], answer: '4' },
      { prompt: 'five', answer: '5', tools: 7 },
      { prompt: [{ role: 'user', content: 'six', name: 'me' }], ground_truth: 6 },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const { tasks, leftOut } = await imported('rows.jsonl', `\uFEFF${text}`, exact);
    const evaluation = asText;
    assert.deepEqual(tasks, [
      { id: 'base.a-b-c', prompt: user('one'), gold: '1', evaluation, tools: undefined },
      { id: 'base.r7', prompt: user('six'), gold: '6', evaluation, tools: undefined },
    ]);
    assert.deepEqual(
      Object.entries(leftOut).map(([why, examples]) => [why, examples.length]),
      [
        ['no prompt was found', 2],
        ['another task with the same id stands before it', 1],
        ['the same task stands before it', 1],
        ['it does not fit the form of a task', 1],
      ],
    );
    assert.match(leftOut['it does not fit the form of a task']?.[0] ?? '', /^row 6: tools: /);
    assert.deepEqual(leftOut['another task with the same id stands before it'], ['row 2: “a-b-c”, as in row 1']);
    assert.deepEqual(leftOut['the same task stands before it'], ['row 3, as in row 1']);
  });

  it('takes a column called task for a category, and refuses one of ids that most tasks share', async () => {
    const table = 'id,task,question,answer\n1,algebra,1+1?,2\n2,algebra,1+2?,3\n3,algebra,1+3?,4\n';
    const { tasks, leftOut } = await imported('table.csv', table.replaceAll(/^[^,]*,/gm, ''), exact);
    assert.deepEqual([tasks.length, leftOut], [3, {}]);
    const refused = imported('table.csv', table.replace('id,task', 'n,id'), exact);
    assert.match((await runError(refused)).message, /2 of 3 tasks have the id of another one \(column id\)/);
    const same = await imported('table.csv', table.replaceAll(/1\+.*/g, 'Why?,x'), exact);
    assert.deepEqual(same.leftOut, {
      'the same task stands before it': ['row 3, as in row 2', 'row 4, as in row 2'],
    });
  });

  it('gives no two tasks ids that a run takes for the same', async () => {
    const ids = ['a', 'base.a', 'b', 'offline.b', 'c'];
    const rows = ids.map((id, i) => JSON.stringify({ id, prompt: `q${i}`, answer: 'x' }));
    const { tasks, leftOut } = await imported('rows.jsonl', rows.join('\n'), exact);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['base.a', 'base.b', 'base.c'],
    );
    assert.deepEqual(leftOut, {
      'another task with the same id stands before it': [
        'row 2: “base.a”, as in row 1',
        'row 4: “offline.b”, as in row 3',
      ],
    });
  });

  it('writes nothing when there is no task, and says why', () =>
    inFolder(async (folder) => {
      const importFrom = (name: string, columns = usual) =>
        importTasks({
          ...{ from: join(folder, name), file: join(folder, 'out.jsonl'), columns },
          ...{ faultOf: taskFaults(), dist },
        });
      const failed = async (name: string, text: string): Promise<string> => {
        await writeFile(join(folder, name), text);
        return (await runError(importFrom(name))).message;
      };
      assert.match(
        await failed('a.jsonl', '{"prompt":"x","answer":"y"}'),
        /no row is a task: .*--evaluation KIND \(row 1\)/,
      );
      assert.match(await failed('b.jsonl', '{"prompt":"x"}\n{"pro'), /b\.jsonl:2: the line is no JSON object/);
      assert.match(await failed('c.csv', 'a,b\n1,2,3\n'), /record 2 has 3 fields, and the head names 2/);
      assert.match(await failed('d.parquet', 'no parquet at all'), /cannot be read as parquet/);
      assert.match(await failed('e.csv', ''), /the file has no rows/);
      const missing = await runError(importFrom('none.jsonl'));
      assert.equal(missing.reason, 'unreadable');
      assert.ok(!(await readdir(folder)).some((name) => name.startsWith('out')));
    }));

  it('has a rule with all that it needs, so that an experiment takes the tasks', async () => {
    const number = evaluationOf('number');
    assert.deepEqual(number, { kind: 'number', absolute: 0, relative: 0.0001, answer: { kind: 'final-number' } });
    const given = evaluationOf('{"kind":"number","absolute":1,"answer":{"kind":"boxed"}}');
    assert.deepEqual(given, { kind: 'number', absolute: 1, relative: 0.0001, answer: { kind: 'boxed' } });
    for (const wrong of ['text', 'storekeeper', '{"kind":"number"', '{"absolute":1}'])
      assert.equal(evaluationOf(wrong), null);
    const table = 'prompt,answer\n1+1?,2\n1+2?,three\n';
    const { tasks, leftOut } = await imported('sums.csv', table, { ...usual, evaluation: number });
    assert.equal(tasks.length, 1);
    assert.deepEqual(leftOut, { 'no answer to it can be judged': ['row 3: the gold “three” is no number'] });
    const faultOf = taskFaults();
    // Rules of whole benchmarks need what their adapters give.
    const golds = { 'json-schema': '{}', json: '{}', number: '1', 'tool-calls': '[{"name":"f","arguments":{}}]' };
    for (const kind of ['exact', 'contains', 'number', 'token-f1', 'rouge-l', 'json', 'json-schema', 'tool-calls']) {
      const gold = Object.entries(golds).find(([name]) => name === kind)?.[1] ?? 'a word';
      assert.equal(await faultOf(makeTask({ evaluation: evaluationOf(kind) ?? { kind }, gold })), null, kind);
    }
    assert.equal(evaluationKinds.includes('number'), true);
  });

  it('takes the gold from the column that a person names, and refuses one that no row has', async () => {
    const row = { prompt: 'p', reward_model: { ground_truth: '1' }, mine: '2' };
    const { tasks } = await imported('verl.jsonl', JSON.stringify(row), { ...exact, gold: 'mine' });
    assert.deepEqual(tasks, [{ id: 'base.r1', prompt: user('p'), gold: '2', evaluation: asText, tools: undefined }]);
    const refused = imported('verl.jsonl', JSON.stringify(row), { ...exact, gold: 'Mine' });
    assert.match((await runError(refused)).message, /no row has the column “Mine”.*prompt, reward_model, mine/);
  });

  it('keeps what a row says: long integers, both parts of an instruction, filled columns, tools', async () => {
    const tools = (name: string) => [{ type: 'function', function: { name, description: '', parameters: {} } }];
    const rows = [
      '{"id":1234567890123456788,"prompt":"q1","answer":12345678901234567890}',
      '{"id":1234567890123456789,"prompt":"q2","answer":[-12345678901234567890, 0.12345678901234567890, "1234567890123456789\\""]}',
      '{"instruction":"Translate","input":"cat","output":"Katze"}',
      '{"instruction":"Translate","input":"dog","output":"Hund"}',
      '{"instruction":"Sing","input":"","output":"La"}',
      '{"prompt":null,"question":"q","gold":"","answer":"4"}',
      ...['a', 'b'].map((name) => JSON.stringify({ prompt: 'weather?', tools: tools(name), gold: 'x' })),
    ];
    const { tasks, leftOut } = await imported('rows.jsonl', rows.join('\n'), anyGold);
    const short = z.array(
      z.looseObject({ id: z.string(), gold: z.string(), prompt: z.tuple([z.looseObject({ content: z.string() })]) }),
    );
    assert.deepEqual(
      short.parse(tasks).map(({ id, prompt: [said], gold }) => [id.replace('base.', ''), said.content, gold]),
      [
        ['1234567890123456788', 'q1', '12345678901234567890'],
        ['1234567890123456789', 'q2', '[-12345678901234567890,0.12345678901234567890,"1234567890123456789\\""]'],
        ['r3', 'Translate\n\ncat', 'Katze'],
        ['r4', 'Translate\n\ndog', 'Hund'],
        ['r5', 'Sing', 'La'],
        ['r6', 'q', '4'],
        ['r7', 'weather?', 'x'],
        ['r8', 'weather?', 'x'],
      ],
    );
    assert.deepEqual(leftOut, {});
  });

  it('keeps long integers in golds that are calls as the numbers that rules compare', async () => {
    const calls = '[{"name":"f","arguments":{"id":12345678901234567890}}]';
    const rows = [
      `{"id":"a","prompt":"q","answer":${calls}}`,
      `{"id":"b","prompt":"r","reward_model":{"ground_truth":${calls}},"extra_info":{"task_id":9007199254740993}}`,
    ];
    const { tasks } = await imported('rows.jsonl', rows.join('\n'), anyGold);
    const golds = z.array(z.looseObject({ id: z.string(), gold: z.string() })).parse(tasks);
    assert.deepEqual(
      golds.map(({ id, gold }) => [id, gold]),
      [
        ['base.a', calls],
        ['base.9007199254740993', calls],
      ],
    );
  });

  it('reads comma-separated text as it was written, wherever pieces of it end', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '日') }), { minLength: 2, maxLength: 4 }),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        fc.integer({ min: 1, max: 7 }),
        async (records, size) => {
          const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`;
          const text = records.map((fields) => fields.map(quoted).join(',')).join('\r\n');
          async function* pieces() {
            for (let i = 0; i < text.length; i += size) yield await Promise.resolve(text.slice(i, i + size));
          }
          assert.deepEqual(await all(csvRecords(pieces(), ',')), records);
        },
      ),
    ));

  it('reads parquet with integers as numbers and gaps as null, group after group', () =>
    inFolder(async (folder) => {
      const form = z.strictObject({ text: z.string(), n: z.int().nullable(), list: z.array(z.int()) });
      const given = Array.from({ length: 900 }, (_, i) => ({
        text: `${i} `.repeat(1000),
        n: i % 2 === 0 ? i : null,
        list: [i],
      }));
      const file = join(folder, 'rows.parquet');
      await writeFile(file, Buffer.concat(await all(parquetBytes(form, given))));
      const rows = await all(rowsOf(file, fromSources));
      assert.deepEqual(
        rows.map(({ row }) => row),
        given,
      );
      assert.deepEqual([rows[0]?.at, rows.at(-1)?.at], [1, 900]);
    }));

  it('reads parquet with long integers as their digits, and days and times as people write them', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'rows.parquet');
      await writeFile(file, Buffer.from(longAndDated, 'base64'));
      const rows = await all(rowsOf(file, dist));
      assert.deepEqual(
        rows.map(({ row }) => row),
        [
          { n: new LongInteger('1234567890123456789'), d: '2024-01-02', t: '2024-01-02T03:04:05.000Z' },
          { n: 7, d: null, t: null },
        ],
      );
    }));
});
