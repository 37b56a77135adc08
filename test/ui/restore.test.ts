/** Panels over a reload of the window: they come back, and say no more than they know. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { runInto } from '../support/cliRun.ts';
import { startHost, type Host } from '../vscode/host.ts';
import type { Window } from '../vscode/window.ts';
import { demoWorkspace } from '../vscode/workspace.ts';

describe('panels over a reload of the window', function () {
  this.timeout(180_000);
  let folder: string;
  let host: Host | undefined;
  let win: Window;

  before(async () => {
    folder = await demoWorkspace();
    const small = ['epochs=2', 'generation.families=4', 'validation.tasks=40', 'environment.bufferEpochs=2'];
    await runInto(folder, 'embedded.genenv.json', ...small, 'name=first');
    await runInto(folder, 'embedded.genenv.json', ...small, 'name=second', 'seed=5');
    host = await startHost();
    win = await host.open({ folder });
  });

  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('opens them', async () => {
    await win.command('GenEnv: Open Calibration');
    await win.row('first').click();
    await (await win.webview('calibration')).getByText('2 of 2 epochs').waitFor();
    await win.openFile('embedded.genenv.json');
    await win.command('GenEnv: Check Experiment');
    await (await win.webview('preflight')).getByText('Everything passed').waitFor();
    await win.command('GenEnv: Compare Runs…');
    for (const name of ['first', 'second']) await win.row(name).click();
    await win.press('Enter');
    const page = await win.webview('compare');
    await page.getByText('95 % interval').waitFor();
    assert.deepEqual(await page.locator('.legend-name').allTextContents(), ['first', 'second'], 'the older one first');
    await page.getByRole('radio', { name: 'Tokens' }).check();
    await win.reload();
  });

  it('the calibration shows the same run', async () => {
    await win.tab('Calibration: first').click();
    await (await win.webview('calibration')).getByText('2 of 2 epochs').waitFor();
    await win.tab('Compare').click();
  });

  it('the comparison shows the same runs, over the same axis', async () => {
    const page = await win.webview('compare');
    await page.getByText('95 % interval').waitFor();
    assert.deepEqual(await page.locator('.legend-name').allTextContents(), ['first', 'second']);
    assert.ok(await page.getByRole('radio', { name: 'Tokens' }).isChecked());
  });

  it('the checklist asks to check again, and can then start', async () => {
    await win.tab('Check: embedded.genenv.json').click();
    const page = await win.webview('preflight');
    await page.getByText('The window was reloaded').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Start Run' }).isDisabled());
    await page.getByRole('button', { name: 'Check Again' }).click();
    await page.getByText('Everything passed').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Start Run' }).isEnabled());
  });
});
