/** A study that is given up: closed with “Don’t Save”, as a person answers the editor’s own question. */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';

describe('a study that is not saved', function () {
  this.timeout(300_000);
  const ui = uiSuite('unsaved', {
    packaged: true,
    prepare: (folder) =>
      writeFile(join(folder, 'base.genenv.json'), JSON.stringify({ version: 1, name: 'base', preset: 'embedded' })),
  });

  it('is asked about when its form is closed, and leaves nothing behind with “Don’t Save”', async () => {
    const dialog = ui.win.page.locator('.monaco-dialog-box');
    const button = (name: RegExp) => dialog.locator('.monaco-button').filter({ hasText: name });
    await ui.win.openFile('base.genenv.json');
    await ui.win.tab('base.genenv.json').waitFor();
    const before = await files(ui.folder);
    for (const answer of [/^Cancel$/, /^Don.t Save$/]) {
      if (answer.source.includes('Cancel')) await ui.win.command('GenEnv: New Study');
      await ui.win.tab('base.study.json').waitFor();
      await ui.win.webview('studyForm');
      await ui.win.command('View: Close Editor');
      await dialog.filter({ hasText: 'base.study.json' }).waitFor();
      await ui.win.screenshot(shotPath('unsaved-study'));
      await button(answer).click();
      await dialog.waitFor({ state: 'hidden' });
    }
    await eventually(async () => assert.equal(await ui.win.tab('base.study.json').count(), 0));
    await eventually(async () => assert.deepEqual(await files(ui.folder), before));
    await ui.win.reload();
    await ui.win.tab('base.genenv.json').waitFor();
    await eventually(async () => assert.equal(await ui.win.tab('base.study.json').count(), 0));
    await eventually(async () => assert.deepEqual(await files(ui.folder), before));
  });
});

/** All but what the extension keeps for itself. */
const files = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('.genenv'));
