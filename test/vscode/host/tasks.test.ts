/** The task editor in the editor: task files, a run's tasks and its pools as documents with undo, save and backup. */
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { GenEnvApi } from '../../../src/extension.ts';
import { TasksDocument } from '../../../src/features/tasks/host/tasksDocument.ts';
import { openFile } from '../../../src/features/tasks/host/files/openFile.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { api, experimentFile, landing, shown, workspaceFolder } from '../../support/host/api.ts';
import { pageSays } from '../../support/host/onScreen.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

const line = (id: string, words: string, gold = 'first'): string =>
  JSON.stringify({
    tags: ['kept'],
    id,
    prompt: [{ role: 'user', content: words }],
    evaluation: { kind: 'exact' },
    gold,
  });

describe('the task editor', function () {
  this.timeout(240_000);
  const file = join(workspaceFolder(), 'edited.tasks.jsonl');
  const uri = vscode.Uri.file(file);
  const given = `${line('a', 'say first')}\n\n${line('b', 'say second', 'second')}\n`;
  const text = () => readFile(file, 'utf8');
  let parts: GenEnvApi;
  let run: RunDir;

  before(async () => {
    parts = await api();
    run = await parts.service.start(await experimentFile('tasks'));
    await landing(parts, run);
    await shown(parts, run, ({ head }) => head.state === 'finished');
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(file, { force: true });
  });

  const isDirty = (): boolean => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty ?? false;
  /** Types a gold, and leaves the field. */
  const typeGold = async (gold: string): Promise<void> => {
    await driver.pageType('tasks', 'textbox', 'Gold', gold);
    await driver.pagePress('tasks', 'textbox', 'Gold', 'ControlOrMeta+Enter');
  };

  const readerOf = async (dir: RunDir) =>
    (await import('../../../src/runs/store/runReader.ts')).RunReader.open(dir, {
      clock: { now: () => 0 },
      log: { info: () => undefined, warn: () => undefined },
      files: (await import('../../../src/runs/files/fileOperations.ts')).nodeFiles,
    });

  it('has nothing to save once an edit was typed back by hand, and what is on the disk stays', async () => {
    await writeFile(file, `${line('b', 'say second', 'second')}\n`);
    await vscode.commands.executeCommand('vscode.open', uri);
    await pageSays('tasks', /say second/);
    await typeGold('another');
    await until('the document has an edit', isDirty);
    await typeGold('second');
    await until('nothing is left of it', () => !isDirty());
    assert.equal(await text(), `${line('b', 'say second', 'second')}\n`);
    await vscode.commands.executeCommand('undo');
    await until('the edit before is there again', isDirty);
  });

  it('opens a task file by itself; an edit is undone, made again, and saved in its line alone', async () => {
    await writeFile(file, given);
    await vscode.commands.executeCommand('vscode.open', uri);
    await pageSays('tasks', /say second/);
    await typeGold('another');
    await until('the document has an edit', isDirty);
    assert.equal(await text(), given);
    await vscode.commands.executeCommand('undo');
    await until('nothing is left of it', () => !isDirty());
    await vscode.commands.executeCommand('redo');
    await until('it is there again', isDirty);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('it is saved', () => !isDirty());
    assert.equal(await text(), given.replace(line('a', 'say first'), line('a', 'say first', 'another')));
    await vscode.commands.executeCommand('undo');
    await until('it differs from what is saved', isDirty);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('the old gold is saved', async () => (await text()) === given);
  });

  it('reads a file again that something else wrote, and merges it with the edits that are here', async () => {
    await writeFile(file, given);
    await vscode.commands.executeCommand('vscode.open', uri);
    await pageSays('tasks', /say second/);
    await writeFile(file, `${line('c', 'say third')}\n${given}`);
    await pageSays('tasks', /say third/);
    await driver.pagePress('tasks', 'row', 'say first', 'Enter');
    await pageSays('tasks', /family a\b/);
    await typeGold('mine');
    await until('the document has an edit', isDirty);
    // Another task changes, and the edited one stands elsewhere.
    await writeFile(file, `${line('b', 'say second', 'theirs')}\n${line('a', 'say first')}\n`);
    await pageSays('tasks', /Something else wrote this file: it was read again\. Your edits of 1 task stay\./);
    assert.ok(isDirty());
    await vscode.commands.executeCommand('undo');
    await until('the edit is taken back where its task is now', () => !isDirty());
    await vscode.commands.executeCommand('redo');
    await until('it is there again', isDirty);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('it is saved', () => !isDirty());
    assert.equal(await text(), `${line('b', 'say second', 'theirs')}\n${line('a', 'say first', 'mine')}\n`);
  });

  it('saves nothing until it is decided what holds of tasks that both changed', async () => {
    await writeFile(file, given);
    await vscode.commands.executeCommand('vscode.open', uri);
    await pageSays('tasks', /say second/);
    await typeGold('mine');
    await until('the document has an edit', isDirty);
    const theirs = `${line('b', 'say second', 'second')}\n${line('a', 'say first', 'theirs')}\n`;
    await writeFile(file, theirs);
    await pageSays('tasks', /1 task was changed here and on the disk/);
    await driver.screenshot('tasks-conflict');
    await Promise.resolve(vscode.commands.executeCommand('workbench.action.files.save')).catch(() => undefined);
    await pageSays('tasks', /Not saved: some tasks were changed here and on the disk/);
    assert.equal(await text(), theirs);
    await driver.pageButton('tasks', 'Take the Disk’s Everywhere');
    // The disk's is what is there: nothing is left to save.
    await until('nothing is left to save', () => !isDirty());
    await vscode.commands.executeCommand('undo');
    await until('mine is there again', isDirty);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('it is saved', async () => (await text()) === theirs.replace('"theirs"', '"mine"'));
  });

  it('lists a line that is no task, opens it as text, and saves all around it', async () => {
    const broken = `${line('a', 'say first')}\n  []\n${line('b', 'say second', 'second')}\n{"id": \n`;
    await writeFile(file, broken);
    await vscode.commands.executeCommand('vscode.open', uri);
    await pageSays('tasks', /say second/);
    await pageSays('tasks', /2 lines are damaged/);
    await pageSays('tasks', /line 2/);
    await typeGold('another');
    await until('the document has an edit', isDirty);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('it is saved', () => !isDirty());
    assert.equal(await text(), broken.replace(line('a', 'say first'), line('a', 'say first', 'another')));
    await driver.pageButton('tasks', 'Show Damaged Lines');
    await pageSays('tasks', /The line holds a list; a task is a JSON object/);
    await driver.pageButton('tasks', 'Open as Text');
    await until('the text is open at the line', () => {
      const { activeTextEditor: shownText } = vscode.window;
      return shownText?.document.uri.fsPath === file && shownText.selection.active.line === 1;
    });
  });

  it('keeps what is unsaved over a closed window', async () => {
    await writeFile(file, given);
    const open = (backup?: string) =>
      TasksDocument.open(uri, { kind: 'file', path: file }, () => openFile(file), backup);
    const { document } = await open();
    const made = await document.make('Exclude', () => document.tasks.exclude([0, 1], 'dull'));
    assert.equal(made, 2);
    const kept = vscode.Uri.file(join(workspaceFolder(), 'kept.json'));
    const { id } = await document.backup(kept);
    document.dispose();
    const again = await open(id);
    assert.equal(again.lost, 0);
    assert.deepEqual(again.document.tasks.working.dirty, [0, 1]);
    assert.equal(again.document.tasks.excludedAt(1), 'dull');
    again.document.dispose();
    // One of the two tasks is another now: the page asks whether it is put back.
    await writeFile(file, given.replace('"b"', '"d"'));
    const other = await open(id);
    assert.equal(other.lost, 0);
    assert.deepEqual(
      other.document.conflicts.map(({ id: of, row }) => [of, row]),
      [['b', null]],
    );
    await other.document.decide(null, null, 'theirs', 'Take Theirs');
    await other.document.save();
    assert.match(await text(), /"id":"a".*"note":"dull"\}\n\n\{"tags":\["kept"\],"id":"d"/);
    other.document.dispose();
    await rm(kept.fsPath);
  });

  it('does one thing to many tasks as one step, copies them, and sends them to a new file of seed tasks', async () => {
    const sent = join(workspaceFolder(), 'sent.tasks.jsonl');
    const many = join(workspaceFolder(), 'many.tasks.jsonl');
    await writeFile(many, `${given}${line('c', 'say third', 'third')}\n`);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(many));
    await pageSays('tasks', /say third/);
    const selectTwo = async (): Promise<void> => {
      await driver.pagePress('tasks', 'row', 'say first', 'Home', 'Shift+ArrowDown');
      await pageSays('tasks', /2 tasks selected/);
    };
    await selectTwo();
    await driver.pageButton('tasks', 'Exclude…');
    await driver.pageType('tasks', 'textbox', 'Reason', 'dull');
    await driver.pagePress('tasks', 'textbox', 'Reason', 'Enter');
    await pageSays('tasks', /2 tasks excluded/);
    await until('the document has an edit', isDirty);
    await vscode.commands.executeCommand('undo');
    await until('one step took both back', () => !isDirty());
    await driver.pageButton('tasks', 'Tag…');
    await driver.pageType('tasks', 'textbox', 'Add tags', 'odd');
    await driver.pagePress('tasks', 'textbox', 'Add tags', 'Enter');
    await until('they are tagged', isDirty);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('it is saved', () => !isDirty());
    const tags = (written: string): unknown[] =>
      written
        .split('\n')
        .flatMap((one) => (one === '' ? [] : [z.object({ tags: z.unknown() }).parse(JSON.parse(one)).tags]));
    assert.deepEqual(tags(await readFile(many, 'utf8')), [['kept', 'odd'], ['kept', 'odd'], ['kept']]);
    await driver.pageButton('tasks', 'Copy as JSON');
    await pageSays('tasks', /2 tasks copied/);
    const copied = z.array(z.object({ id: z.string(), gold: z.string(), tags: z.array(z.string()) }));
    assert.deepEqual(copied.parse(JSON.parse(await vscode.env.clipboard.readText())), [
      { id: 'a', gold: 'first', tags: ['kept', 'odd'] },
      { id: 'b', gold: 'second', tags: ['kept', 'odd'] },
    ]);
    await driver.pageButton('tasks', 'Send to Seed Tasks');
    await driver.choose('New File…');
    await driver.typeInto('New File of Seed Tasks', sent);
    await pageSays('tasks', /Tasks of sent\.tasks\.jsonl.*say first.*say second/);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(many));
    await pageSays('tasks', /say third/);
    await selectTwo();
    await driver.pageButton('tasks', 'Duplicate as Variation');
    await driver.choose('sent.tasks.jsonl');
    await pageSays('tasks', /Tasks of sent\.tasks\.jsonl.*a\.copy.*b\.copy/);
    const placed = z.object({ id: z.string(), family: z.string(), seed: z.string().nullable() });
    const lines = (await readFile(sent, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((one) => placed.parse(JSON.parse(one))),
      [
        { id: 'a', family: 'a', seed: null },
        { id: 'b', family: 'b', seed: null },
        { id: 'a.copy', family: 'a', seed: 'a' },
        { id: 'b.copy', family: 'b', seed: 'b' },
      ],
    );
    await pageSays('tasks', /4 tasks/);
    await Promise.all([rm(sent), rm(many)]);
  });

  it('tells the Problems panel which line and field of a file is wrong', async () => {
    await writeFile(
      file,
      `${given}{"id":"a","prompt":"text"}\n${JSON.stringify({ id: 'e', prompt: [{ role: 'user', content: 'x' }], evaluation: { kind: 'storekeeper' }, gold: '' })}\n`,
    );
    await until('lines 4 and 5 have problems, the first in its prompt', () => {
      const found = vscode.languages.getDiagnostics(uri).map(({ range, code }) => ({ at: range.start.line + 1, code }));
      return found.some(({ at, code }) => at === 4 && code === 'prompt') && found.some(({ at }) => at === 5);
    });
  });

  it('mends what is wrong with a file from the Problems panel, and opens its editor at the task', async () => {
    const wrong = vscode.Uri.file(join(workspaceFolder(), 'wrong.tasks.jsonl'));
    await writeFile(wrong.fsPath, `${line('a', 'say first')}\n${line('a', 'say second', 'second')}\n{`);
    const document = await vscode.workspace.openTextDocument(wrong);
    const problem = (name: string, fits: (one: vscode.Diagnostic) => boolean): Promise<vscode.Diagnostic> =>
      until(name, () => vscode.languages.getDiagnostics(wrong).find(fits) ?? false);
    const fix = async ({ range }: vscode.Diagnostic, title: string): Promise<vscode.CodeAction> => {
      const command = 'vscode.executeCodeActionProvider';
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(command, wrong, range);
      const found = actions.find((one) => one.title === title);
      assert.ok(found !== undefined, actions.map((one) => one.title).join());
      return found;
    };
    const twice = await problem('the id is told to stand twice', ({ code }) => code === 'id');
    const { edit: renaming } = await fix(twice, 'Call It “a-2”');
    const broken = await problem('the last line is told to be none', ({ range }) => range.start.line === 2);
    const { edit: removal } = await fix(broken, 'Remove This Line');
    assert.ok(renaming !== undefined && removal !== undefined);
    assert.ok(await vscode.workspace.applyEdit(removal));
    assert.ok(await vscode.workspace.applyEdit(renaming));
    assert.equal(document.getText(), `${line('a', 'say first')}\n${line('a-2', 'say second', 'second')}`);
    await document.save();
    const second = await problem('the second is checked', ({ range, code }) => range.start.line === 1 && code !== 'id');
    const { command } = await fix(second, 'Open in the Task Editor');
    await vscode.commands.executeCommand(command?.command ?? '', ...z.array(z.unknown()).parse(command?.arguments));
    await pageSays('tasks', /a-2 not attempted/);
    await rm(wrong.fsPath);
  });

  it('edits a task of a run: what is saved is journaled, with who and what it was', async () => {
    const reader = await readerOf(run);
    const [task] = (await all(reader.tasks())).filter(({ status }) => status === 'accepted');
    assert.ok(task !== undefined);
    await vscode.commands.executeCommand('genenv.editTask', { run, task: task.id });
    await pageSays('tasks', new RegExp(`${task.id.replaceAll('.', String.raw`\.`)}.*Lineage`));
    await typeGold(`${task.gold ?? ''} first`);
    await pageSays('tasks', /It does not verify/);
    await until('the document has an edit', isDirty);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await until('it is saved', () => !isDirty());
    const edited = (await all(reader.events())).findLast(({ type }) => type === 'tasks.edited');
    assert.ok(edited?.type === 'tasks.edited');
    assert.deepEqual(edited.edits, [
      { action: 'edit', task: task.id, changes: [{ field: 'gold', from: task.gold, to: `${task.gold ?? ''} first` }] },
    ]);
    assert.notEqual(edited.author, '');
    await pageSays('tasks', new RegExp(`Edited by ${edited.author}, from epoch 3 on`));
    assert.deepEqual(await reader.task(task.id), task, 'the record is what it was');
    await reader.close();
  });

  it('shows what a run writes while it is open', async () => {
    const growing = await parts.service.start(await experimentFile('grows', { epochs: 2 }));
    const paused = landing(parts, growing);
    await parts.service.pause(growing, 'boundary');
    await paused;
    await shown(parts, growing, ({ writer }) => writer === null);
    const recorded = async (): Promise<number> => {
      const reader = await readerOf(growing);
      const { length } = await all(reader.tasks());
      await reader.close();
      return length;
    };
    const [before, at] = [await recorded(), /Flags ([1-9]\d*) tasks/];
    await vscode.commands.executeCommand('genenv.editTasks', { run: growing });
    const tasks = Number(at.exec(await pageSays('tasks', at))?.[1]);
    await parts.service.resume(growing);
    await shown(parts, growing, ({ head }) => head.state === 'finished');
    const written = (await recorded()) - before;
    assert.ok(written > 0);
    await pageSays('tasks', new RegExp(`Flags ${tasks + written} tasks`));
  });

  it('opens a pool as a table under its own name', async () => {
    await vscode.commands.executeCommand('genenv.openPoolTable', { run, pool: 'agent' });
    await pageSays('tasks', /D_train: the base tasks/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'D_train.tasks.jsonl');
  });
});
