import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { copiedFiles } from '../../../src/features/domains/node/copyDomain.ts';
import { until } from '../../support/until.ts';
import { api, workspaceFolder } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('a domain of one’s own, in the editor', () => {
  const files: vscode.Uri[] = [];
  before(() => api());
  // A second try writes them anew.
  const begin = async (...names: string[]): Promise<void> => {
    for (const name of names) await rm(join(workspaceFolder(), name), { force: true });
  };
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const file of files) await rm(file.fsPath, { force: true });
  });

  it('begins with a file that is whole', async () => {
    await begin('stories.domain.py', 'stories.domain.cases.jsonl');
    await driver.command('GenEnv: New Domain…');
    await driver.choose('Questions with Answers');
    await driver.choose('Python');
    await driver.typeInto('New domain', 'stories');
    while (vscode.window.activeTextEditor?.document.fileName.endsWith('stories.domain.py') !== true) await wait(100);
    const { document } = vscode.window.activeTextEditor;
    const types = vscode.Uri.joinPath(document.uri, '..', 'genenv_domain.pyi');
    const cases = vscode.Uri.joinPath(document.uri, '..', 'stories.domain.cases.jsonl');
    files.push(document.uri, types, cases);
    assert.match(new TextDecoder().decode(await vscode.workspace.fs.readFile(cases)), /"call":"judge"/);
    assert.match(new TextDecoder().decode(await vscode.workspace.fs.readFile(types)), /^class Draft\(TypedDict\):/m);
    assert.match(document.getText(), /^def environmentPrompt\(context: Context\) -> Prompt:$/m);
    assert.equal(document.isDirty, false);
    await driver.screenshot('new-domain');
  });

  it('is offered for several kinds of tasks, whole as well', async () => {
    await begin('code.domain.ts', 'code.domain.cases.jsonl');
    const made = vscode.commands.executeCommand<vscode.Uri>('genenv.newDomain');
    await driver.choose('Code with Tests');
    await driver.choose('TypeScript');
    await driver.typeInto('New domain', 'code');
    const uri = await made;
    const beside = ['genenv-domain.d.ts', 'code.domain.cases.jsonl'];
    files.push(uri, ...beside.map((name) => vscode.Uri.joinPath(uri, '..', name)));
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(document.getText(), /^export const verify: Verify =/m);
    // TypeScript's own service has nothing to say of it.
    const errors = vscode.languages.getDiagnostics(uri).map(({ message }) => message);
    assert.deepEqual(errors, []);
    await driver.screenshot('new-domain-code');
  });

  it('begins with a copy of one that ships, which is not written over', async () => {
    await begin('stories.domain.ts');
    await driver.command('GenEnv: Copy Domain to Workspace…');
    await driver.choose('stories');
    const { document } = await until('the copy is open', () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.fileName.endsWith('stories.domain.ts') === true && editor;
    });
    const folder = vscode.Uri.joinPath(document.uri, '..');
    const copied = copiedFiles('stories').map((file) => vscode.Uri.joinPath(folder, file));
    files.push(...copied);
    for (const file of copied) assert.ok((await vscode.workspace.fs.stat(file)).size > 0, file.path);
    await writeFile(document.uri.fsPath, 'mine');
    await driver.command('GenEnv: Copy Domain to Workspace…');
    await driver.choose('stories');
    await driver.message('stories.domain.ts already exists');
    assert.equal(await readFile(document.uri.fsPath, 'utf8'), 'mine');
  });

  it('is what a new experiment asks for before it asks for a server', async () => {
    await begin('own-stories.genenv.json');
    await driver.command('GenEnv: New Experiment…');
    await driver.choose('Tasks of your own');
    await driver.choose('stories.domain.py');
    await driver.choose('Fill it in later');
    await driver.typeInto('New experiment', 'own stories');
    // A file that is to be written is unsaved before it has its text.
    const document = await until('it is open, with its text, unsaved', () =>
      vscode.workspace.textDocuments.find(
        (one) => one.isDirty && one.getText() !== '' && one.uri.path.endsWith('own-stories.genenv.json'),
      ),
    );
    const text = document.getText();
    assert.match(text, /"domain": \{\s+"file": "stories\.domain\.py"\s+\}/);
    assert.match(text, /"preset": "default"/);
    await driver.screenshot('own-experiment');
    files.push((await vscode.workspace.save(document.uri)) ?? assert.fail('it was not saved'));
  });
});
