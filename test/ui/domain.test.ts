/** A domain file, followed to the line that rejects a text: stopped there by a breakpoint in its `parse`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sums } from '../support/domains/sums.ts';
import { pressAt } from '../support/focus.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';

describe('a text that is no task', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('domain', {
    prepare: (folder) => writeFile(join(folder, 'sums.domain.ts'), sums['sums.domain.ts']),
  });

  it('stops at a breakpoint in parse, and the debug console says why it was rejected', async () => {
    const { page } = ui.win;
    await ui.win.openFile('sums.domain.ts');
    const lens = page.locator('.codelens-decoration a').filter({ hasText: 'Debug on a Text' }).first();
    await lens.waitFor();
    await ui.win.screenshot(shotPath('domain-lenses'));
    // Line 14 is the second one of `parse`.
    await ui.win.command('Go to Line/Column...');
    await ui.win.type(':14');
    await pressAt(ui.win.editor, 'F9');
    await page.locator('.codicon-debug-breakpoint').first().waitFor();
    await lens.click();
    await ui.win.row('Type a text').click();
    const asked = page.locator('.quick-input-title').filter({ hasText: 'A text as the environment may write it' });
    await asked.waitFor();
    await ui.win.type('I would rather not.');
    const stopped = page.locator('.debug-top-stack-frame-line');
    await stopped.first().waitFor();
    const variables = page.locator('.debug-variables .monaco-list-row');
    await variables.filter({ hasText: 'Local: parse' }).first().click();
    await variables
      .filter({ hasText: /text\s*[:=]\s*'I would rather not\.'/ })
      .first()
      .waitFor();
    await ui.win.screenshot(shotPath('domain-stopped'));
    await ui.win.command('Debug: Continue');
    await stopped.first().waitFor({ state: 'detached' });
    await ui.win.command('Debug Console: Focus on Debug Console View');
    await page
      .getByText(/rejected: it is no sum/)
      .first()
      .waitFor();
    await ui.win.screenshot(shotPath('domain-rejected'));
  });
});
