/** Every view of the packaged extension in every kind of theme: whole, legible, and nothing broken in it. */
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { runInto } from '../support/cliRun.ts';
import { eventually } from '../support/until.ts';
import { pressAt } from '../support/focus.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { themes } from '../vscode/settings.ts';

const small = ['epochs=6', 'generation.families=6', 'validation.tasks=60'];

describe('every view in every theme', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('views', {
    packaged: true,
    viewport: { width: 1500, height: 1000 },
    prepare: async (folder) => {
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=first');
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=second', 'curriculum.alpha=0.4');
    },
  });

  it('opens them all by the keyboard', async () => {
    await ui.win.command('GenEnv: Open Calibration');
    await ui.win.row('first').waitFor();
    await pressAt(ui.win.quickInput, 'Enter');
    await (await ui.win.webview('calibration')).getByText(/Mean p̂ was/).waitFor();
    await ui.win.openFile('embedded.genenv.json');
    const form = await ui.win.webview('experiment');
    await form.locator('[data-field="curriculum.alpha"]').waitFor();
    await form.locator('path.kernel-exact').waitFor();
    await ui.win.command('GenEnv: Check Experiment');
    await (await ui.win.webview('preflight')).getByText('Start Run').first().waitFor();
    await ui.win.command('GenEnv: Compare Runs…');
    for (const name of ['first', 'second']) await ui.win.row(name).click();
    await pressAt(ui.win.quickInput, 'Enter');
    await (await ui.win.webview('compare')).getByText('Success rate').first().waitFor();
    await ui.win.walk('Runs', /^Run second/, /^Epoch 6/, /famil(y|ies)$/, /^Family/, /^Task/, /^Trace/);
    await ui.win.pressOn(ui.win.treeItem(/^Trace/), 'Enter');
    await ui.win.tab(/r0/).waitFor();
    // A preview gives way to the next editor.
    await ui.win.command('View: Keep Editor');
    await ui.win.command('GenEnv: Focus on Data View');
    await ui.win.command('GenEnv: Focus on Endpoints View');
    const shown = ui.win.page.locator('.part.sidebar .pane-header');
    await eventually(async () => assert.equal(await shown.count(), 3, 'three at a time'));
    await ui.win.command('GenEnv: Get Started');
  });

  const views = [
    { name: 'calibration', tab: 'Calibration', page: 'calibration', shows: /Mean p̂ was/ },
    { name: 'experiment', tab: 'embedded.genenv.json', page: 'experiment', shows: 'Target success rate' },
    { name: 'preflight', tab: 'Check', page: 'preflight', shows: 'Everything passed' },
    { name: 'compare', tab: 'Compare: ', page: 'compare', shows: 'Success rate' },
    { name: 'trace', tab: /r0/, page: null, shows: '' },
    { name: 'walkthrough', tab: /Welcome/, page: null, shows: '' },
  ] as const;
  for (const [kind, theme] of Object.entries(themes)) {
    it(`shows them in ${theme}`, async () => {
      await ui.win.pick('F1', '>Preferences: Color Theme', 'Preferences: Color Theme');
      await ui.win.row(theme).waitFor();
      await ui.win.type(theme);
      for (const { name, tab, page, shows } of views) {
        await ui.win.tab(tab).first().click();
        if (page !== null) await whole(await ui.win.webview(page), shows);
        else if (name === 'walkthrough') await ui.win.page.locator('iframe.webview.ready').first().waitFor();
        await ui.win.screenshot(shotPath(`${name}-${kind}`));
      }
    });
  }
});

/** Drawn, with nothing in it that a person should not see, and nothing beyond its edge. */
async function whole(page: Frame, shows: string | RegExp): Promise<void> {
  await page.getByText(shows).first().waitFor();
  const text = await page.locator('main').innerText();
  assert.doesNotMatch(text, /NaN|undefined|Infinity|\[object/);
  const beyond: unknown = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(beyond, 0, 'nothing scrolls sideways');
}
