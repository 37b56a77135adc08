/** Studies in a real VS Code: the commands are there, and a study file opens its page. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { basename, join } from 'node:path';
import { openStudy } from '../../../src/features/study/node/openStudy.ts';
import { api, experimentFile, landing, workspaceFolder } from '../../support/host/api.ts';
import { pageSays } from '../../support/host/onScreen.ts';
import { eventually, until } from '../../support/until.ts';
import { driver } from '../driver.ts';

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

  it('Run Study reports a missing file of an arm before anything starts, with a button that opens the arm', async () => {
    const uri = vscode.Uri.file(join(workspaceFolder(), 'lacking.study.json'));
    const study = {
      ...{ version: 1, name: 'lacking', base: 'embedded.genenv.json', seeds: [1, 2], budget: { rollouts: 5120 } },
      arms: { genenv: {}, mine: { 'reward.file': 'gone.reward.js' } },
    };
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(study, null, 2)));
    try {
      void vscode.commands.executeCommand('genenv.runStudy', uri);
      await driver.answer('In the arm "mine": There is no file', 'Open File');
      const editor = await until('the study is open as text', () =>
        vscode.window.activeTextEditor?.document.uri.fsPath === uri.fsPath ? vscode.window.activeTextEditor : undefined,
      );
      assert.match(editor.document.lineAt(editor.selection.active.line).text, /gone\.reward\.js/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('New Study opens the form, in which three curricula and nine seeds are a few clicks', async () => {
    const file = vscode.Uri.file(join(workspaceFolder(), 'for-a-study.genenv.json'));
    const base = { version: 1, name: 'for a study', preset: 'embedded' };
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(base)));
    const made = await newStudy(file);
    try {
      await pageSays('studyForm', /Still to choose: ?what the arms differ in/);
      await driver.pageButton('studyForm', 'Curricula');
      await driver.pageType('studyForm', 'spinbutton', 'How many', '9');
      await pageSays('studyForm', /3 arms × 9 seeds = 27 runs .*Nothing is missing: the study can run/);
      await driver.screenshot('study-form');
      await until('the text has it', () => made.document().getText().includes('"random"'));
      assert.equal(made.document().uri.scheme, 'untitled');
      assert.equal(await isThere(made.document().uri), false);
      const saved = await vscode.workspace.save(made.document().uri);
      assert.equal(saved?.scheme, 'file');
      await until('the form shows the file', () => studyTab()?.scheme === 'file');
      const { plan } = await openStudy(workspaceFolder(), made.name());
      assert.equal(plan.members.length, 27);
      await driver.pageButton('studyForm', 'Run Study');
      await driver.message('3 arms × 9 seeds = 27 runs');
      await driver.pageButton('studyForm', 'Open as Text');
      // The form is closed after the text is shown, and would be found again before.
      await until(
        'the text is in its place',
        () => tabsOf(vscode.Uri.file(made.name())).length === 1 && studyTab() === undefined,
      );
      await vscode.commands.executeCommand('genenv.openAsForm');
      await until('the form is back', () => studyTab() !== undefined);
    } finally {
      await made.remove();
      await vscode.workspace.fs.delete(file);
    }
  });

  it('New Study leaves nothing behind when it is closed, and is saved by Run Study', async () => {
    const file = await experimentFile('given-up', { name: 'given up' });
    const given = await newStudy(file.file);
    await pageSays('studyForm', /Still to choose: ?what the arms differ in/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('it is closed', () => studyTab() === undefined);
    assert.equal(await isThere(vscode.Uri.file(given.name())), false);
    const made = await newStudy(file.file);
    try {
      assert.equal(made.name(), given.name());
      await driver.pageButton('studyForm', 'Curricula');

      await driver.pageButton('studyForm', 'Run Study');
      await driver.message('3 arms × 8 seeds = 24 runs');
      await until('the form shows the file', () => studyTab()?.scheme === 'file');
      await pageSays('studyForm', /3 arms × 8 seeds = 24 runs/);
    } finally {
      await made.remove();
      await vscode.workspace.fs.delete(file.file);
    }
  });

  it('New Study of a run has its experiment as the base, and tells time at its pace', async () => {
    const parts = await api();
    const name = 'before a study';
    const started = await experimentFile('before-a-study', { name, epochs: 1 });
    const dir = await parts.service.start(started);
    await landing(parts, dir);
    const made = await newStudy({ run: dir });
    try {
      await driver.pageButton('studyForm', 'Difficulty α');
      await pageSays('studyForm', /3 arms × 8 seeds = 24 runs .*at the pace of “before a study”/);
      await until('its base is named', () =>
        made.document().getText().includes('"base": "before-a-study.genenv.json"'),
      );
      await vscode.commands.executeCommand('vscode.open', started.file);
      await pageSays('experiment', /rollouts an epoch, .*about .* at the pace of “before a study”/);
    } finally {
      await made.remove();
      await vscode.workspace.fs.delete(started.file);
    }
  });

  it('New Study of a run whose file has changed since has a base of its own, written with the study alone', async () => {
    const parts = await api();
    const name = 'changed since';
    const started = await experimentFile('changed-since', { name, epochs: 1, curriculum: { kMin: 0.2 } });
    const dir = await parts.service.start(started);
    await landing(parts, dir);
    await experimentFile('changed-since', { name, epochs: 1, curriculum: { kMin: 0.3 } });
    const base = vscode.Uri.file(join(workspaceFolder(), 'changed-since-2.genenv.json'));
    const given = await newStudy({ run: dir });
    await pageSays('studyForm', /Still to choose: ?what the arms differ in/);
    await until('its base is named', () =>
      given.document().getText().includes('"base": "changed-since-2.genenv.json"'),
    );
    await driver.screenshot('study-of-changed');
    assert.deepEqual([await isThere(base), await isThere(vscode.Uri.file(given.name()))], [false, false]);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('it is closed', () => studyTab() === undefined);
    assert.deepEqual([await isThere(base), await isThere(vscode.Uri.file(given.name()))], [false, false]);

    // The base goes with the study that it was made for, unless a person has changed it.
    await until('its base is closed', () => openDocument(base) === undefined);
    assert.deepEqual(tabsOf(base), []);

    const changed = await newStudy({ run: dir });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(base.with({ scheme: 'untitled' }), new vscode.Position(0, 0), ' ');
    await vscode.workspace.applyEdit(edit);
    await shown();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('it is closed', () => openDocument(vscode.Uri.file(changed.name())) === undefined);
    const next = vscode.Uri.file(join(workspaceFolder(), 'changed-since-3.genenv.json'));
    const made = await newStudy({ run: dir });
    try {
      await driver.pageButton('studyForm', 'Difficulty α');
      await pageSays('studyForm', /3 arms × 8 seeds = 24 runs .*at the pace of “changed since”/);
      await until('the text has it', () => made.document().getText().includes('curriculum.alpha'));
      await driver.pageButton('studyForm', 'Open Experiment');
      await pageSays('experiment', /rollouts an epoch, .*at the pace of “changed since”/);
      assert.equal(await isThere(next), false);
      await vscode.workspace.save(made.document().uri);
      // The editor makes the file first, and writes it then.
      await until('its base is written', async () => (await isThere(next)) && (await textOf(next)) !== '');
      assert.equal(await isThere(base), false);
      const { plan } = await openStudy(workspaceFolder(), made.name());
      assert.deepEqual([plan.members.length, plan.arms[0]?.experiment.curriculum.kMin], [24, 0.2]);
    } finally {
      await vscode.workspace.save(base.with({ scheme: 'untitled' }));
      await made.remove();
      await vscode.workspace.fs.delete(started.file);
      await vscode.workspace.fs.delete(next);
      await vscode.workspace.fs.delete(base);
    }
  });
});

const studyTab = (): vscode.Uri | undefined => {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === 'genenv.studyForm' ? input.uri : undefined;
};

const shown = () => until('its form is shown', () => studyTab());

const openDocument = (file: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.scheme === 'untitled' && !isClosed && basename(uri.path) === basename(file.path),
  );

const tabsOf = (file: vscode.Uri): unknown[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs.map(({ label }) => label))
    .filter((label) => label === basename(file.path));

const isThere = async (uri: vscode.Uri): Promise<boolean> =>
  (await vscode.workspace.findFiles(basename(uri.path))).length > 0;

const textOf = async (uri: vscode.Uri): Promise<string> =>
  new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));

async function newStudy(of: unknown) {
  await vscode.commands.executeCommand('genenv.newStudy', of);
  const { path } = await shown();
  const document = (): vscode.TextDocument =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.path === path) ?? assert.fail('it is not open');
  return {
    document,
    name: () => basename(path),
    remove: async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      await vscode.workspace.save(document().uri);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(vscode.Uri.file(path));
    },
  };
}
