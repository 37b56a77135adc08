/** Studies in a real VS Code: the commands are there, and a study file opens its page. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/until.ts';

describe('studies in the editor', () => {
  it('a study file has its lens, and its results open as a page', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder is open');
    const uri = vscode.Uri.joinPath(folder, 'tiny.study.json');
    const study = {
      ...{ version: 1, name: 'tiny', base: 'embedded.genenv.json', seeds: [1, 2], budget: { rollouts: 5120 } },
      arms: { genenv: {}, random: { mode: 'random' } },
    };
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(study)));
    try {
      await vscode.window.showTextDocument(uri);
      await eventually(async () => {
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
        assert.ok(lenses.some(({ command }) => command?.command === 'genenv.openStudyResults'));
      });
      assert.ok((await vscode.commands.getCommands(true)).includes('genenv.exportStudyReport'));
      await vscode.commands.executeCommand('genenv.openStudyResults', uri);
      await eventually(async () => {
        const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
        assert.ok((await Promise.resolve(labels)).includes('tiny'), labels.join(', '));
      });
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(uri);
    }
  });
});
