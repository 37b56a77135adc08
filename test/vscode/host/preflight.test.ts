import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { api, experimentFile, landing, next, workspaceFolder } from '../../support/host/api.ts';
import { pageSays } from '../../support/host/onScreen.ts';
import { driver } from '../driver.ts';

const panels = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('genenv.preflight'));

async function withoutPanels(): Promise<void> {
  while (panels().length > 0) await next(vscode.window.tabGroups.onDidChangeTabs);
}

/** Less than a minibatch, and fewer epochs than the buffer holds, would be warned of. */
const calm = { agent: { minibatch: 8 }, environment: { bufferEpochs: 2 } };

describe('the checks before a run, in the editor', () => {
  let parts: GenEnvApi;
  const settings = () => vscode.workspace.getConfiguration('genenv');

  before(async () => {
    parts = await api();
    await settings().update('openCalibrationOnStart', false);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await settings().update('startWhenChecksPass', undefined);
  });
  after(async () => {
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
    await settings().update('openCalibrationOnStart', undefined);
  });

  /** The run that starts next, once it has ended. */
  async function startsAndEnds(act: () => unknown): Promise<RunDir> {
    const began = next(parts.service.onDidChangeActive, () => parts.service.active.size > 0);
    await act();
    await began;
    const [dir] = parts.service.active.keys();
    assert.ok(dir);
    await landing(parts, dir);
    return dir;
  }

  it('start a run by themselves when all pass, and leave no panel behind', async () => {
    const { file } = await experimentFile('passes', calm);
    const dir = await startsAndEnds(() => vscode.commands.executeCommand('genenv.startRun', file));
    assert.match(await readFile(join(dir, 'run.json'), 'utf8'), /"name": "passes"/);
    await withoutPanels();
  });

  it('wait for the button when the setting says so', async () => {
    await settings().update('startWhenChecksPass', false);
    const { file } = await experimentFile('waits', calm);
    const asked = vscode.commands.executeCommand('genenv.startRun', file);
    await pageSays('preflight', /Everything passed/);
    assert.equal(parts.service.active.size, 0);
    await driver.screenshot('preflight-ready');
    await startsAndEnds(() => driver.pageButton('preflight', 'Start Run'));
    await asked;
    await withoutPanels();
  });

  it('start the demo despite warnings and show them; any other run waits for the button', async () => {
    // More than a minibatch has, and more epochs than the run, are both warned of.
    const { file } = await experimentFile('demo');
    const dir = await startsAndEnds(() => vscode.commands.executeCommand('genenv.runDemo'));
    assert.match(await readFile(join(dir, 'run.json'), 'utf8'), /"name": "demo"/);
    assert.match(await driver.message('demo.genenv.json:'), /minibatch/);
    const asked = vscode.commands.executeCommand('genenv.startRun', file);
    await pageSays('preflight', /run can start/);
    assert.equal(parts.service.active.size, 0);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await asked;
  });

  it('show what failed, open it at its field, and start once it is mended', async () => {
    const path = join(workspaceFolder(), 'broken.genenv.json');
    const text = JSON.stringify(
      {
        preset: 'embedded',
        curriculum: { alpha: 2 },
        epochs: 1,
        environment: { bufferEpochs: 1 },
        validation: { every: 0 },
      },
      null,
      2,
    );
    await writeFile(path, text);
    const asked = vscode.commands.executeCommand('genenv.startRun', vscode.Uri.file(path));
    const shown = await pageSays('preflight', /One check failed/);
    assert.match(shown, /curriculum\.alpha\) is 2/);
    const opened = next(vscode.window.onDidChangeActiveTextEditor, (editor) => editor?.document.fileName === path);
    await driver.pageButton('preflight', 'broken.genenv.json:4');
    const editor = await opened;
    assert.equal(editor?.selection.start.line, 3);
    assert.equal(editor.document.getText(editor.selection), '2');
    await driver.screenshot('preflight-failed');
    // Typed, not saved: what is checked is what is on screen.
    assert.ok(await editor.edit((edit) => edit.replace(editor.selection, '0.4')));
    await settings().update('startWhenChecksPass', false);
    await driver.pageButton('preflight', 'Check Again');
    await pageSays('preflight', /run can start/);
    const dir = await startsAndEnds(() => driver.pageButton('preflight', 'Start Run'));
    await asked;
    assert.match(await readFile(join(dir, 'run.json'), 'utf8'), /"alpha": 0\.4/);
  });

  it('answer a closed checklist with no run', async () => {
    await settings().update('startWhenChecksPass', false);
    const { file } = await experimentFile('closed', calm);
    const asked = vscode.commands.executeCommand('genenv.startRun', file);
    await pageSays('preflight', /Everything passed/);
    const before = parts.catalog.runs.length;
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await asked;
    assert.equal(parts.service.active.size, 0);
    assert.equal(parts.catalog.runs.length, before);
  });

  it('can be made without a start, which is then one click away', async () => {
    const { file } = await experimentFile('looked', calm);
    await vscode.commands.executeCommand('genenv.checkExperiment', file);
    const text = await pageSays('preflight', /Everything passed/);
    assert.match(text, /about \S+( \S+)? tokens/);
    await startsAndEnds(() => driver.pageButton('preflight', 'Start Run'));
    await withoutPanels();
  });
});
