/** Panels and the tree over a reload of the window: they come back, and say no more than they know. */
import assert from 'node:assert/strict';
import { runInto } from '../support/cliRun.ts';
import { uiSuite } from '../support/ui/uiSuite.ts';

describe('panels over a reload of the window', function () {
  this.timeout(180_000);
  const ui = uiSuite('restore', {
    prepare: async (folder) => {
      const small = ['epochs=2', 'generation.families=4', 'validation.tasks=40', 'environment.bufferEpochs=2'];
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=first');
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=second', 'seed=5');
    },
  });

  it('opens them', async () => {
    await ui.win.focusTree('Runs', /^Run second/);
    await ui.win.press('ArrowRight');
    await ui.win.treeItem(/^Epoch 2\b/).waitFor();
    await ui.win.press('ArrowDown', 'ArrowRight');
    await ui.win
      .treeItem(/famil(y|ies)$/)
      .first()
      .waitFor();
    await ui.win.command('GenEnv: Open Calibration');
    await ui.win.row('first').click();
    await (await ui.win.webview('calibration')).getByText('2 of 2 epochs').waitFor();
    await ui.win.openFile('embedded.genenv.json');
    await ui.win.command('GenEnv: Check Experiment');
    await (await ui.win.webview('preflight')).getByText('Everything passed').waitFor();
    await ui.win.command('GenEnv: Compare Runs…');
    for (const name of ['first', 'second']) await ui.win.row(name).click();
    await ui.win.press('Enter');
    const page = await ui.win.webview('compare');
    await page.getByText('95 % interval').waitFor();
    assert.deepEqual(await page.locator('.legend-name').allTextContents(), ['first', 'second'], 'the older one first');
    await page.getByRole('radio', { name: 'Tokens' }).check();
    await ui.win.reload();
  });

  it('the tree shows what was open in it', async () => {
    await ui.win.command('GenEnv: Focus on Runs View');
    await ui.win
      .treeItem(/famil(y|ies)$/)
      .first()
      .waitFor();
    assert.equal(await ui.win.treeItem(/^Epoch \d/).count(), 2, 'of the run that was open alone');
  });

  it('the calibration shows the same run', async () => {
    await ui.win.tab('Calibration: first').click();
    await (await ui.win.webview('calibration')).getByText('2 of 2 epochs').waitFor();
    await ui.win.tab('Compare').click();
  });

  it('the comparison shows the same runs, over the same axis', async () => {
    const page = await ui.win.webview('compare');
    await page.getByText('95 % interval').waitFor();
    assert.deepEqual(await page.locator('.legend-name').allTextContents(), ['first', 'second']);
    assert.ok(await page.getByRole('radio', { name: 'Tokens' }).isChecked());
  });

  it('the checklist asks to check again, and can then start', async () => {
    await ui.win.tab('Check: embedded.genenv.json').click();
    const page = await ui.win.webview('preflight');
    await page.getByText('The window was reloaded').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Start Run' }).isDisabled());
    await page.getByRole('button', { name: 'Check Again' }).click();
    await page.getByText('Everything passed').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Start Run' }).isEnabled());
  });
});
