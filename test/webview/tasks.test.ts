/** The task editor as a person meets it, over a million tasks. Screenshots go to test/webview/screenshots. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { tasksEvents } from '../../src/features/tasks/contract.ts';
import { pressAt, typeAt } from '../support/focus.ts';
import { ScriptedTasks } from '../support/tasks/scriptedTasks.ts';
import { eventually, until } from '../support/until.ts';
import { inThemes } from '../support/webviews/inThemes.ts';
import { pageSuite, screenshots, type PageView } from '../support/webviews/pageSuite.ts';

describe('the task editor', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  async function shown(host: ScriptedTasks, view: PageView = {}) {
    const one = await suite.open('tasks', (channel) => host.opened(channel), { width: 1280, height: 860, ...view });
    const { page } = one;
    page.setDefaultTimeout(10_000);
    const list = page.getByRole('grid', { name: 'Tasks' });
    const row = (id: string) => list.locator('.virtual-row', { has: page.getByText(id, { exact: true }) });
    const field = (name: string) => page.locator(`[data-field="${name}"]`);
    const heading = (id: string) => page.getByRole('heading', { name: id, exact: true });
    const asked = (what: string) => soon(`${what} is asked`, () => host.asked.includes(what));
    await list
      .locator('.row-id')
      .or(page.locator('.empty', { hasText: 'no tasks' }))
      .first()
      .waitFor();
    if ((view.width ?? 1280) >= 700 && host.source.tasks > 0) await page.locator('.detail-title h2:visible').waitFor();
    const focused = (node: Locator) => node.and(page.locator(':focus')).waitFor();
    return { ...one, list, row, field, heading, asked, focused };
  }

  it('says of each task what a person looks for, and says it aloud', async () => {
    const { page, row, list, heading } = await shown(new ScriptedTasks());
    await page.getByText('1,000,000 tasks').waitFor();
    await list.and(page.locator('[aria-rowcount="1000000"][aria-multiselectable="true"]')).waitFor();
    const second = row('e1.f0.v1');
    await eventually(async () => {
      assert.deepEqual((await second.innerText()).split('\n').filter(Boolean), [
        ...['e1.f0.v1', 'Set the stock of milk to 5, then tell how much milk there is.'],
        ...['0.50', 'gold disagrees', 'dead group', 'epoch 1', '●●○○'],
      ]);
      assert.equal(
        await second.getAttribute('aria-label'),
        'e1.f0.v1, success rate 0.50, between 0.15 and 0.85, 2 of 4 solved, epoch 1, gold disagrees, dead group, ' +
          'Set the stock of milk to 5, then tell how much milk there is.',
      );
      assert.equal(await second.getAttribute('aria-rowindex'), '2');
    });
    await heading('e1.f0.v0').waitFor();
    await page.getByText('p̂ 0.50 [0.15–0.85]').waitFor();
  });

  it('goes anywhere in a million rows and asks only for what is in sight', async () => {
    const host = new ScriptedTasks();
    const { page, list, row, heading } = await shown(host);
    await row('e1.f0.v0').click();
    await pressAt(list, 'End');
    await heading('e250.f999.v3').waitFor();
    await list.locator('[aria-rowindex="1000000"][aria-selected="true"]').waitFor();
    const bottom: unknown = await page.evaluate(`${scroller}.scrollHeight`);
    assert.ok(Number(bottom) <= 10_000_001, 'no taller than browsers can place exactly');
    await pressAt(list, 'PageUp', 'ArrowUp');
    await eventually(async () => {
      const at = await list.locator('[aria-selected="true"]').getAttribute('aria-rowindex');
      assert.ok(Number(at) > 999_970 && Number(at) < 999_999, `a page up, not ${at}`);
    });
    // Dragging the bar to the middle.
    for (const more of [0, 3]) await page.evaluate(`${scroller}.scrollTop = ${scroller}.scrollHeight / 2 + ${more}`);
    await soon('the middle is there', async () => {
      const first = await list.locator('.virtual-row:not(.unknown)').first().getAttribute('aria-rowindex');
      return Math.abs(Number(first) - 500_000) < 2000;
    });
    const box = await list.boundingBox();
    assert.ok(box);
    const before = Number(await list.locator('.virtual-row').first().getAttribute('aria-rowindex'));
    await page.mouse.move(box.x + 50, box.y + 100);
    await page.mouse.wheel(0, 460);
    await soon('ten rows on', async () => {
      const first = Number(await list.locator('.virtual-row').first().getAttribute('aria-rowindex'));
      return first === before + 10;
    });
    const drawn = await list.locator('.virtual-row').count();
    assert.ok(drawn < 60, `${drawn} rows in the document`);
    const rows = host.ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    assert.ok(rows < 1500, `${rows} rows were asked for`);
  });

  it('is walked by keys alone: list, task, back', async () => {
    const { page, list, row, heading, field, focused } = await shown(new ScriptedTasks());
    await eventually(async () => assert.equal(await list.locator('[tabindex="0"]').count(), 1, 'one tab stop'));
    await list.locator('[tabindex="0"]').focus();
    await pressAt(list, 'ArrowDown', 'ArrowDown');
    await heading('e1.f0.v2').waitFor();
    await pressAt(list, 'Enter');
    await focused(heading('e1.f0.v2'));
    await field('gold').getByRole('textbox').focus();
    await pressAt(field('gold'), 'Escape');
    await focused(row('e1.f0.v2'));
    await pressAt(row('e1.f0.v2'), 'Control+f');
    await focused(page.getByRole('textbox', { name: 'Filter tasks' }));
  });

  it('checks what is typed, makes one edit of it, and follows the editor’s undo', async () => {
    const host = new ScriptedTasks();
    const { page, row, field, asked } = await shown(host);
    const gold = field('gold').getByRole('textbox', { name: 'Gold' });
    // Undo is the field’s only while something is typed there.
    const seen =
      'window.undone = 0; window.addEventListener("keydown", (e) => { if (e.key === "z") window.undone++; })';
    await page.evaluate(seen);
    await gold.focus();
    await pressAt(gold, 'Control+z');
    await eventually(async () => assert.equal(await page.evaluate('window.undone'), 1, 'the editor’s'));
    await typeAt(gold, 'x');
    await pressAt(gold, 'Control+z');
    await eventually(async () => {
      assert.equal(await page.evaluate('window.undone'), 1, 'the field’s');
      assert.equal(await gold.inputValue(), 'first set f3 rice 2 second get f1 rice');
    });
    await gold.fill('first set f9 rice 2');
    await field('gold').getByText('Call 1: there is no tool f9.').waitFor();
    await eventually(async () => assert.equal(await gold.getAttribute('aria-invalid'), 'true'));
    await field('gold').getByRole('img', { name: 'Error' }).waitFor();
    assert.equal(host.edits, 0, 'nothing is changed by checking');
    await gold.fill('first set f3 rice 3');
    await gold.press('Control+Enter');
    await asked('["edit","e1.f0.v0","gold"]');
    await row('e1.f0.v0').getByText('edited').waitFor();
    assert.equal(host.edits, 1);
    await eventually(async () => assert.equal(await gold.getAttribute('aria-invalid'), null));
    await page.getByRole('button', { name: 'Compare with what was recorded' }).click();
    await eventually(async () =>
      assert.deepEqual(await field('gold').locator('del, ins').allInnerTexts(), ['2 second get f1 rice', '3']),
    );
    host.undo();
    await soon('the field follows', async () => (await gold.inputValue()) === 'first set f3 rice 2 second get f1 rice');
    await eventually(async () => assert.equal(await field('gold').locator('del, ins').count(), 0));
  });

  it('takes a turn for an edit when the person turns elsewhere, and lays JSON out', async () => {
    const host = new ScriptedTasks();
    const { page, field, row, asked } = await shown(host);
    await page.getByRole('textbox', { name: 'Turn 2' }).fill('Set the stock of tea to 1.');
    await page.getByRole('textbox', { name: 'Turn 2' }).press('Tab');
    await asked('["edit","e1.f0.v0","prompt"]');
    await row('e1.f0.v0').getByText('Set the stock of tea to 1.').waitFor();
    await page.getByRole('button', { name: 'Add Turn' }).click();
    await soon('the new turn is there', async () => (await page.getByRole('textbox', { name: /^Turn/ }).count()) === 3);
    await page.getByRole('button', { name: 'Remove turn 3' }).click();
    await soon('and gone', async () => (await page.getByRole('textbox', { name: /^Turn/ }).count()) === 2);
    const evaluation = field('evaluation').getByRole('textbox');
    await evaluation.fill('{"kind":"calls","inOrder":false}');
    await evaluation.press('Tab');
    await asked('["edit","e1.f0.v0","evaluation"]');
    await soon('it is laid out', async () => (await evaluation.inputValue()).includes('\n  "inOrder": false\n'));
  });

  it('keeps a text that cannot be read, through other tasks and a reload, and says so', async () => {
    const host = new ScriptedTasks();
    const { page, field, row, heading } = await shown(host);
    const evaluation = field('evaluation').getByRole('textbox');
    await evaluation.fill('{"kind": ');
    await row('e1.f0.v1').click();
    await heading('e1.f0.v1').waitFor();
    await row('e1.f0.v0').getByText('unfinished').waitFor();
    assert.equal(host.edits, 0);
    await row('e1.f0.v0').click();
    await field('evaluation').getByText('This is no evaluation yet.').waitFor();
    await eventually(async () => assert.equal(await evaluation.inputValue(), '{"kind": '));
    await page.reload();
    await field('evaluation').getByText('This is no evaluation yet.').waitFor();
    await eventually(async () => assert.equal(await evaluation.inputValue(), '{"kind": '));
    await evaluation.fill('{"kind": "calls", "inOrder": true}');
    await soon('nothing is unfinished', async () => (await page.getByText('unfinished').count()) === 0);
    assert.equal(host.edits, 0, 'it is what the document says');
  });

  it('filters and orders, and says at its place what cannot be read', async () => {
    const host = new ScriptedTasks({ tasks: 20_000 });
    const { page, list, channel } = await shown(host);
    const filter = page.getByRole('textbox', { name: 'Filter tasks' });
    await filter.fill('p<0.2 flag:dead');
    await page.getByText(/^[\d,]+ of 20,000 tasks$/).waitFor();
    const matching = await until('the list is filtered', async () => {
      const rows = Number(await list.getAttribute('aria-rowcount'));
      return rows > 100 && rows < 1000 && rows;
    });
    const first = await list.locator('.virtual-row:not(.unknown)').first().innerText();
    await filter.fill('p<0.2 statsu:x');
    await page.getByRole('alert').getByText('Did you mean “status”?').waitFor();
    await eventually(async () => {
      assert.equal(await filter.getAttribute('aria-invalid'), 'true');
      assert.match((await page.locator('.query-mark').getAttribute('style')) ?? '', /--at: 6/);
      assert.equal(await list.getAttribute('aria-rowcount'), String(matching), 'the list is as before');
    });
    await filter.fill('p<0.2 flag:dead');
    await page.getByRole('combobox', { name: 'Order' }).selectOption('epoch');
    await page.getByRole('button', { name: 'Ascending' }).click();
    await soon('the last comes first', async () => (await list.locator('.virtual-row').first().innerText()) !== first);
    await filter.press('Escape');
    await page.getByText('20,000 tasks', { exact: true }).waitFor();
    await filter.fill('"no such words"');
    await page.getByText('No task matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the Filter', exact: true }).click();
    await page.getByText('20,000 tasks', { exact: true }).waitFor();
    await list.locator('.row-id').first().waitFor();
    await page.getByRole('button', { name: 'Filter terms' }).click();
    await page.getByRole('button', { name: 'status:excluded' }).click();
    await eventually(async () => assert.equal(await filter.inputValue(), 'status:excluded'));
    // A slow one tells how far it is.
    channel.emit(tasksEvents.filtering, { done: 250_000, total: 1_000_000 });
    const bar = page.getByRole('progressbar', { name: 'Filtering' });
    await bar.waitFor();
    await page.locator('progress[value="250000"][max="1000000"]').waitFor();
    channel.emit(tasksEvents.filtering, { done: 1_000_000, total: 1_000_000 });
    await bar.waitFor({ state: 'hidden' });
  });

  it('selects many by keys and pointer, and does one thing to all of them', async () => {
    const host = new ScriptedTasks();
    const { page, list, row, asked } = await shown(host);
    await row('e1.f0.v0').click();
    await pressAt(list, 'Shift+ArrowDown', 'Shift+ArrowDown');
    await row('e1.f1.v1').click({ modifiers: ['Control'] });
    const bar = page.getByRole('region', { name: 'Selected tasks' });
    await bar.getByText('4 tasks selected').waitFor();
    await bar.getByRole('button', { name: 'Exclude…' }).click();
    await bar.getByLabel('Reason').fill('wrong stock');
    await bar.getByRole('button', { name: 'Exclude 4 tasks' }).click();
    await asked('["bulk",4,{"action":"exclude","reason":"wrong stock"}]');
    await row('e1.f0.v2').getByText('excluded').waitFor();
    await page.getByRole('status').getByText('4 tasks excluded. Ctrl+Z undoes it.').waitFor();
    host.undo();
    await row('e1.f0.v2').getByText('excluded').waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Tag…' }).click();
    await bar.getByLabel('Add tags').fill('#odd, check');
    await pressAt(bar, 'Enter');
    await asked('["bulk",4,{"action":"tag","add":["odd","check"],"remove":[]}]');
    await row('e1.f0.v1').getByText('#odd').waitFor();
    await pressAt(list, 'Control+a');
    await bar.getByText('1,000,000 tasks selected').waitFor();
    await bar.getByRole('button', { name: 'Send to Seed Tasks' }).click();
    await asked('["bulk",{"all":"","count":1000000},{"action":"toSeeds"}]');
    await row('e1.f0.v1').focus();
    await pressAt(list, 'Escape');
    await bar.waitFor({ state: 'hidden' });
    await pressAt(list, 'Shift+End');
    await page.getByText('So many tasks can only be selected together').waitFor();
    await eventually(async () => assert.ok(await bar.isHidden()));
  });

  it('has what can be done in a menu, by key and by right click', async () => {
    const host = new ScriptedTasks();
    const { page, row, asked, focused } = await shown(host);
    await row('e1.f0.v1').click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions' });
    await menu.waitFor();
    await pressAt(menu, 'c', 'Enter');
    await asked('["copy",["e1.f0.v1"],"json"]');
    await row('e1.f0.v1').focus();
    await pressAt(row('e1.f0.v1'), 'Shift+F10');
    await menu.waitFor();
    await pressAt(menu, 'ArrowUp');
    await focused(menu.getByRole('menuitem', { name: 'Send to Seed Tasks' }));
    await pressAt(menu, 'Escape');
    await menu.waitFor({ state: 'detached' });
    await focused(row('e1.f0.v1'));
    await pressAt(row('e1.f0.v1'), 'Shift+F10');
    await menu.getByText('Exclude…').click();
    await page.getByLabel('Reason').fill('no gold');
    await pressAt(page.getByLabel('Reason'), 'Enter');
    await asked('["bulk",1,{"action":"exclude","reason":"no gold"}]');
  });

  it('attempts a task anew and compares, live, until it is stopped', async () => {
    const host = new ScriptedTasks();
    const { page, field, row, asked, heading } = await shown(host);
    const region = page.locator('.reattempt');
    await field('gold').getByRole('textbox').fill('first set f3 rice 3');
    await region.getByRole('spinbutton', { name: 'Attempts' }).fill('8');
    await region.getByRole('button', { name: 'Re-attempt Now' }).click();
    await asked('["reattempt","e1.f0.v0",8]');
    assert.deepEqual(
      host.asked.slice(-2),
      ['["edit","e1.f0.v0","gold"]', '["reattempt","e1.f0.v0",8]'],
      'the edit first',
    );
    const answers = [{ success: true, reward: 1, answer: 'first set f3 rice 3' }];
    const before = { successes: 1, attempts: 8 };
    host.reattempted({ task: 'e1.f0.v0', done: 9, total: 16, before, after: { successes: 1, attempts: 1 }, answers });
    await region.getByText('9 of 16 attempts by agent@3.').waitFor();
    await eventually(async () => {
      assert.equal(await region.getByRole('progressbar').getAttribute('value'), '9');
      assert.ok(await region.getByRole('button', { name: 'Re-attempt Now' }).isDisabled());
      assert.equal(await region.getByText('Solved more often').count(), 0, 'said before all attempts are made');
    });
    await region.getByRole('button', { name: 'Stop' }).click();
    await asked('["stop","e1.f0.v0"]');
    const after = { successes: 8, attempts: 8 };
    host.reattempted({ task: 'e1.f0.v0', done: 16, total: 16, before, after, answers, state: 'finished' });
    await region.getByText('Solved more often now: +0.88 [+0.40 to +0.98].').waitFor();
    await region.getByText('p̂ 0.13 [0.02–0.47]').waitFor();
    await region.getByText('p̂ 1.00 [0.68–1.00]').waitFor();
    await row('e1.f0.v1').click();
    await heading('e1.f0.v1').waitFor();
    await eventually(async () => assert.ok(await region.getByText('Solved more often').isHidden(), 'of another task'));
    await row('e1.f0.v0').click();
    await region.getByText('Solved more often').waitFor();
    host.reattempted({ task: 'e1.f0.v0', done: 3, total: 16, state: 'failed', message: 'The endpoint is away.' });
    await region.getByText('Failed after 3 of 16 attempts by agent@3. The endpoint is away.').waitFor();
  });

  it('leads to attempts, stations and tasks like it', async () => {
    const host = new ScriptedTasks({ tasks: 20_000 });
    const { page, row, asked, heading } = await shown(host);
    await row('e1.f0.v1').click();
    await heading('e1.f0.v1').waitFor();
    await page.getByRole('button', { name: '● solved' }).first().click();
    await asked('["open",{"trace":"e1/e1.f0.v1/r0"}]');
    await page.getByRole('button', { name: 'Seed task base.12' }).click();
    await asked('["open",{"task":"base.12"}]');
    await page.locator('.flags').getByRole('button', { name: 'dead group' }).click();
    const filter = page.getByRole('textbox', { name: 'Filter tasks' });
    await soon('the filter is back', async () => (await filter.inputValue()) === 'flag:dead');
  });

  it('shows a pool with its weights and where it comes from; where nothing may be changed, says why', async () => {
    const provenance = '812 kept tasks of epochs 1 to 12; 40 edited by hand are left out';
    const pool = { name: 'environment' as const, epoch: 12, effectiveSampleSize: 512.25, provenance };
    const why = 'Tasks are attempted in trusted folders only.';
    const held = { trusted: false, live: true, attempts: { group: 4, why } };
    const { page, field, row } = await shown(new ScriptedTasks({ pool, tasks: 812, ...held }));
    await page.getByRole('heading', { name: 'Environment pool of embedded demo' }).waitFor();
    await page.getByText(`after epoch 12 · effective sample size 512 of 812 (63 %) · ${provenance}`).waitFor();
    await row('e1.f0.v0').getByText('weight 0.5').waitFor();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('weight');
    await page.getByText('Tasks of a run can be changed in trusted folders only.').waitFor();
    await page.getByText('what is saved here holds from its next epoch that is not sampled yet').waitFor();
    await eventually(async () => {
      assert.equal(await field('gold').getByRole('textbox').getAttribute('readonly'), '');
      assert.ok(await page.getByRole('button', { name: 'Re-attempt Now' }).isDisabled());
    });
    await page.locator('.reattempt').getByText(why).waitFor();
    await row('e1.f0.v1').click({ button: 'right' });
    await page.locator('[role=menuitem][aria-disabled=true]', { hasText: 'Exclude…' }).waitFor();
  });

  it('tells what failed, and goes on', async () => {
    const host = new ScriptedTasks();
    const { page, row, heading, field } = await shown(host);
    host.failing.set('detail', Object.assign(new Error('The record is gone.'), { remedy: 'Open the run again.' }));
    await row('e1.f0.v1').click();
    await page.getByRole('alert').getByText('The record is gone. Open the run again.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await row('e1.f0.v2').click();
    await heading('e1.f0.v2').waitFor();
    host.failing.set('edit', new Error('The disk is full.'));
    const gold = field('gold').getByRole('textbox');
    await gold.fill('first get f1 tea');
    await gold.press('Control+Enter');
    await page.getByRole('alert').getByText('The disk is full.').waitFor();
    await eventually(async () => assert.equal(await gold.inputValue(), 'first get f1 tea', 'what was typed stays'));
    await gold.press('Control+Enter');
    await row('e1.f0.v2').getByText('edited').waitFor();
  });

  it('shows a file without runs as what it is, and an empty one', async () => {
    const file = { kind: 'file' as const, name: 'mine.tasks.jsonl', run: null };
    const { page, row } = await shown(new ScriptedTasks({ ...file, tasks: 12 }));
    await page.getByText('12 tasks', { exact: true }).waitFor();
    await row('e1.f0.v0').getByText('characters').waitFor();
    const order = page.getByRole('combobox', { name: 'Order' });
    await eventually(async () => assert.ok(!(await order.innerText()).includes('reward')));
    const empty = await shown(new ScriptedTasks({ ...file, tasks: 0 }));
    await empty.page.getByText('There are no tasks here yet.').waitFor();
  });

  it('is one column where there is little room', async () => {
    const { page, row, heading } = await shown(new ScriptedTasks(), { width: 480, height: 700 });
    await row('e1.f0.v2').click();
    await heading('e1.f0.v2').waitFor();
    await eventually(async () => assert.ok(await row('e1.f0.v0').isHidden()));
    await page.screenshot({ path: join(screenshots, 'tasks-dark-narrow.png') });
    await page.getByRole('button', { name: 'Back to the list (Esc)' }).click();
    await row('e1.f0.v0').waitFor();
    const beyond = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(beyond, 0, 'nothing scrolls sideways');
  });

  it('is legible in each theme', async () => {
    const host = new ScriptedTasks();
    const { page, row, field } = await shown(host, { height: 1500 });
    const pictures = (name: string, height: number) =>
      inThemes(page, ['dark', 'light', 'high-contrast'], async (theme) => {
        const clip = { x: 0, y: 0, width: 1280, height };
        await page.screenshot({ path: join(screenshots, `tasks-${theme}-${name}.png`), clip });
      });
    await row('e1.f0.v1').click();
    const answer = 'first set f3 milk 6 second get f1 milk';
    await field('gold').getByRole('textbox').fill(answer);
    await field('gold').getByRole('textbox').press('Control+Enter');
    await page.getByRole('button', { name: 'Compare with what was recorded' }).click();
    await field('evaluation').getByRole('textbox').fill('{"kind": ');
    const rates = { before: { successes: 1, attempts: 8 }, after: { successes: 6, attempts: 8 } };
    const answers = [true, false, true].map((success) => ({ success, reward: success ? 1 : 0.33, answer }));
    host.reattempted({ task: 'e1.f0.v1', done: 16, total: 16, ...rates, answers, state: 'finished' });
    await page.getByText('Solved more often now: +0.63 [+0.14 to +0.83].').waitFor();
    await row('e1.f2.v0').click({ modifiers: ['Shift'] });
    await page.getByText('8 tasks selected').waitFor();
    await page.getByRole('textbox', { name: 'Filter tasks' }).fill('p<0.6 statsu:x');
    await page.getByText('Did you mean “status”?').waitFor();
    await pictures('edited', 1500);
    await page.getByRole('button', { name: 'Filter terms' }).click();
    await row('e1.f3.v0').click({ button: 'right' });
    await pictures('menu', 860);
  });
});

/** Before the test's own timeout, so that the message names the awaited condition. */
const soon: typeof until = (what, look) => until(what, look, 60);

const scroller = "document.querySelector('.virtual-list')";
