import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { api, experimentFile, landing, next, workspaceFolder } from '../../support/host/api.ts';
import { until } from '../../support/until.ts';

describe('files of seed tasks', () => {
  let parts: GenEnvApi;
  let file: vscode.Uri;
  let lines: string[];

  before(async () => {
    parts = await api();
    const base = new StorekeeperDomain({ baseTasks: 12, validationTasks: 1 }).seeds('base');
    lines = base.map(({ id, prompt, evaluation, gold }) => JSON.stringify({ id, prompt, evaluation, gold }));
    file = vscode.Uri.file(join(workspaceFolder(), 'mine.tasks.jsonl'));
    await writeFile(file.fsPath, `${lines.join('\n')}\n\n`);
    const dir = await parts.service.start(
      await experimentFile('seeded', {
        domain: { seeds: 'mine.tasks.jsonl', baseTasks: 12 },
        rollouts: { group: 4, baseShare: 0.5 },
      }),
    );
    await landing(parts, dir);
    while (parts.catalog.get(dir)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
  });

  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  /** In the order of their lines. */
  const lenses = async () => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      ...[file, lines.length],
    );
    return found.toSorted((a, b) => a.range.start.line - b.range.start.line);
  };

  it('say above every task how their newest run solved it', async () => {
    await vscode.window.showTextDocument(file);
    const found = await lenses();
    assert.deepEqual(
      found.map(({ range }) => range.start.line),
      lines.map((_, line) => line),
    );
    const titles = found.map(({ command }) => command?.title ?? '');
    const attempted = titles.filter((title) => title.startsWith('p̂'));
    assert.ok(attempted.length > 0, titles.join('\n'));
    for (const title of attempted)
      assert.match(title, /^p̂ \d\.\d\d \[\d\.\d\d, \d\.\d\d\] {2}[●○]{4} · epoch \d of “seeded”$/);
    for (const title of titles) if (!title.startsWith('p̂')) assert.match(title, /not attempted in “seeded”/);
  });

  it('show the attempts in place by a key', async () => {
    const found = await lenses();
    const at = found.findIndex(({ command }) => command?.command === 'genenv.peekAttempts');
    const editor = await vscode.window.showTextDocument(file);
    editor.selection = new vscode.Selection(at, 0, at, 0);
    await vscode.commands.executeCommand('genenv.peekSeedAttempts');
    const task = /"id":"([^"]+)"/.exec(lines[at] ?? '')?.[1] ?? '';
    const shown = await until('its first trace in place', () =>
      vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === 'genenv-trace' && uri.query.includes(`/${task}/r0`),
      ),
    );
    assert.match(shown.getText().split('\n')[0] ?? '', new RegExp(`/${task}/r0$`));
  });

  it('say of a task that was edited since', async () => {
    const editor = await vscode.window.showTextDocument(file);
    const found = await lenses();
    const at = found.findIndex(({ command }) => command?.command === 'genenv.peekAttempts');
    const { text } = editor.document.lineAt(at);
    await editor.edit((edit) =>
      edit.replace(editor.document.lineAt(at).range, text.replace(/"gold":"[^"]*"/, '"gold":"first get f0 rice"')),
    );
    const again = await lenses();
    assert.match(again[at]?.command?.title ?? '', / · edited since$/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('are left alone where no run began with them', async () => {
    const other = vscode.Uri.file(join(workspaceFolder(), 'other.tasks.jsonl'));
    await writeFile(other.fsPath, `${lines[0] ?? ''}\n`);
    await vscode.window.showTextDocument(other);
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', other, 9);
    assert.deepEqual(found, []);
  });
});
