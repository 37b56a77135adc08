import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tasksEvents, type TaskConflict } from '../../src/features/tasks/contract.ts';
import { pressAt } from '../support/focus.ts';
import { ScriptedTasks } from '../support/tasks/scriptedTasks.ts';
import { eventually, until } from '../support/until.ts';
import { atWidths } from '../support/webviews/atWidths.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { unevenLines } from '../support/webviews/unevenLines.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';
import { themeNames } from '../support/webviews/themes.ts';

const gold = { name: 'gold', mine: 'first set f3 rice 4', theirs: 'first set f3 rice 5', choice: null } as const;
const prompt = {
  name: 'prompt',
  choice: null,
  mine: 'user: Set the stock of rice to four, then tell how much there is.',
  theirs: 'user: Set the stock of rice to 5, please.',
} as const;
const conflicts: TaskConflict[] = [
  { key: 'row 0', id: 'e1.f0.v0', gone: false, fields: [prompt, gold] },
  {
    ...{ key: 'gone b 1', id: 'b', gone: true },
    fields: [{ name: 'task', mine: 'user: Clear the shelf.\nclear f7', theirs: '', choice: null }],
  },
];

describe('tasks that were changed here and on the disk', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function opened(view: { width?: number } = {}) {
    const host = new ScriptedTasks({ kind: 'file', name: 'mine.tasks.jsonl', run: null, tasks: 12 });
    const one = await suite.open('tasks', (channel) => host.opened(channel), { width: 1440, height: 900, ...view });
    await one.page.locator('.detail-title h2:visible').waitFor();
    host.conflicts = conflicts;
    host.tellConflicts();
    const region = one.page.getByRole('region', { name: '2 tasks were changed here and on the disk' });
    await region.waitFor();
    const asked = (what: unknown) => until(JSON.stringify(what), () => host.asked.includes(JSON.stringify(what)));
    return { ...one, host, region, asked };
  }

  it('say calmly that the task looked at was left out by something else', async () => {
    const { page, host } = await opened();
    const last = page.getByRole('grid', { name: 'Tasks' }).getByRole('row').last();
    const id = (await last.locator('.row-id').textContent()) ?? '';
    await last.click();
    await page.locator('.detail-title h2', { hasText: id }).waitFor();
    host.leaveOut(4);
    await page.getByText(`There is no task “${id}” here. Select another one.`).waitFor();
    await eventually(async () => {
      assert.equal(await page.locator('.detail-title h2:visible').count(), 0);
      assert.equal(await page.locator('.notice:visible').count(), 0);
    });
  });

  it('stand in one view, field by field, and are decided by the keyboard', async () => {
    const { page, region, asked, channel } = await opened();
    await region.getByText('2 to decide. Nothing is saved before').waitFor();
    channel.emit(tasksEvents.decideFirst, null);
    const notice = page.getByText('Not saved: some tasks were changed here and on the disk.');
    await eventually(async () => {
      const [text, whole] = await Promise.all([notice.boundingBox(), page.locator('.notice').boundingBox()]);
      assert.ok(text !== null && whole !== null && text.x - whole.x < 16, 'it begins where texts begin');
    });
    const own = region.getByRole('article', { name: 'e1.f0.v0' });
    await eventually(async () => {
      assert.equal(await page.locator(':focus').getAttribute('id'), 'choice-0-0-mine', 'the first that is undecided');
      assert.deepEqual(await own.locator('legend').allInnerTexts(), ['Prompt · undecided', 'Gold · undecided']);
      assert.deepEqual(await own.getByRole('group', { name: 'Gold' }).locator('ins').allInnerTexts(), ['4', '5']);
    });
    await pressAt(region, 'Space');
    await asked(['decide', 'row 0', 'prompt', 'mine']);
    await pressAt(region, 'Tab', 'ArrowDown');
    await asked(['decide', 'row 0', 'gold', 'theirs']);
    await eventually(async () => {
      assert.equal(await page.locator(':focus').getAttribute('id'), 'choice-0-1-theirs', 'the keyboard stays');
      assert.deepEqual(await own.locator('legend').allInnerTexts(), ['Prompt', 'Gold']);
    });
    await region.getByText('1 to decide.').waitFor();
    await region.getByRole('radio', { name: /Put it back with my edits/ }).check();
    await region.getByText('All are decided. Saving writes them').waitFor();
  });

  it('are decided all at once, or a task at a time', async () => {
    const { region, asked } = await opened();
    await region.getByRole('button', { name: 'The Disk’s for All Fields: e1.f0.v0' }).click();
    await asked(['decide', 'row 0', null, 'theirs']);
    await region.getByRole('button', { name: 'Keep Mine Everywhere' }).click();
    await asked(['decide', null, null, 'mine']);
    await region.getByText('All are decided.').waitFor();
    await eventually(async () => assert.equal(await region.getByRole('radio', { checked: true }).count(), 3));
  });

  it('are said in one line where they merge by themselves, and are gone once saved', async () => {
    const { page, host, region, channel } = await opened();
    host.conflicts = [];
    host.tellConflicts();
    await region.waitFor({ state: 'hidden' });
    channel.emit(tasksEvents.merged, { kept: 2, equal: 1, lost: 0 });
    await page
      .getByText(
        'Something else wrote this file: it was read again. Your edits of 2 tasks stay. The disk has the same edits of 1 task.',
      )
      .waitFor();
  });

  it('have room in every theme, 1440 and 900 px', async () => {
    const { page, region } = await opened();
    await region
      .getByRole('radio', { name: /On the disk/ })
      .last()
      .check();
    await inThemes(page, themeNames, async (theme) => {
      await atWidths(page, [1440, 900], async (width) => {
        await eventually(async () =>
          assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true),
        );
        await eventually(async () => assert.deepEqual(await unevenLines(page), []), 3);
        await page.screenshot({ path: join(screenshots, `tasks-conflicts-${theme}-${width}.png`) });
      });
    });
  });
});
