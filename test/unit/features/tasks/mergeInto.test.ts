/** Unsaved edits of a real file that something else writes meanwhile. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUndecided } from '../../../../src/features/tasks/node/unsaved/conflicts.ts';
import { EditedTasks } from '../../../../src/features/tasks/node/editedTasks.ts';
import { mergeInto } from '../../../../src/features/tasks/node/unsaved/mergeInto.ts';
import { TaskFile } from '../../../../src/features/tasks/node/taskFile.ts';
import { fileSource } from '../../../../src/features/tasks/node/taskSource.ts';
import type { TaskPart } from '../../../../src/features/tasks/node/taskValues.ts';
import { UnsavedEdits } from '../../../../src/features/tasks/node/unsaved/unsavedEdits.ts';

const line = (id: string | null, gold: string, more: object = {}): string =>
  JSON.stringify({
    ...(id !== null && { id }),
    ...{ prompt: [{ role: 'user', content: `say ${gold}` }], evaluation: { kind: 'exact' }, gold, ...more },
  });

describe('unsaved edits over a file that something else wrote', () => {
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-merge-'));
    path = join(folder, 'some.tasks.jsonl');
  });
  const sources: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(sources.splice(0).map((source) => source.close())));
  after(() => rm(folder, { recursive: true }));

  async function opened() {
    const file = await TaskFile.open(path);
    const tasks = new EditedTasks(fileSource(file, () => Promise.reject(new Error('no flags'))));
    file.partOf = (row) => tasks.partOf(row);
    sources.push(tasks.source);
    return { file, tasks };
  }

  async function edited(text: string, edits: readonly [row: number, part: TaskPart][]) {
    await writeFile(path, text);
    const { file, tasks } = await opened();
    const unsaved = new UnsavedEdits(tasks);
    for (const [row, part] of edits) {
      const change = await tasks.change(row, part);
      assert.ok(change !== null);
      await unsaved.remember([change]);
      await tasks.apply([change]);
    }
    return { file, tasks, unsaved };
  }

  async function merged(before: UnsavedEdits, text: string) {
    await writeFile(path, text);
    const { file, tasks } = await opened();
    const { changes, conflicts, moved, equal, lost } = await mergeInto(tasks, before.edits());
    const unsaved = new UnsavedEdits(tasks, conflicts);
    await unsaved.remember(changes);
    await tasks.apply(changes);
    const decide = async (key: string | null, field: string | null, choice: 'mine' | 'theirs') => {
      const decision = unsaved.decide(key, field, choice);
      assert.ok(decision !== null);
      const set = async (direction: 'forth' | 'back'): Promise<void> => {
        decision.set(direction);
        await tasks.apply(decision.changes, direction);
      };
      await set('forth');
      return set;
    };
    const save = async (): Promise<string> => {
      const { dirty } = tasks.working;
      const parts = new Map(dirty.map((row) => [row, tasks.working.changeOf(row)?.after ?? {}] as const));
      await file.save(parts, await unsaved.added());
      return readFile(path, 'utf8');
    };
    const now = async () =>
      (await tasks.at([...Array(tasks.columns.count).keys()])).map(({ task }) => [task.id, task.gold]);
    return { tasks, unsaved, moved, equal, lost, decide, save, now };
  }

  it('merge by themselves where they are of different tasks or fields, wherever the lines went', async () => {
    const { unsaved } = await edited(`${line('a', '1')}\n${line('b', '2')}\n`, [
      [0, { gold: 'mine' }],
      [1, { tags: ['odd'] }],
    ]);
    const {
      save,
      unsaved: after,
      moved,
    } = await merged(unsaved, `${line('new', '0')}\n${line('b', 'theirs')}\n${line('a', '1', { tags: ['x'] })}`);
    assert.deepEqual(after.conflicts, []);
    assert.deepEqual(
      [...moved].map(([row, { row: now }]) => [row, now]),
      [
        [0, 2],
        [1, 1],
      ],
    );
    assert.equal(
      await save(),
      `${line('new', '0')}\n${line('b', 'theirs', { tags: ['odd'] })}\n${line('a', '1', { tags: ['x'] }).replace('"gold":"1"', '"gold":"mine"')}`,
    );
  });

  it('of the same field are to be decided, field by field, and undone', async () => {
    const { unsaved } = await edited(`${line('a', '1')}\n`, [[0, { gold: 'mine', excluded: 'dull' }]]);
    const one = await merged(unsaved, `${line('a', 'theirs', { status: 'rejected', note: 'wrong' })}\n`);
    const [conflict = assert.fail('no conflict')] = one.unsaved.conflicts;
    assert.deepEqual(
      conflict.fields.map(({ name }) => name),
      ['gold', 'excluded'],
    );
    assert.deepEqual(await one.now(), [['a', 'mine']], 'mine until it is decided');
    const set = await one.decide(conflict.key, 'gold', 'theirs');
    assert.deepEqual(await one.now(), [['a', 'theirs']]);
    await set('back');
    assert.deepEqual(await one.now(), [['a', 'mine']]);
    assert(isUndecided(conflict));
    await set('forth');
    await one.decide(null, null, 'mine');
    assert(!isUndecided(conflict), 'the decided field stays as it was decided');
    assert.equal(await one.save(), `${line('a', 'theirs', { status: 'rejected', note: 'dull' })}\n`);
  });

  it('that the disk has, too, leave nothing to save', async () => {
    const { unsaved } = await edited(`${line('a', '1')}\n`, [[0, { gold: 'same' }]]);
    const { tasks, equal } = await merged(
      unsaved,
      `${line('b', '0')}\n${line('a', '1').replace('"gold":"1"', '"gold":"same"')}\n`,
    );
    assert.deepEqual([tasks.working.dirty, equal], [[], 1]);
  });

  it('of a task that is gone are put back or given up', async () => {
    const given = `${line('a', '1')}\n${line('b', '2')}\n`;
    for (const [choice, expected] of [
      ['mine', `${line('a', '1').replace('"gold":"1"', '"gold":"mine"')}\n${line('b', '2')}`],
      ['theirs', line('b', '2')],
    ] as const) {
      const { unsaved } = await edited(given, [[0, { gold: 'mine' }]]);
      const one = await merged(unsaved, line('b', '2'));
      assert.deepEqual(
        one.unsaved.conflicts.map(({ id, row, fields }) => [id, row, fields.map(({ name }) => name)]),
        [['a', null, ['task']]],
      );
      assert.deepEqual(await one.unsaved.added(), [], 'not before it is decided');
      await one.decide(null, null, choice);
      assert.equal(await one.save(), expected);
    }
  });

  it('of tasks that are gone are put back to their places, behind the nearest that are there still', async () => {
    const mine = (id: string): string => line(id, '1').replace('"gold":"1"', '"gold":"mine"');
    const given = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => line(id, '1')).join('\n');
    const { unsaved } = await edited(given, [
      [2, { gold: 'mine' }],
      [3, { gold: 'mine' }],
      [0, { gold: 'mine' }],
      [5, { gold: 'mine' }],
      [4, { tags: ['odd'] }],
    ]);
    const one = await merged(unsaved, `${line('new', '1')}\n${line('b', '1')}\n${line('e', '1')}`);
    await one.decide(null, null, 'mine');
    const ids = (await one.save()).trim().split('\n');
    assert.deepEqual(ids, [
      ...[mine('a'), line('new', '1'), line('b', '1'), mine('c'), mine('d')],
      ...[line('e', '1', { tags: ['odd'] }), mine('f')],
    ]);
  });

  it('of a task that is gone and comes back are merged with it', async () => {
    const { unsaved } = await edited(`${line('a', '1')}\n`, [[0, { gold: 'mine' }]]);
    const gone = await merged(unsaved, '');
    const back = await merged(gone.unsaved, `${line('a', '1')}\n`);
    assert.deepEqual(back.unsaved.conflicts, []);
    assert.deepEqual(await back.now(), [['a', 'mine']]);
  });

  it('of a task without an id follow its line, and never land on another task', async () => {
    const { unsaved } = await edited(`${line(null, '1')}\n${line(null, '2')}\n`, [[1, { gold: 'mine' }]]);
    const one = await merged(unsaved, `${line(null, '0')}\n${line(null, '1')}\n${line(null, '2')}\n`);
    assert.deepEqual(
      (await one.now()).map(([, gold]) => gold),
      ['0', '1', 'mine'],
    );
    const other = await merged(one.unsaved, `${line(null, '1')}\n${line(null, '3')}\n`);
    assert.deepEqual(
      other.unsaved.conflicts.map(({ row }) => row),
      [null],
    );
    assert.deepEqual(other.tasks.working.dirty, []);
  });

  it('stay to be decided when the file is written once more', async () => {
    const { unsaved } = await edited(`${line('a', '1')}\n`, [[0, { gold: 'mine' }]]);
    const one = await merged(unsaved, `${line('a', '1').replace('"gold":"1"', '"gold":"theirs"')}\n`);
    const two = await merged(
      one.unsaved,
      `${line('x', '0')}\n${line('a', '1').replace('"gold":"1"', '"gold":"theirs"')}\n`,
    );
    assert.deepEqual(
      two.unsaved.conflicts.map(({ row, fields }) => [row, fields]),
      [[1, [{ name: 'gold', choice: null }]]],
    );
  });
});
