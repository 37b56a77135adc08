/** The experiment form in the editor: one document, two views. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { api, experimentFile, workspaceFolder } from '../../support/host/api.ts';
import { pageSays } from '../../support/host/onScreen.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

const commented = `{
  // Why this study is made.
  "version": 1,
  "name": "a study",
  "preset": "embedded",
  "curriculum": {
    "alpha": 0.4 // below one half
  }
}
`;

describe('the experiment form, in the editor', function () {
  this.timeout(240_000);
  const files: string[] = [];

  async function experiment(text = commented): Promise<{ uri: vscode.Uri; document: vscode.TextDocument }> {
    const uri = vscode.Uri.joinPath(vscode.Uri.file(workspaceFolder()), `form-${randomUUID().slice(0, 8)}.genenv.json`);
    files.push(uri.fsPath);
    await writeFile(uri.fsPath, text);
    return { uri, document: await vscode.workspace.openTextDocument(uri) };
  }

  const open = async (uri: vscode.Uri): Promise<void> => {
    await vscode.commands.executeCommand('vscode.open', uri);
  };

  const diagnostics = (uri: vscode.Uri): vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'GenEnv');

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const file of files.splice(0)) await rm(file, { force: true });
  });

  it('opens by itself, and what is typed becomes one step in the text, comments kept', async () => {
    const { uri, document } = await experiment();
    await open(uri);
    await pageSays('experiment', /harder target|Target success rate/);
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputCustom);
    await driver.pageType('experiment', 'spinbutton', 'Target success rate', '0.65');
    await until('the text has the value', () => document.getText().includes('0.65'));
    assert.equal(document.getText(), commented.replace('0.4 //', '0.65 //'));
    assert.ok(document.isDirty);
    await vscode.commands.executeCommand('undo');
    await until('one undo takes it back', () => document.getText() === commented);
    await vscode.commands.executeCommand('redo');
    await until('redo brings it again', () => document.getText().includes('0.65'));
  });

  it('that is not UTF-8 says so in the Problems panel, also while it is open', async () => {
    const { uri } = await experiment();
    await writeFile(uri.fsPath, commented.replace('{', '{ // größer'), 'latin1');
    const [problem] = await until('its problem', () => {
      const found = diagnostics(uri);
      return found.some(({ message }) => message.includes('UTF-8')) && found;
    });
    assert.equal(problem?.message, 'The file cannot be read: it is not UTF-8. Save it as UTF-8.');
    assert.equal(problem.range.start.line, 0);
  });

  it('steps with the arrow keys and moves the drawing with each', async () => {
    const { uri, document } = await experiment();
    await open(uri);
    await pageSays('experiment', /solves 40 % of the time/);
    const keys = Array.from({ length: 5 }, () => 'ArrowUp');
    await driver.pagePress('experiment', 'spinbutton', 'Target success rate', ...keys);
    await pageSays('experiment', /solves 45 % of the time/);
    await until('the text has the last value', () => document.getText().includes('"alpha": 0.45'));
    // One step where the keys came quickly; a slow machine may have paused between them.
    await until('undo takes the burst back', async () => {
      await vscode.commands.executeCommand('undo');
      return document.getText() === commented;
    });
    await pageSays('experiment', /solves 40 % of the time/);
  });

  it('saves what was typed a moment before', async () => {
    const { uri, document } = await experiment();
    await open(uri);
    await pageSays('experiment', /Target success rate/);
    await driver.pageType('experiment', 'textbox', 'Name', 'renamed');
    await driver.pagePress('experiment', 'textbox', 'Name', 'ControlOrMeta+S');
    await until('it is saved', async () => (await readFile(uri.fsPath, 'utf8')).includes('renamed'));
    assert.match(await readFile(uri.fsPath, 'utf8'), /"name": "renamed"/);
    await until('nothing is left to save', () => !document.isDirty);
  });

  it('adds a field that the file left out, and takes it out again when it is reset', async () => {
    const { uri, document } = await experiment();
    await open(uri);
    await pageSays('experiment', /Target success rate/);
    await driver.pageType('experiment', 'spinbutton', 'Band half width', '0.1');
    await until('the text has it', () => document.getText().includes('"kMin": 0.1'));
    assert.equal(
      document.getText(),
      commented.replace('0.4 // below one half', '0.4, // below one half\n    "kMin": 0.1'),
    );
    await driver.pageButton('experiment', 'Reset Band half width to the preset’s 0.25');
    await until('it is gone', () => document.getText() === commented);
  });

  it('follows edits made outside', async () => {
    const { uri } = await experiment();
    await open(uri);
    await pageSays('experiment', /solves 40 % of the time/);
    await writeFile(uri.fsPath, commented.replace('0.4 //', '0.3 //'));
    await pageSays('experiment', /solves 30 % of the time/);
  });

  it('says where a text is broken, changes nothing in it, and comes back', async () => {
    const { uri, document } = await experiment(commented.replace('"alpha": 0.4', '"alpha" 0.4'));
    await open(uri);
    await pageSays('experiment', /cannot be shown as a form/);
    await pageSays('experiment', /line 7/);
    assert.equal(document.isDirty, false);
    await driver.pageButton('experiment', 'Open as Text');
    await until('the text is shown', () => vscode.window.activeTextEditor?.document.uri.path === uri.path);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), commented);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await vscode.commands.executeCommand('genenv.openAsForm', uri);
    await pageSays('experiment', /solves 40 % of the time/);
  });

  it('tells problems at their line, mends them, and forgets them with the file', async () => {
    const { uri, document } = await experiment(commented.replace('"alpha": 0.4', '"alhpa": 0.4'));
    await until('there is a problem', () => diagnostics(uri).length === 1);
    const [problem] = diagnostics(uri);
    assert.ok(problem);
    assert.equal(document.getText(problem.range), '"alhpa"');
    assert.match(problem.message, /Unknown field "alhpa".*Did you mean "alpha"/);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      problem.range,
    );
    const [rename] = actions.filter(({ title }) => title === 'Rename to “alpha”');
    assert.ok(rename?.edit);
    assert.ok(await vscode.workspace.applyEdit(rename.edit));
    assert.equal(document.getText(), commented);
    await until('it is gone', () => diagnostics(uri).length === 0);
    await document.save();
    await writeFile(uri.fsPath, '{');
    await until('a malformed file is told', () => diagnostics(uri).length === 1);
    await rm(uri.fsPath);
    await until('a deleted file has no problems', () => diagnostics(uri).length === 0);
  });

  it('offers what can be done above the text', async () => {
    const { uri } = await experiment();
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      [
        '$(play) Start Run',
        '$(checklist) Check',
        '$(symbol-parameter) Open as Form',
        'α · Target success rate · preset “embedded”: 0.5 · paper: 0.5',
      ],
    );
  });

  it('knows the run that was started from it, and changes that from its next phase', async () => {
    const parts = await api();
    const { experiment: settings, file } = await experimentFile('steered', { epochs: 500 });
    files.push(file.fsPath);
    const dir = await parts.service.start({ experiment: settings, file });
    try {
      await open(file);
      await pageSays('experiment', /Run “steered” has finished epoch \d+ of 500\. It uses the settings of this form\./);
      await driver.pageType('experiment', 'spinbutton', 'Target success rate', '0.62');
      await pageSays('experiment', /α 0\.5 → 0\.62 from the next scoring/);
      await driver.pageButton('experiment', 'Apply to the Run');
      const followed = await parts.catalog.follow(dir);
      await until('the run goes by it', () => followed.experiment.curriculum.alpha === 0.62);
      followed.dispose();
      await pageSays('experiment', /It uses the settings of this form\./);
    } finally {
      await parts.service.stop(dir);
    }
  });

  it('says in the text what the form says', async () => {
    const { uri, document } = await experiment();
    await vscode.window.showTextDocument(document);
    const line = commented.split('\n').findIndex((text) => text.includes('"alpha"'));
    await until('hovering α tells of it', async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        uri,
        new vscode.Position(line, 8),
      );
      const texts = hovers.flatMap(({ contents }) =>
        contents.map((one) => (one instanceof vscode.MarkdownString ? one.value : '')),
      );
      return texts.some((text) => /at which the environment is rewarded most.*Paper: 0.*5/.test(text));
    });
  });

  it('makes a new experiment from a template, and opens its form', async () => {
    const made = vscode.commands.executeCommand('genenv.newExperiment');
    await driver.choose('Embedded demo');
    await driver.choose('Environment never trained');
    await driver.type('Never Trained');
    await made;
    const uri = vscode.Uri.joinPath(vscode.Uri.file(workspaceFolder()), 'never-trained.genenv.json');
    await pageSays('experiment', /Mode “random” does not train the environment/);
    await assert.rejects(readFile(uri.fsPath));
    await vscode.workspace.save(uri.with({ scheme: 'untitled' }));
    files.push(uri.fsPath);
    assert.match(
      await readFile(uri.fsPath, 'utf8'),
      /"name": "Never Trained",\n {2}"preset": "embedded",\n {2}"mode": "random"/,
    );
    await pageSays('experiment', /Mode “random” does not train the environment/);
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputCustom);
    assert.equal(activeTab.input.uri.path, uri.path);
  });
});
