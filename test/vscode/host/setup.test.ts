import assert from 'node:assert/strict';
import { readdir, rm, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { api } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('a GPU box, in the editor', () => {
  const folders: vscode.Uri[] = [];
  before(() => api());
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const folder of folders) await rm(folder.fsPath, { recursive: true });
  });

  it('is a folder of scripts and an experiment, and says what to run', async () => {
    const made = vscode.commands.executeCommand<vscode.Uri>('genenv.setUpBox');
    await driver.choose('SkyRL, a server for each policy');
    await driver.typeInto('GPU Box: Machine', 'you@gpu-machine');
    await driver.typeInto('GPU Box: GPUs', '8');
    await driver.typeInto('GPU Box: Memory', '80');
    await driver.typeInto('GPU Box: Model', 'Qwen/Qwen2.5-7B-Instruct');
    const folder = await made;
    folders.push(folder);
    const files = await readdir(folder.fsPath);
    assert.deepEqual(files.toSorted(), [
      ...['README.md', 'agent.json', 'check.sh', 'environment.json', 'gpu-box.genenv.json', 'install.sh', 'start.sh'],
      ...['stop.sh', 'tunnel.sh'],
    ]);
    assert.equal((await stat(vscode.Uri.joinPath(folder, 'start.sh').fsPath)).mode & 0o111, 0o111);
    const experiment = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'gpu-box.genenv.json'));
    assert.deepEqual(
      vscode.languages.getDiagnostics(experiment.uri).map(({ message }) => message),
      [],
    );
    await driver.screenshot('gpu-box');
  });
});
