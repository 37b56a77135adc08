/** Commands about a run, answered as a person answers them: picks, boxes, dialogs, notifications. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onlyRun } from '../support/runContents.ts';
import { startHost, type Host } from '../vscode/host.ts';
import type { Window } from '../vscode/window.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
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

/** A workspace with one finished run. */
async function workspace(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-ui-commands-'));
  await writeFile(join(folder, 'small.genenv.json'), JSON.stringify(experiment));
  const run = ['run', join(folder, 'small.genenv.json'), '--root', join(folder, '.genenv', 'runs')];
  await promisify(execFile)(process.execPath, [cli, ...run]);
  return folder;
}

describe('commands about a run', function () {
  this.timeout(300_000);
  let folder: string;
  let root: string;
  let host: Host | undefined;
  let win: Window;

  before(async () => {
    folder = await workspace();
    root = join(folder, '.genenv', 'runs');
    host = await startHost({ settings: { 'genenv.openCalibrationOnStart': false } });
    win = await host.open({ folder });
  });

  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('Make Report says where it is', async () => {
    const id = await onlyRun(root);
    await win.command('GenEnv: Make Report');
    await win.message('The report of “small” is made');
    assert.match(await readFile(join(root, id, 'report.html'), 'utf8'), /^<!doctype html>/i);
  });

  it('Rerun with Changes writes what differs from the preset beside the file, and opens it', async () => {
    await win.command('GenEnv: Rerun with Changes');
    await win.tab('small-2.genenv.json').waitFor();
    const written: unknown = JSON.parse(await readFile(join(folder, 'small-2.genenv.json'), 'utf8'));
    assert.deepEqual(written, { ...experiment, name: 'small 2' });
  });

  it('Branch from Epoch asks for the epoch and for changes, says what does not fit, and offers to go on', async () => {
    const [before = ''] = await readdir(root);
    await win.command('GenEnv: Branch from Epoch');
    await win.row('After epoch 1').click();
    const box = win.page.locator('.quick-input-widget');
    await box.locator('input').first().fill('curriculum.alpha=2');
    await box.locator('.quick-input-message').filter({ hasText: 'must be a number' }).waitFor();
    await win.type('curriculum.alpha=0.4, epochs=3');
    await win.answer('“small” was branched after epoch 1', 'Resume Now');
    await win.message('“small” is finished. All 3 epochs');
    const branch = (await readdir(root)).find((id) => id !== before && !id.startsWith('.')) ?? '';
    const manifest: unknown = JSON.parse(await readFile(join(root, branch, 'run.json'), 'utf8'));
    assert.partialDeepStrictEqual(manifest, {
      parent: { run: before, epoch: 1 },
      experiment: { epochs: 3, curriculum: { alpha: 0.4 } },
    });
  });

  it('Delete Run asks, and asks again where there is no trash', async () => {
    const dialog = win.page.locator('.monaco-dialog-box');
    const ids = await readdir(root);
    await win.command('GenEnv: Delete Run');
    await win.row('epoch 3/3').click();
    await dialog.filter({ hasText: 'with all its traces and checkpoints' }).waitFor();
    await dialog.locator('.monaco-button').filter({ hasText: 'Cancel' }).click();
    assert.deepEqual(await readdir(root), ids);
    await win.command('GenEnv: Delete Run');
    await win.row('epoch 3/3').click();
    await dialog.locator('.monaco-button').filter({ hasText: 'Move to Trash' }).click();
    await dialog.locator('.monaco-button').filter({ hasText: 'Delete for Good' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await win.command('GenEnv: Open Run Folder');
    await win.page.locator('.explorer-folders-view').getByText('run.json').waitFor();
    await onlyRun(root);
  });

  it('Open Experiment of Run finds its file, or says that it is gone and writes it again', async () => {
    await win.command('GenEnv: Open Experiment of Run');
    await win.tab('small.genenv.json').waitFor();
    await rm(join(folder, 'small.genenv.json'));
    await win.command('GenEnv: Open Experiment of Run');
    await win.answer('“small.genenv.json” that “small” was started from is gone', 'Write It Again');
    await win.tab('small-3.genenv.json').waitFor();
    assert.ok(existsSync(join(folder, 'small-3.genenv.json')));
  });
});

describe('a folder that nobody has trusted', function () {
  this.timeout(300_000);
  let folder: string;
  let host: Host | undefined;
  let win: Window;

  before(async () => {
    folder = await workspace();
    host = await startHost({ trust: true });
    win = await host.open({ folder });
  });

  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shows its runs, starts none, says why, and leads to where it is trusted', async () => {
    await win.command('GenEnv: Focus on Runs View');
    await win.treeItem(/small, finished/).waitFor();
    await win.command('GenEnv: Start Run');
    await win.answer('This folder is in Restricted Mode', 'Manage Workspace Trust');
    await win.page.locator('.workspace-trust-editor').waitFor();
    await onlyRun(join(folder, '.genenv', 'runs'));
    assert.ok(!existsSync(join(folder, 'demo.genenv.json')));
  });
});
