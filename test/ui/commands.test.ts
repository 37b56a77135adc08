/** Commands about a run, answered as a person answers them: picks, boxes, dialogs, notifications. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInto } from '../support/cliRun.ts';
import { onlyRun } from '../support/runContents.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';

const experiment = {
  version: 1,
  name: 'small',
  preset: 'embedded',
  seed: 5,
  epochs: 2,
  generation: { families: 3, variations: 2 },
  rollouts: { group: 4 },
  validation: { tasks: 20 },
};

/** One finished run. */
async function prepare(folder: string): Promise<void> {
  await writeFile(join(folder, 'small.genenv.json'), JSON.stringify(experiment));
  await runInto(folder, 'small.genenv.json');
}

describe('commands about a run', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('commands', { prepare, settings: { 'genenv.openCalibrationOnStart': false } });
  let root: string;

  before(() => {
    root = join(ui.folder, '.genenv', 'runs');
  });

  it('Make Report says where it is, and shows it in a tab that leads back to a trace, also after a reload', async () => {
    const id = await onlyRun(root);
    await ui.win.command('GenEnv: Make Report');
    await ui.win.message('The report of “small” is made');
    await eventually(async () =>
      assert.match(await readFile(join(root, id, 'report.html'), 'utf8'), /^<!doctype html>/i),
    );
    const tab = ui.win.tab('Report: small');
    for (const again of [false, true]) {
      if (again) await ui.win.reload();
      await tab.click();
      const page = await ui.win.frameWith('#samples');
      const trace = page
        .locator('.samples:not([hidden]) .sample[open] .place')
        .filter({ hasText: /\/r\d+$/ })
        .first();
      const name = (await trace.innerText()).replace(/^e\d+\/(.*)\/(r\d+)$/, '$1 $2');
      if (again) await ui.win.screenshot(shotPath('report-tab'));
      await trace.click();
      await ui.win.tab(name).waitFor();
    }
    // Another page in its place is not shown to the browser, which gets it from a server's machine by an address.
    const file = join(root, id, 'report.html');
    await writeFile(file, 'of someone else');
    await tab.click();
    const browser = ui.win.page.context().waitForEvent('page');
    await ui.win.page.getByRole('button', { name: 'Open Report in Browser' }).click();
    const address = new URL((await browser).url());
    const [, port = '', place = ''] = /^\/proxy\/(\d+)(\/[\w-]{32}\/)$/.exec(address.pathname) ?? [];
    const served = await (await fetch(`http://127.0.0.1:${port}${place}`)).text();
    assert.match(served, /^<!doctype html>/i);
    const made = await readFile(file, 'utf8');
    assert.equal(served, made);
    await (await browser).close();
    await ui.win.command('View: Close All Editors');
  });

  it('Rerun with Changes writes what differs from the preset beside the file, and opens it', async () => {
    await ui.win.command('GenEnv: Rerun with Changes');
    await ui.win.tab('small-2.genenv.json').waitFor();
    const written: unknown = JSON.parse(await readFile(join(ui.folder, 'small-2.genenv.json'), 'utf8'));
    assert.deepEqual(written, { ...experiment, name: 'small 2' });
    const form = await ui.win.webview('experiment');
    await form.getByRole('button', { name: 'Rerun with These Values' }).waitFor();
  });

  it('Branch from Epoch opens the form of the run’s settings, says what does not fit, and continues the branch', async () => {
    const [before = ''] = await readdir(root);
    await ui.win.command('GenEnv: Branch from Epoch');
    await ui.win.tab('small-branch-1.genenv.json').waitFor();
    const form = await ui.win.webview('experiment');
    const banner = form.getByRole('region', { name: 'Branch of a run' });
    await banner.getByLabel('Epoch to branch after').selectOption('1');
    const alpha = form.getByRole('spinbutton', { name: 'Target success rate', exact: true });
    const make = banner.getByRole('button', { name: 'Branch with These Values' });
    await alpha.fill('2');
    await banner.getByText('The form has errors.').waitFor();
    await eventually(async () => assert.ok(await make.isDisabled()));
    await alpha.fill('0.4');
    await form.getByRole('spinbutton', { name: 'Epochs', exact: true }).fill('3');
    await banner.getByText('2 settings differ.').waitFor();
    await make.click();
    await ui.win.message('“α 0.4 · epochs 3 · from epoch 1” is finished. All 3 epochs');
    // Its page takes the focus when it is there, which would close the next list.
    await (await ui.win.webview('calibration')).getByText('epoch 3/3').waitFor();
    const branch = (await readdir(root)).find((id) => id !== before && !id.startsWith('.')) ?? '';
    const manifest: unknown = JSON.parse(await readFile(join(root, branch, 'run.json'), 'utf8'));
    assert.partialDeepStrictEqual(manifest, {
      parent: { run: before, epoch: 1 },
      experiment: { epochs: 3, curriculum: { alpha: 0.4 } },
    });
  });

  it('Delete Run asks, and asks again where there is no trash', async () => {
    const dialog = ui.win.page.locator('.monaco-dialog-box');
    const ids = await readdir(root);
    await ui.win.command('GenEnv: Delete Run');
    await ui.win.row('epoch 3/3').click();
    await dialog.filter({ hasText: 'with all its traces and checkpoints' }).waitFor();
    await dialog.locator('.monaco-button').filter({ hasText: 'Cancel' }).click();
    await eventually(async () => assert.deepEqual(await readdir(root), ids));
    await ui.win.command('GenEnv: Delete Run');
    await ui.win.row('epoch 3/3').click();
    await dialog.locator('.monaco-button').filter({ hasText: 'Move to Trash' }).click();
    await dialog.locator('.monaco-button').filter({ hasText: 'Delete for Good' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await ui.win.command('GenEnv: Open Run Folder');
    await ui.win.page.locator('.explorer-folders-view').getByText('run.json').waitFor();
    await onlyRun(root);
  });

  it('Open Experiment of Run finds its file, or says that it is gone and writes it again', async () => {
    await ui.win.command('GenEnv: Open Experiment of Run');
    await ui.win.tab('small.genenv.json').waitFor();
    await rm(join(ui.folder, 'small.genenv.json'));
    await ui.win.command('GenEnv: Open Experiment of Run');
    await ui.win.answer('“small.genenv.json” that “small” was started from is gone', 'Write It Again');
    await ui.win.tab('small-3.genenv.json').waitFor();
    assert.ok(existsSync(join(ui.folder, 'small-3.genenv.json')));
  });
});

describe('a folder that nobody has trusted', function () {
  this.timeout(300_000);
  const ui = uiSuite('commands-untrusted', { prepare, trust: true });

  it('shows its runs, starts none, says why, and leads to where it is trusted', async () => {
    await ui.win.command('GenEnv: Focus on Runs View');
    await ui.win.treeItem(/small, finished/).waitFor();
    await ui.win.command('GenEnv: Start Run');
    await ui.win.answer('This folder is in Restricted Mode', 'Manage Workspace Trust');
    await ui.win.page.locator('.workspace-trust-editor').waitFor();
    await onlyRun(join(ui.folder, '.genenv', 'runs'));
    assert.ok(!existsSync(join(ui.folder, 'demo.genenv.json')));
  });
});
