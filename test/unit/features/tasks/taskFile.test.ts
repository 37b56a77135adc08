import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EditedTasks } from '../../../../src/features/tasks/node/editedTasks.ts';
import { lineOf, readFileLine } from '../../../../src/features/tasks/node/fileLine.ts';
import { TaskFile } from '../../../../src/features/tasks/node/taskFile.ts';
import { fileSource } from '../../../../src/features/tasks/node/taskSource.ts';
import type { TaskPart } from '../../../../src/features/tasks/node/taskValues.ts';
import { parseTaskFile } from '../../../../src/shared/records/taskFile.ts';
import { flagNames } from '../../../../src/features/tasks/contract.ts';

const line = (id: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    strange: 'kept',
    id,
    prompt: [{ role: 'user', content: `please ${id}` }],
    evaluation: { kind: 'storekeeper' },
    gold: 'first',
    ...more,
  });

/** Who asks neither gives up nor looks how far it is. */
const heedless = [new AbortController().signal, () => undefined] as const;

describe('a task file in the editor', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'genenv-tasks-'))));
  after(() => rm(folder, { recursive: true }));

  const opened = async (text: string | Uint8Array) => {
    const path = join(folder, 'some.tasks.jsonl');
    await writeFile(path, text);
    const file = await TaskFile.open(path);
    const tasks = new EditedTasks(fileSource(file, () => Promise.reject(new Error('no flags'))));
    file.partOf = (row) => tasks.partOf(row);
    const edit = async (row: number, part: TaskPart): Promise<void> => {
      const change = await tasks.change(row, part);
      await tasks.apply(change === null ? [] : [change]);
    };
    const unsaved = () =>
      new Map(tasks.working.dirty.map((row) => [row, tasks.working.changeOf(row)?.after ?? {}] as const));
    const save = async (): Promise<void> => {
      const { dirty } = tasks.working;
      await file.save(unsaved());
      tasks.settle(dirty);
    };
    return { path, file, tasks, edit, save, text: () => readFile(path, 'utf8') };
  };

  it('has no task in a line that is not UTF-8, and leaves its bytes as they are', async () => {
    const latin = Buffer.from(line('b', { gold: 'Größe' }), 'latin1');
    const bytes = Buffer.concat([Buffer.from(`${line('a', { gold: 'Größe' })}\n`), latin, Buffer.from('\n')]);
    const { path, file, tasks, edit, save } = await opened(bytes);
    await file.table.scan();
    assert.deepEqual([...file.damaged], [1]);
    assert.equal(await tasks.change(1, { gold: 'x' }), null);
    await assert.rejects(file.save(new Map([[1, { gold: 'x' }]])), { reason: 'unreadable-line' });
    await edit(0, { gold: 'Maß' });
    await save();
    assert.deepEqual(
      await readFile(path),
      Buffer.concat([Buffer.from(`${line('a', { gold: 'Maß' })}\n`), latin, Buffer.from('\n')]),
    );
  });

  it('is filtered by the domain that its tasks name', async () => {
    const { tasks } = await opened(
      `${line('a', { domain: 'sums' })}\n${line('b')}\n${line('c', { domain: 'stairs' })}\n`,
    );
    for (const [text, ids] of [
      ['domain:sums', ['a']],
      ['domain:s*', ['a', 'c']],
      ['-domain:sums', ['b', 'c']],
    ] as const) {
      const how = { text, order: 'written', descending: false } as const;
      assert.equal(await tasks.show(how, ...heedless), null);
      const found = (await tasks.shown(0, 9)).map(({ task }) => task.id);
      assert.deepEqual(found, ids, text);
    }
  });

  it('keeps the tags that stand in it, and restores what it has out, before anything else was asked of it', async () => {
    const given = `${line('a', { tags: ['old'] })}\n${line('b', { status: 'rejected', note: 'dull' })}\n`;
    const { tasks, save, text } = await opened(given);
    await tasks.apply(await tasks.tag([0], ['odd'], []));
    assert.deepEqual(await tasks.exclude([1], 'once more'), [], 'it is out already');
    await tasks.apply(await tasks.exclude([1], null));
    await save();
    assert.equal(await text(), `${line('a', { tags: ['old', 'odd'] })}\n${line('b')}\n`);
  });

  it('gives lines of other files that say whether a task is one, and where it comes from', () => {
    const provenance = { endpoint: 'embedded', model: 'agent', version: 'environment@0', at: '2026-11-22', filter: '' };
    const lines = [
      line('a', { origin: 'generated', epoch: 3, tags: ['odd'], provenance }),
      line('b', { status: 'rejected', cause: 'held-out', note: 'Equal to a validation task.' }),
      line('c', { status: 'rejected', note: 'dull' }),
      line('d', { origin: 'validation' }),
    ];
    const again = lines.map((text, at) => lineOf(readFileLine(text, at + 1)));
    assert.deepEqual(
      again.map((text, at) => readFileLine(text, at + 1)),
      lines.map((text, at) => readFileLine(text, at + 1)),
    );
    const read = parseTaskFile(again.join('\n'), 'some.tasks.jsonl', 'offline');
    assert.ok('tasks' in read);
    assert.deepEqual(
      read.tasks.map(({ id, provenance: from }) => [id, from]),
      [['offline.a', provenance]],
    );
  });

  it('keeps lines that are no JSON object byte for byte, and is edited in all others', async () => {
    for (const broken of [
      '[]',
      '3',
      'null',
      'true',
      '"text"',
      '{"id": "b", "prompt":',
      ' [1, 2]  ',
      '}{',
      'a\u0000b',
    ]) {
      const given = `${line('a')}\r\n${broken}\n${line('c')}`;
      const { tasks, file, edit, save, text } = await opened(given);
      const read = await tasks.shown(0, 3);
      assert.deepEqual(
        read.map(({ damaged, task }) => [task.id, damaged]),
        [
          ['a', null],
          ['line 2', broken.trim()],
          ['c', null],
        ],
      );
      await tasks.apply(await tasks.tag([0, 1, 2], ['odd'], []));
      await tasks.apply(await tasks.exclude([0, 1, 2], 'dull'));
      await edit(1, { gold: 'never' });
      await edit(2, { gold: 'other' });
      assert.deepEqual(tasks.working.dirty, [0, 2], broken);
      await save();
      const out = { tags: ['odd'], status: 'rejected', note: 'dull' };
      assert.equal(await text(), `${line('a', out)}\r\n${broken}\n${line('c', { gold: 'other', ...out })}`);
      assert.deepEqual([...file.damaged], [1]);
      const problem = await tasks.show({ text: 'status:damaged', order: 'written', descending: false }, ...heedless);
      assert.equal(problem, null);
      assert.deepEqual([...tasks.view.matching], [1]);
    }
  });

  it('answers what is asked of its lines before they were read', async () => {
    const given = [line('a', { epoch: 3 }), line('b', { tags: ['odd'] }), line('c', { status: 'rejected' })].join('\n');
    for (const [text, rows] of [
      ['status:excluded', [2]],
      ['tag:odd', [1]],
      ['epoch:3', [0]],
      ['id:b', [1]],
    ] as const) {
      const { tasks } = await opened(given);
      await tasks.show({ text, order: 'written', descending: false }, ...heedless);
      assert.deepEqual([...tasks.view.matching], rows, text);
    }
  });

  it('is rewritten in the lines that were edited and no other byte', async () => {
    const given = `\uFEFF\n${line('a')}\r\n\n  ${line('b')}  \n\n${line('c')}`;
    const { edit, save, text, tasks, file } = await opened(given);
    assert.equal(tasks.columns.count, 3);
    assert.equal(file.lineOf(2), 6);
    await edit(1, { gold: 'second, and longer than it was' });
    await save();
    const expected = given.replace(line('b'), line('b', { gold: 'second, and longer than it was' }));
    assert.equal(await text(), expected);
    // Later lines are found at their new places.
    await edit(2, { tools: [{ name: 'look', description: '', parameters: {} }], tags: ['odd'] });
    await save();
    const [, , last] = await tasks.at([0, 1, 2]);
    assert.equal(last?.task.id, 'c');
    assert.match(await text(), /"id":"c".*"tools":\[.*"tags":\["odd"\]\}$/);
    await file.table.close();
  });

  it('gives back what was undone after a save', async () => {
    const given = `${line('a')}\n`;
    const { tasks, save, text, file } = await opened(given);
    const change = await tasks.change(0, { excluded: 'wrong', gold: 'other' });
    assert.ok(change !== null);
    await tasks.apply([change]);
    assert.equal(tasks.columns.status[0], 2);
    await save();
    assert.match(await text(), /"gold":"other","status":"rejected","note":"wrong"\}\n$/);
    assert.deepEqual(tasks.working.dirty, []);
    await tasks.apply([change], 'back');
    assert.deepEqual(tasks.working.dirty, [0]);
    await save();
    assert.equal(await text(), given);
    assert.equal(tasks.columns.status[0], 0);
    await file.table.close();
  });

  it('is not written over what something else wrote', async () => {
    const { edit, save, text, path, file } = await opened(`${line('a')}\n`);
    await edit(0, { gold: 'mine' });
    await writeFile(path, `${line('b')}\n${line('a')}\n`);
    await assert.rejects(save(), { name: 'TaskFileError', reason: 'changed' });
    assert.equal(await text(), `${line('b')}\n${line('a')}\n`);
    await file.table.close();
  });

  it('is saved as it was read where something removed or replaced it, and says what to do where its folder is gone', async () => {
    const { edit, save, text, path, file } = await opened(`${line('a')}\n${line('b')}\n`);
    const other = join(folder, 'other.tasks.jsonl');
    await edit(0, { gold: 'mine' });
    await rm(path);
    assert.equal(await file.isStale(), false);
    await save();
    assert.equal(await text(), `${line('a', { gold: 'mine' })}\n${line('b')}\n`);
    await rm(path);
    await writeFile(path, 'of something else\n');
    await file.saveTo(other, new Map([[1, { gold: 'other' }]]), [{ text: line('c'), at: 1 }]);
    assert.equal(
      await readFile(other, 'utf8'),
      `${line('a', { gold: 'mine' })}\n${line('c')}\n${line('b', { gold: 'other' })}\n`,
    );
    const nowhere = join(folder, 'none', 'other.tasks.jsonl');
    await assert.rejects(file.saveTo(nowhere, new Map()), { name: 'TaskFileError', reason: 'gone' });
    await assert.rejects(TaskFile.open(nowhere), { name: 'TaskFileError', reason: 'gone' });
    await file.table.close();
  });

  it('shows a line that is no task, and refuses to edit what is no JSON', async () => {
    const given = `not json\n{"id":7,"prompt":"text"}\n${line('c', { status: 'rejected', note: 'dull', tags: ['x'] })}\n`;
    const { edit, save, tasks, text, file } = await opened(given);
    const [broken, odd, out] = await tasks.at([0, 1, 2]);
    assert.deepEqual([broken?.task.id, odd?.task.id, odd?.task.prompt], ['line 1', '7', []]);
    assert.deepEqual([out?.now.excluded, out?.now.tags], ['dull', ['x']]);
    await edit(1, { prompt: [{ role: 'user', content: 'hello' }] });
    await save();
    assert.match(await text(), /\{"id":7,"prompt":\[\{"role":"user","content":"hello"\}\]\}/);
    // As a backup of a file that was changed meanwhile might.
    await tasks.apply([{ row: 0, before: { gold: null }, after: { gold: 'x' } }]);
    await assert.rejects(save(), { reason: 'unreadable-line' });
    await file.table.close();
  });

  it('is searched by fields and texts, edits included', async () => {
    const { tasks, edit, file } = await opened(
      Array.from({ length: 30 }, (_, i) => `${line(`t${i}`, i % 3 === 0 ? { tags: ['third'] } : {})}\n`).join(''),
    );
    const { signal } = new AbortController();
    const found = async (text: string, order: 'written' | 'id' = 'written') => {
      const problem = await tasks.show({ text, order, descending: false }, signal, () => undefined);
      if (problem !== null) return problem.message;
      return (await tasks.shown(0, 100)).map(({ task }) => task.id).join(' ');
    };
    assert.equal(await found('id:t2*', 'id'), 't2 t20 t21 t22 t23 t24 t25 t26 t27 t28 t29');
    assert.equal(await found('"PLEASE t7"'), 't7');
    await edit(7, { prompt: [{ role: 'user', content: 'something else' }], tags: ['mended'] });
    assert.equal(await found('"please t7"'), '');
    assert.equal(await found('tag:mend* edited:yes else'), 't7');
    assert.equal(await found('tag:third -id:t1* id:*2*'), 't21 t24 t27');
    assert.match(await found('statsu:accepted'), /Did you mean “status”/);
    assert.match(await found('status:good'), /accepted, rejected, excluded/);
    await assert.rejects(found(`flag:${flagNames[0]}`), /no flags/);
    assert.equal(tasks.view.query.text, 'tag:third -id:t1* id:*2*', 'the old query stays');
    await file.table.close();
  });
});
