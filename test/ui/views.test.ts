/** Every view of the packaged extension in every kind of theme: whole, legible, and nothing broken in it. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame } from 'playwright-core';
import { runInto } from '../support/cliRun.ts';
import { startHost, type Host } from '../vscode/host.ts';
import { packagedExtension } from '../vscode/packaged.ts';
import { themes } from '../vscode/settings.ts';
import type { Window } from '../vscode/window.ts';
import { demoWorkspace } from '../vscode/workspace.ts';

const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url));
const small = ['epochs=6', 'generation.families=6', 'validation.tasks=60'];

describe('every view in every theme', function () {
  this.timeout(300_000);
  let folder: string;
  let host: Host | undefined;
  let win: Window;

  before(async () => {
    folder = await demoWorkspace();
    await runInto(folder, 'embedded.genenv.json', ...small, 'name=first');
    await runInto(folder, 'embedded.genenv.json', ...small, 'name=second', 'curriculum.alpha=0.4');
    host = await startHost({ smoke: false, vsix: await packagedExtension(), viewport: { width: 1500, height: 1000 } });
    win = await host.open({ folder });
  });

  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('views-failed');
  });

  const shot = (name: string): Promise<void> => win.screenshot(join(screenshots, `${name}.png`));

  it('opens them all by the keyboard', async () => {
    await win.command('GenEnv: Open Calibration');
    await win.row('first').waitFor();
    await win.press('Enter');
    await (await win.webview('calibration')).getByText(/Mean p̂ was/).waitFor();
    await win.openFile('embedded.genenv.json');
    await (await win.webview('experiment')).locator('[data-field="curriculum.alpha"]').waitFor();
    await win.command('GenEnv: Check Experiment');
    await (await win.webview('preflight')).getByText('Start Run').first().waitFor();
    await win.command('GenEnv: Compare Runs…');
    for (const name of ['first', 'second']) await win.row(name).click();
    await win.press('Enter');
    await (await win.webview('compare')).getByText('Success rate').first().waitFor();
    // A page that was opened just now takes the focus when it is loaded: then once more.
    for (
      let tries = 0;
      tries < 5 &&
      !(await win
        .treeItem(/^Epoch 6/)
        .first()
        .isVisible());
      tries++
    ) {
      await win.command('GenEnv: Focus on Runs View');
      await win.press('Home', 'ArrowRight');
      await win.page.waitForTimeout(1000);
    }
    await win.press('Home');
    const levels = [/^Epoch 6/, /famil(y|ies)$/, /^Family/, /^Task/, /^Trace/];
    for (const [depth, level] of levels.entries()) {
      await win.treeItem(level).first().waitFor();
      // Into what the last press opened, then open that.
      await win.press('ArrowRight');
      if (depth < levels.length - 1) await win.press('ArrowRight');
    }
    await win.press('Enter');
    await win.tab(/r0/).waitFor();
    // A preview gives way to the next editor.
    await win.command('View: Keep Editor');
    await win.command('GenEnv: Focus on Data Pools View');
    await win.command('GenEnv: Focus on Endpoints View');
    await win.command('GenEnv: Focus on Benchmarks View');
    await win.command('GenEnv: Get Started');
  });

  const views = [
    { name: 'calibration', tab: 'Calibration', page: 'calibration', shows: /Mean p̂ was/ },
    { name: 'experiment', tab: 'embedded.genenv.json', page: 'experiment', shows: 'Target success rate' },
    { name: 'preflight', tab: 'Check', page: 'preflight', shows: 'Everything passed' },
    { name: 'compare', tab: 'Compare 2 Runs', page: 'compare', shows: 'Success rate' },
    { name: 'trace', tab: /r0/, page: null, shows: '' },
    { name: 'walkthrough', tab: /Welcome/, page: null, shows: '' },
  ] as const;
  for (const [kind, theme] of Object.entries(themes)) {
    it(`shows them in ${theme}`, async () => {
      await win.pick('F1', '>Preferences: Color Theme', 'Preferences: Color Theme');
      await win.row(theme).waitFor();
      await win.type(theme);
      for (const { name, tab, page, shows } of views) {
        await win.tab(tab).first().click();
        if (page !== null) await whole(await win.webview(page), shows);
        else if (name === 'walkthrough') await win.page.locator('iframe.webview.ready').first().waitFor();
        await shot(`${name}-${kind}`);
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
