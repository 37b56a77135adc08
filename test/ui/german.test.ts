/** The packaged extension in an editor that speaks German: what the manifest says, what the host says, and a page. */
import assert from 'node:assert/strict';
import { runInto } from '../support/cliRun.ts';
import { pressAt } from '../support/focus.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';

const small = ['epochs=3', 'generation.families=6', 'validation.tasks=60'];

describe('the extension in German', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('german', {
    packaged: true,
    language: 'de',
    viewport: { width: 1440, height: 900 },
    prepare: async (folder) => {
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=erster');
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=zweiter');
    },
  });

  it('names its commands, views and rows', async () => {
    await ui.win.command('GenEnv: Läufe sortieren…');
    await ui.win.row('Neueste zuerst').waitFor();
    await ui.win.press('Escape');
    await ui.win.viewContainer('GenEnv');
    await ui.win.treeItem(/^Lauf erster, beendet/).waitFor();
    await ui.win.page.getByRole('button', { name: /^Daten/ }).waitFor();
    await ui.win.screenshot(shotPath('german-views'));
  });

  it('speaks in its pages', async () => {
    await ui.win.command('GenEnv: Kalibrierung öffnen');
    await ui.win.row('erster').waitFor();
    await pressAt(ui.win.quickInput, 'Enter');
    const page = await ui.win.webview('calibration');
    await page.getByText('Schwierigkeit über Epochen').first().waitFor();
    await eventually(async () => assert.equal(await page.locator('html').getAttribute('lang'), 'de'));
    await ui.win.screenshot(shotPath('german-calibration'));
    await ui.win.command('GenEnv: Läufe vergleichen…');
    for (const name of ['erster', 'zweiter']) await ui.win.row(name).click();
    await pressAt(ui.win.quickInput, 'Enter');
    await (await ui.win.webview('compare')).getByText('Aufgabe für Aufgabe').first().waitFor();
    await ui.win.screenshot(shotPath('german-compare'));
  });
});
