import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pressAt } from '../support/focus.ts';
import { ScriptedTasks } from '../support/tasks/scriptedTasks.ts';
import { eventually, until } from '../support/until.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

describe('the splitter of the task editor', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  it('gives the list as much room as a person wants, by keys and mouse, and keeps it through a reload', async () => {
    const host = new ScriptedTasks();
    const { page } = await suite.open('tasks', (channel) => host.opened(channel), { width: 1280, height: 860 });
    const list = page.getByRole('grid', { name: 'Tasks' });
    const splitter = page.getByRole('separator', { name: 'Width of the list' });
    const isWide = (wanted: number) =>
      until(`${wanted} pixels`, async () => Math.abs(((await list.boundingBox())?.width ?? 0) - wanted) <= 1, 10);
    await isWide(538);
    await list.getByText('e1.f0.v0', { exact: true }).click();
    await pressAt(list, 'Tab');
    await splitter.and(page.locator(':focus')).waitFor();
    await pressAt(splitter, 'ArrowRight');
    await isWide(563);
    await eventually(async () => assert.equal(await splitter.getAttribute('aria-valuenow'), '44'));
    await pressAt(splitter, 'Home');
    await isWide(300);
    await eventually(async () => assert.equal(await splitter.getAttribute('aria-valuenow'), '23'));
    await page.screenshot({ path: join(screenshots, 'tasks-dark-splitter.png') });
    const box = await splitter.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 2, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(640, box.y + 300, { steps: 3 });
    await page.mouse.up();
    await isWide(640);
    await page.mouse.move(700, box.y + 300);
    await page.reload();
    await isWide(640);
    await eventually(async () => assert.equal(await splitter.getAttribute('aria-valuenow'), '50'));
    await splitter.dblclick();
    await isWide(538);
  });
});
