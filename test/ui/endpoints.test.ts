/** Endpoints that are kept, as a person manages them: moved, renamed, removed after a question. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { pressAt } from '../support/focus.ts';
import { eventually } from '../support/until.ts';

const kept = ['one', 'two', 'three'].map((name, i) => ({
  ...{ name, kind: 'openai', url: `http://127.0.0.1:${i + 1}/v1`, key: i === 0 ? '${secret:one}' : null, model: 'm' },
}));

describe('endpoints that are kept', function () {
  this.timeout(300_000);
  // Of the workspace: a window on a server drops machine settings of the person as soon as it knows the server's own.
  const ui = uiSuite('endpoints', {
    prepare: async (folder) => {
      await mkdir(join(folder, '.vscode'), { recursive: true });
      await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'genenv.endpoints': kept }));
    },
  });

  /** Names of the rows, in their order, once they are so. */
  const shown = async (...names: string[]): Promise<void> => {
    const rows = ui.win.page.getByRole('treeitem').filter({ hasText: 'OpenAI-compatible' });
    for (let seen = ''; seen !== names.join();) {
      seen = (await rows.allInnerTexts()).map((text) => /one|two|three|last/.exec(text)?.[0] ?? text).join();
      if (seen !== names.join()) await ui.win.page.waitForTimeout(200);
    }
  };

  /** Closes a question that waits: it stays without the focus, and would take the next test's keys. */
  const giveUp = async (): Promise<void> => {
    while (await ui.win.quickInput.isVisible()) {
      await ui.win.quickInput.locator('input').first().click();
      await pressAt(ui.win.quickInput, 'Escape');
      await ui.win.page.waitForTimeout(200);
    }
  };
  afterEach(giveUp);

  it('are sent nothing before a person allows it, the key by its name and the address', async () => {
    await ui.win.command('GenEnv: Focus on Endpoints View');
    await shown('one', 'two', 'three');
    const row = ui.win.page.getByRole('treeitem').filter({ hasText: 'one' }).first();
    const dialog = ui.win.page.locator('.monaco-dialog-box').filter({ hasText: 'Send the key ${secret:one} to' });
    const ask = async (button: string): Promise<void> => {
      await ui.win.command('GenEnv: Allow Endpoint…');
      await ui.win.row('127.0.0.1:1').click();
      await dialog.filter({ hasText: 'http://127.0.0.1:1?' }).waitFor();
      await ui.win.screenshot(shotPath(`endpoint-${button.toLowerCase()}`));
      await dialog.locator('.monaco-button').filter({ hasText: button }).click();
    };
    await row.filter({ hasText: 'not allowed yet' }).waitFor();
    await ask('Cancel');
    await row.filter({ hasText: 'not allowed yet' }).waitFor();
    await ask('Allow');
    const asking = ui.win.page.locator('.quick-input-widget').filter({ hasText: 'Key “one”' });
    await asking.waitFor();
    await giveUp();
    await row.filter({ hasText: 'no key' }).waitFor();
  });

  it('are moved, renamed and removed from the palette, and by keys on the row that is selected', async () => {
    await ui.win.command('GenEnv: Focus on Endpoints View');
    await shown('one', 'two', 'three');
    await ui.win.command('GenEnv: Move Endpoint Down');
    await ui.win.row('one').click();
    await shown('two', 'one', 'three');
    const rowOf = (name: string) => ui.win.page.getByRole('treeitem').filter({ hasText: name }).first();
    await rowOf('one').click();
    await ui.win.pressOn(rowOf('one'), 'F2');
    await ui.win.page.locator('.quick-input-title').filter({ hasText: 'Name of the endpoint' }).waitFor();
    await ui.win.type('last');
    await shown('two', 'last', 'three');
    await ui.win.command('GenEnv: Remove Endpoint…');
    await ui.win.row('last').click();
    const dialog = ui.win.page.locator('.monaco-dialog-box').filter({ hasText: 'Remove the endpoint “last”?' });
    await dialog.filter({ hasText: 'Experiments and runs that have its address keep it' }).waitFor();
    // No key of this name was ever set, so none is offered to be forgotten.
    await eventually(async () =>
      assert.equal(await dialog.locator('.monaco-button').filter({ hasText: 'Forget' }).count(), 0),
    );
    await dialog.locator('.monaco-button').filter({ hasText: 'Cancel' }).click();
    await shown('two', 'last', 'three');
    await rowOf('two').click();
    await ui.win.pressOn(rowOf('two'), 'Delete');
    const second = ui.win.page.locator('.monaco-dialog-box').filter({ hasText: 'Remove the endpoint “two”?' });
    await second.locator('.monaco-button').filter({ hasText: 'Remove' }).first().click();
    await shown('last', 'three');
  });
});
