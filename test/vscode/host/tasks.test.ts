/** The task editor in the editor: task files, a run's tasks and its pools as documents with undo, save and backup. */
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { TasksDocument } from '../../../src/host/tasks/tasksDocument.ts';
import { openFile } from '../../../src/host/tasks/openFile.ts';
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
  this.timeout(90_000);
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

  it('reads a file again that something else wrote, and asks where that would lose edits', async () => {
    await writeFile(file, given);
    await vscode.commands.executeCommand('vscode.open', uri);
    await pageSays('tasks', /say second/);
    await writeFile(file, `${line('c', 'say third')}\n`);
    await pageSays('tasks', /say third/);
    await typeGold('mine');
    await until('the document has an edit', isDirty);
    await writeFile(file, given);
    await driver.answer('was changed on the disk', 'Read It Again');
    await until('the edit is gone', () => !isDirty());
    await pageSays('tasks', /say second/);
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
    // One of the two tasks is another now.
    await writeFile(file, given.replace('"b"', '"d"'));
    const other = await open(id);
    assert.equal(other.lost, 1);
    await other.document.save();
    assert.match(await text(), /"id":"a".*"note":"dull"\}\n\n\{"tags":\["kept"\],"id":"d"/);
    other.document.dispose();
    await rm(kept.fsPath);
  });

  it('tells the Problems panel which line and field of a file is wrong', async () => {
    await writeFile(
      file,
      `${given}{"id":"a","prompt":"text"}\n${JSON.stringify({ id: 'e', prompt: [{ role: 'user', content: 'x' }], evaluation: { kind: 'storekeeper' }, gold: '' })}\n`,
    );
    const problems = await until('the file has problems', () => {
      const found = vscode.languages.getDiagnostics(uri);
      return found.length >= 3 && found;
    });
    const lines = problems.map(({ range, code }) => [range.start.line + 1, code]);
    assert.ok(
      lines.some(([at, code]) => at === 4 && code === 'prompt'),
      JSON.stringify(lines),
    );
    assert.ok(
      lines.some(([at]) => at === 5),
      JSON.stringify(lines),
    );
  });

  it('edits a task of a run: what is saved is journaled, with who and what it was', async () => {
    const reader = await (
      await import('../../../src/runs/runReader.ts')
    ).RunReader.open(run, {
      clock: { now: () => 0 },
      log: { info: () => undefined, warn: () => undefined },
      files: (await import('../../../src/runs/fileOperations.ts')).nodeFiles,
    });
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

  it('opens a pool as a table under its own name', async () => {
    await vscode.commands.executeCommand('genenv.openPoolTable', { run, pool: 'agent' });
    await pageSays('tasks', /D_train: the base tasks/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'D_train.tasks.jsonl');
  });
});
