import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import type { RunWriter } from '../../../src/runs/store/runWriter.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { api, experimentFile, shown, workspaceFolder } from '../../support/host/api.ts';
import { pageSays, rows } from '../../support/host/onScreen.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

const said = 'Looking at the shelf.\n\n  The Walrus waits\nfor nobody.';

describe('searching traces', () => {
  let parts: GenEnvApi;
  let writer: RunWriter;
  let run: RunDir;

  before(async () => {
    parts = await api();
    const { experiment } = await experimentFile('searched');
    const deps = { clock: { now: () => Date.now() }, log: { info: () => undefined, warn: () => undefined } };
    writer = await new RunStore(join(workspaceFolder(), '.genenv', 'runs'), { ...deps, version: 'test' }).create({
      experiment,
    });
    run = writer.dir;
    await writer.session({ type: 'started' });
    await writer.appendTasks([makeTask({ prompt: [{ role: 'user', content: 'where is the walrus?' }] })]);
    await writer.appendTraces([
      makeTrace({ id: 'e1/e1.f0.v0/r0' }),
      makeTrace({
        id: 'e1/e1.f0.v0/r1',
        verdict: { success: false, reward: 0.25, valid: true },
        messages: [
          { role: 'assistant', content: 'first', reasoning: 'A walrus\nor two walruses' },
          { role: 'tool', name: 'shelf', content: 'empty' },
          { role: 'assistant', content: said },
        ],
      }),
    ]);
    await parts.catalog.refresh();
    await shown(parts, run, () => true);
  });

  after(async () => {
    await vscode.commands.executeCommand('genenv.clearSearch');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await writer.close();
  });

  const selected = async (text: string): Promise<vscode.TextEditor> =>
    until(`“${text}” selected`, () => {
      const editor = vscode.window.activeTextEditor;
      return editor !== undefined && editor.document.getText(editor.selection) === text && editor;
    });

  it('asks for a query, says what of it cannot be read, and shows what was found as a tree', async () => {
    const asked = vscode.commands.executeCommand('genenv.searchTraces', { run, query: 'verdict:fail walrus' });
    await driver.choose('Search for verdict:fail walrus');
    await asked;
    const found = await rows((text) => text.includes('A walrus or two walruses'));
    assert.match(found, /Epoch 1[\s\S]*e1\.f0\.v0[\s\S]*r1[\s\S]*failed 0\.25/);
    await driver.screenshot('search-tree');
    await vscode.commands.executeCommand('genenv.search.focus');
    // The run, its epoch, the task, the attempt, two matches in what it thought.
    await driver.press('tree', 'Home', ...Array.from({ length: 6 }, () => 'ArrowDown'), 'Enter');
    const editor = await selected('Walrus');
    assert.match(editor.document.uri.path, /e1\.f0\.v0 r1 · e1/);
    assert.match(editor.document.lineAt(editor.selection.active.line).text, /^ {4}The Walrus waits$/);
  });

  it('finds in the prompts of tasks too, and what a run that goes on has by now', async () => {
    await writer.appendTraces([
      makeTrace({ id: 'e2/e1.f0.v0/r0', epoch: 2, messages: [{ role: 'assistant', content: 'Another walrus.' }] }),
    ]);
    const asked = vscode.commands.executeCommand('genenv.searchTraces', { run, query: 'walrus' });
    await driver.choose('Search for walrus');
    await asked;
    await rows((text) => text.includes('Another walrus.turn 1') && text.includes('2 traces · 1 task'));
  });

  it('lists it in an editor tab', async () => {
    await vscode.commands.executeCommand('genenv.openSearchPage');
    await pageSays('search', /2 traces · 1 task.*in “searched”.*The Walrus waits/);
    await driver.screenshot('search-page');
  });

  it('opens the attempt whose agent read the words, where the task has others', async () => {
    const asked = [{ role: 'user' as const, content: 'Answer in a box.\nWhere is the lobster?' }];
    await writer.appendTraces([makeTrace({ id: 'e3/e1.f0.v0/r0', epoch: 3, asked })]);
    const searching = vscode.commands.executeCommand('genenv.searchTraces', { run, query: 'lobster' });
    await driver.choose('Search for lobster');
    await searching;
    await rows((text) => text.includes('0 traces · 1 task'));
    await vscode.commands.executeCommand('genenv.search.focus');
    // The run, its epoch, the task, the prompt, its match.
    await driver.press('tree', 'Home', ...Array.from({ length: 4 }, () => 'ArrowDown'), 'Enter');
    const editor = await selected('lobster');
    assert.match(editor.document.uri.path, /e1\.f0\.v0 r0 · e3/);
  });
});
