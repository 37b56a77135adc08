/** The task editor as a person meets it, over a million tasks. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ScriptedTasks } from '../support/tasks/scriptedTasks.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';

describe('the task editor', function () {
  this.timeout(60_000);
  const suite = pageSuite();

  async function shown(host: ScriptedTasks, view: PageView = {}) {
    const one = await suite.open('tasks', (channel) => host.opened(channel), { width: 1280, height: 860, ...view });
    const { page } = one;
    const list = page.getByRole('grid', { name: 'Tasks' });
    const row = (id: string) => list.locator('.virtual-row', { has: page.locator('.row-id', { hasText: id }) });
    const field = (name: string) => page.locator(`[data-field="${name}"]`);
    await page.locator('.detail-title h2', { hasText: /./ }).waitFor();
    return { ...one, list, row, field };
  }

  for (const theme of ['dark', 'light', 'high-contrast'] as const) {
    it(`is legible in ${theme}`, async () => {
      const host = new ScriptedTasks();
      const { page } = await shown(host, { theme });
      await page.screenshot({ path: join(screenshots, `tasks-${theme}.png`) });
      assert.ok(true);
    });
  }
});
