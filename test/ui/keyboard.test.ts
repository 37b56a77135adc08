/** The same without a pointer: menus of rows, charts, tables, the form. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { runInto } from '../support/cliRun.ts';
import { pressAt, typeAt } from '../support/focus.ts';
import { uiSuite } from '../support/ui/uiSuite.ts';
import { until, eventually } from '../support/until.ts';
import type { Window } from '../vscode/window.ts';

/** The required entries of a finished run's menu, in the order of the manifest's groups. */
const offered = [
  'Open Calibration',
  'Make Report',
  'Open Run Folder',
  'Branch from Epoch…',
  'Export Pool…',
  'Delete Run…',
];

describe('by the keyboard alone', function () {
  this.timeout(300_000);
  const ui = uiSuite('keyboard', {
    packaged: true,
    prepare: (folder) =>
      runInto(folder, 'embedded.genenv.json', 'epochs=3', 'generation.families=4', 'validation.tasks=40'),
  });

  it('offers in a row’s menu what can be done with its run', async () => {
    await ui.win.focusTree('Runs', /^Run embedded demo, finished/);
    await ui.win.pressOn(ui.win.treeItem(/^Run embedded demo, finished/), 'Shift+F10');
    const menu = ui.win.page.locator('.context-view .action-item');
    await menu.filter({ hasText: 'Open Calibration' }).first().waitFor();
    await eventually(async () => {
      const titles = (await menu.allInnerTexts()).map((text) => text.trim());
      for (const title of offered) assert.ok(titles.includes(title), `${title} in ${titles.join(', ')}`);
    });
    const whole = ui.win.page.locator('.context-view');
    await pressAt(whole, 'ArrowDown');
    await whole.locator('.action-item.focused').filter({ hasText: 'Open Calibration' }).waitFor();
    await pressAt(whole, 'Enter');
    await (await ui.win.webview('calibration')).getByText(/Mean p̂ was/).waitFor();
  });

  it('reads a chart and its table', async () => {
    await ui.win.command('GenEnv: Open Calibration');
    const page = await ui.win.webview('calibration');
    await page.locator('header [role=status]').waitFor();
    await tabTo(
      ui.win,
      page,
      'document.activeElement?.closest("figure, section")?.querySelector("canvas") != null && document.activeElement.tabIndex === 0 && document.activeElement.tagName !== "BUTTON"',
    );
    const table = page.locator('#families').getByRole('table');
    const chart = page.locator('#families');
    await pressAt(chart, 'Home', 'ArrowRight', 't');
    await table.waitFor();
    await page.locator('body').press('t');
    await table.waitFor({ state: 'hidden' });
  });

  it('changes a setting in the form and saves it', async () => {
    await ui.win.openFile('embedded.genenv.json');
    const page = await ui.win.webview('experiment');
    await page.getByText('Target success rate').first().waitFor();
    await tabTo(ui.win, page, 'document.activeElement?.closest("[data-field=\'curriculum.alpha\']") != null');
    const field = page.locator('[data-field="curriculum.alpha"]');
    await pressAt(field, 'ControlOrMeta+A');
    // The editor selects by a command of its own, a moment after the key: what was typed before it would be replaced.
    await page.waitForFunction(wholeIsSelected);
    await typeAt(field, '0.35');
    await pressAt(field, 'ControlOrMeta+S');
    // Saved at once, what was still being typed included.
    await until('α in the file', async () =>
      (await readFile(join(ui.folder, 'embedded.genenv.json'), 'utf8')).includes('"alpha": 0.35'),
    );
  });
});

/** The focused element, inside a component too. */
const inFocus = '(document.activeElement?.shadowRoot?.activeElement ?? document.activeElement)';

/** Whether all that stands in the field with the focus is selected. */
const wholeIsSelected = `(() => {
  const field = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
  return field.value !== '' && field.selectionStart === 0 && field.selectionEnd === field.value.length;
})()`;

/** Tabs on until the page's focus is where it is wanted. */
async function tabTo(win: Window, page: Frame, wanted: string): Promise<void> {
  await win.command('View: Focus Active Editor Group');
  await page.waitForFunction('document.hasFocus()', undefined, { timeout: 10_000 }).catch(() => undefined);
  for (let presses = 0; presses < 80; presses++) {
    const there: unknown = await page.evaluate(wanted);
    if (there === true) return;
    await page.evaluate(`window.before = ${inFocus}`);
    await win.press('Tab');
    // Some stops have two elements of which the page shows one: the focus then moves after a while.
    await page.waitForFunction(`window.before !== ${inFocus}`, undefined, { timeout: 2000 }).catch(() => undefined);
  }
  throw new Error('80 presses of Tab do not lead there.');
}
