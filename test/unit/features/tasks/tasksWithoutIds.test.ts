/** Tasks without ids, known by their lines, while something else writes the file. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EditedTasks } from '../../../../src/features/tasks/node/editedTasks.ts';
import { mergeInto } from '../../../../src/features/tasks/node/unsaved/mergeInto.ts';
import { ShownRows } from '../../../../src/features/tasks/node/shownRows.ts';
import { TaskFile } from '../../../../src/features/tasks/node/taskFile.ts';
import { fileSource } from '../../../../src/features/tasks/node/taskSource.ts';
import { backupOf, editsIn, readBackup } from '../../../../src/features/tasks/node/unsaved/tasksBackup.ts';
import type { TaskPart } from '../../../../src/features/tasks/node/taskValues.ts';
import { UnsavedEdits } from '../../../../src/features/tasks/node/unsaved/unsavedEdits.ts';

const line = (said: string, more: object = {}): string =>
  JSON.stringify({ prompt: [{ role: 'user', content: said }], evaluation: { kind: 'exact' }, gold: 'yes', ...more });
const fileOf = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('tasks without ids in the editor', () => {
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-idless-'));
    path = join(folder, 'some.tasks.jsonl');
  });
  const sources: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(sources.splice(0).map((source) => source.close())));
  after(() => rm(folder, { recursive: true }));

  async function opened(text: string) {
    await writeFile(path, text);
    const file = await TaskFile.open(path);
    const tasks = new EditedTasks(fileSource(file, () => Promise.reject(new Error('no flags'))));
    file.partOf = (row) => tasks.partOf(row);
    sources.push(tasks.source);
    const unsaved = new UnsavedEdits(tasks);
    const edit = async (row: number, part: TaskPart): Promise<void> => {
      const change = await tasks.change(row, part);
      assert.ok(change !== null);
      await unsaved.remember([change]);
      await tasks.apply([change]);
    };
    const parts = () => new Map(tasks.working.dirty.map((row) => [row, tasks.working.changeOf(row)?.after ?? {}]));
    const save = async (): Promise<string> => {
      await file.save(parts());
      tasks.settle(tasks.working.dirty);
      unsaved.settle();
      return readFile(path, 'utf8');
    };
    return { file, tasks, unsaved, edit, save };
  }

  const name = async (shown: ShownRows<{ tasks: EditedTasks }>, row: number): Promise<string> => {
    const [now = assert.fail('no such row')] = await shown.opened.tasks.at([row]);
    return shown.name(now);
  };

  it('keep the page’s ids where they move, and have none where they are gone or changed', async () => {
    const before = new ShownRows(await opened(fileOf(line('one'), line('two'), line('three', { id: 'c' }))));
    const ids = await Promise.all([0, 1, 2].map((row) => name(before, row)));
    assert.equal(ids[2], 'c');
    const now = new ShownRows(await opened(fileOf(line('new'), line('two'), line('three', { id: 'c' }))), before);
    assert.deepEqual(await Promise.all(ids.map((id) => now.find(id))), [null, 1, 2]);
    assert.equal(await name(now, 1), ids[1]);
    await assert.rejects(now.sound(ids[0] ?? ''), /not here any more/);
  });

  it('keep the page’s ids when their lines are saved, in later readings, too', async () => {
    const one = await opened(fileOf(line('one'), line('two')));
    const before = new ShownRows(one);
    const id = await name(before, 1);
    await one.edit(1, { gold: 'no' });
    const saved = await one.save();
    assert.equal(await before.find(id), 1);
    const after = new ShownRows(await opened(`${line('new')}\n${saved}${line('two')}\n`), before);
    assert.equal(await after.find(id), 2);
    assert.equal(await name(after, 2), id);
    assert.notEqual(await name(after, 3), id, 'another one as it was before');
    const last = new ShownRows(await opened(`${line('new')}\n${line('newer')}\n${saved}`), after);
    assert.equal(await last.find(id), 3);
  });

  it('keep their edits also where these are too many for their lines to be kept', async () => {
    const lines = Array.from({ length: 20_010 }, (_, i) => line(`q${i}`));
    const one = await opened(fileOf(...lines));
    const bad = lines.slice(0, 20_001).keys();
    const changes = await one.tasks.exclude(bad, 'bad');
    await one.unsaved.remember(changes);
    await one.tasks.apply(changes);
    const two = await opened(fileOf(line('new'), ...lines));
    const merged = await mergeInto(two.tasks, one.unsaved.edits());
    assert.equal(merged.lost, 0);
    assert.deepEqual(
      merged.changes.map(({ row }) => row),
      Array.from({ length: 20_001 }, (_, i) => i + 1),
    );
  });

  it('twins keep an edit each', async () => {
    const one = await opened(fileOf(line('twin'), line('twin')));
    await one.edit(0, { gold: 'first' });
    await one.edit(1, { gold: 'second' });
    const two = await opened(fileOf(line('new'), line('twin'), line('twin')));
    const { changes } = await mergeInto(two.tasks, one.unsaved.edits());
    assert.deepEqual(changes.map(({ row, after }) => [row, after.gold]).sort(), [
      [1, 'second'],
      [2, 'first'],
    ]);
  });

  describe('in a backup', () => {
    const restored = async (backup: Uint8Array, text: string) => {
      const { tasks } = await opened(text);
      const merged = await mergeInto(tasks, await editsIn(readBackup(backup), tasks));
      return { ...merged, rows: merged.changes.map(({ row, after }) => [row, after.gold]) };
    };

    it('and those with ids get their edits wherever they stand', async () => {
      const one = await opened(fileOf(line('one'), line('two', { id: 'b' })));
      await one.edit(0, { gold: 'first' });
      await one.edit(1, { gold: 'second' });
      const backup = await backupOf(one.tasks, one.unsaved);
      const { rows, lost } = await restored(backup, fileOf(line('new'), line('two', { id: 'b' }), line('one')));
      assert.deepEqual(
        [rows, lost],
        [
          [
            [2, 'first'],
            [1, 'second'],
          ],
          0,
        ],
      );
      const gone = await restored(backup, fileOf(line('new'), line('two', { id: 'b', gold: 'theirs' })));
      assert.deepEqual(
        gone.conflicts.map(({ row, fields }) => [row, fields.map(({ name: field }) => field)]),
        [
          [null, ['task']],
          [1, ['gold']],
        ],
      );
    });

    it('of an older version are restored where they stand, and those with ids where they went', async () => {
      const edit = (row: number, id: string) => ({ row, id, before: { gold: 'yes' }, after: { gold: 'mine' } });
      const gone = { ...edit(5, '6'), text: line('six') };
      const old = { v: 1, rows: [edit(0, '1'), edit(1, 'b')], gone: [gone] };
      const backup = new TextEncoder().encode(JSON.stringify(old));
      const same = await restored(backup, fileOf(line('one'), line('two', { id: 'b' })));
      assert.deepEqual(
        [same.rows, same.conflicts.length],
        [
          [
            [0, 'mine'],
            [1, 'mine'],
          ],
          1,
        ],
      );
      const moved = await restored(backup, fileOf(line('new', { gold: 'no' }), line('six'), line('two', { id: 'b' })));
      assert.deepEqual(
        [moved.rows, moved.lost],
        [
          [
            [2, 'mine'],
            [1, 'mine'],
          ],
          1,
        ],
      );
    });
  });

  it('are acted on together only while they are those that were shown', async () => {
    const { tasks } = await opened(fileOf(line('one'), line('two'), line('three')));
    const signal = new AbortController().signal;
    await tasks.show({ text: 'two', order: 'written', descending: false }, signal, () => undefined);
    assert.deepEqual([...((await tasks.view.stillMatching({ all: 'two', count: 1 })) ?? [])], [1]);
    assert.equal(await tasks.view.stillMatching({ all: 'two', count: 2 }), null);
    const next = tasks.show({ text: '', order: 'written', descending: false }, signal, () => undefined);
    assert.equal(await tasks.view.stillMatching({ all: 'two', count: 1 }), null);
    await next;
  });
});
