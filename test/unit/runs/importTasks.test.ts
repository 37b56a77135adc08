import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as z from 'zod';
import { exportPool } from '../../../src/runs/export/exportPool.ts';
import { formatNames } from '../../../src/runs/export/formats.ts';
import { csvRecords } from '../../../src/runs/import/csv.ts';
import { importTasks } from '../../../src/runs/import/importTasks.ts';
import { rowsOf } from '../../../src/runs/import/rows.ts';
import type { Columns } from '../../../src/runs/import/taskOfRow.ts';
import { parquetBytes } from '../../../src/shared/parquet/parquetBytes.ts';
import { parseTaskFile } from '../../../src/shared/records/taskFile.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { runError } from '../../support/runs/runError.ts';
import { fromSources } from '../../support/fromSources.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const usual: Columns = { prompt: null, gold: null, evaluation: null };
const exact = { ...usual, evaluation: 'exact' };

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
  const made: { tasks: unknown[]; leftOut: Record<string, string[]> } = { tasks: [], leftOut: {} };
  await inFolder(async (folder) => {
    await writeFile(join(folder, name), text);
    const out = join(folder, 'seeds.jsonl');
    const { tasks, leftOut } = await importTasks(join(folder, name), out, columns, fromSources);
    const written = await readFile(out, 'utf8');
    const parsed = parseTaskFile(written, 'seeds.jsonl', 'base');
    assert.ok('tasks' in parsed && parsed.warnings.length === 0, 'what was written is a task file');
    assert.equal(parsed.tasks.length, tasks);
    made.tasks = parsed.tasks.map(({ id, prompt, gold, evaluation, tools }) => ({
      id,
      prompt,
      gold,
      evaluation,
      tools,
    }));
    made.leftOut = Object.fromEntries(leftOut.map(({ why, examples }) => [why.split(':')[0] ?? '', examples]));
  });
  return made;
}

const user = (content: string) => [{ role: 'user', content }];

describe('runs: import of tasks', () => {
  it('takes a table with a prompt and an answer, whatever their columns are called', async () => {
    const table = 'Question,Answer,note\r\n"What is 6, times 7?",42,\r\n"Say ""hi""\nloudly",HI,x\r\n';
    const columns = { prompt: 'Question', gold: 'Answer', evaluation: 'exact' };
    const { tasks, leftOut } = await imported('quiz.csv', table, columns);
    const evaluation = { kind: 'exact' };
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
        makeTask({ id: 'base.0', family: 'base.0', origin: 'base', tools }),
        makeTask({
          id: 'base.1',
          family: 'base.1',
          origin: 'base',
          gold: null,
          prompt: [{ role: 'user', content: 'b' }],
        }),
      ];
      await writer.appendTraces([makeTrace({ task: 'base.1' })]);
      for (const format of formatNames.filter((name) => name !== 'tinker')) {
        for (const ending of format === 'jsonl' ? ['jsonl'] : ['jsonl', 'parquet']) {
          const file = join(runs.root, `rows.${ending}`);
          await exportPool(file, { choice: { pool: 'agent', format, rows: 'tasks' }, source: writer, given });
          const { tasks, leftOut } = await imported(`rows.${ending}`, await readFile(file));
          assert.deepEqual(
            tasks,
            given.map(({ id, prompt, gold, evaluation, ...task }) => ({
              id,
              prompt,
              gold,
              evaluation,
              tools: task.tools,
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
      const { tasks, leftOut } = await importTasks(join(writer.dir, 'tasks.jsonl'), out, usual, fromSources);
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
      { prompt: [{ role: 'user', content: 'six', name: 'me' }], ground_truth: { n: 6 } },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const { tasks, leftOut } = await imported('rows.jsonl', `\uFEFF${text}`, exact);
    const evaluation = { kind: 'exact' };
    assert.deepEqual(tasks, [
      { id: 'base.a-b-c', prompt: user('one'), gold: '1', evaluation, tools: undefined },
      { id: 'base.r7', prompt: user('six'), gold: '{"n":6}', evaluation, tools: undefined },
    ]);
    assert.deepEqual(
      Object.entries(leftOut).map(([why, examples]) => [why, examples.length]),
      [
        ['the same id, or the same task, stands before it', 2],
        ['no prompt was found', 2],
        ['it does not fit the form of a task', 1],
      ],
    );
    assert.match(leftOut['it does not fit the form of a task']?.[0] ?? '', /^row 6: tools: /);
  });

  it('writes nothing when there is no task, and says why', () =>
    inFolder(async (folder) => {
      const failed = async (name: string, text: string): Promise<string> => {
        await writeFile(join(folder, name), text);
        return (await runError(importTasks(join(folder, name), join(folder, 'out.jsonl'), usual, fromSources))).message;
      };
      assert.match(
        await failed('a.jsonl', '{"prompt":"x","answer":"y"}'),
        /no row is a task: .*--evaluation KIND \(row 1\)/,
      );
      assert.match(await failed('b.jsonl', '{"prompt":"x"}\n{"pro'), /b\.jsonl:2: the line is no JSON object/);
      assert.match(await failed('c.csv', 'a,b\n1,2,3\n'), /record 2 has 3 fields, and the head names 2/);
      assert.match(await failed('d.parquet', 'no parquet at all'), /cannot be read as parquet/);
      assert.match(await failed('e.csv', ''), /the file has no rows/);
      const missing = await runError(
        importTasks(join(folder, 'none.jsonl'), join(folder, 'out.jsonl'), usual, fromSources),
      );
      assert.equal(missing.reason, 'unreadable');
      assert.ok(!(await readdir(folder)).some((name) => name.startsWith('out')));
    }));

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
});
