import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pressAt } from '../support/focus.ts';
import { ScriptedTasks } from '../support/tasks/scriptedTasks.ts';
import { eventually, until } from '../support/until.ts';
import { pageSuite, screenshots } from '../support/webviews/pageSuite.ts';

describe('a damaged line in the task editor', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  it('is listed with what is wrong, and opened as text; every other task is as ever', async () => {
    const host = new ScriptedTasks({ kind: 'file', name: 'mine.tasks.jsonl', run: null, tasks: 12, damaged: 1 });
    const fault = {
      message: 'The line holds a list; a task is a JSON object.',
      remedy: 'Correct the line, or remove it.',
    };
    host.damaged.set(2, {
      row: {
        ...{ ...host.row(2), id: 'line 3', name: 'line 3', status: 'damaged', epoch: 0 },
        ...{ title: '["not a task"]', flags: [], length: 0 },
      },
      damage: { line: 3, faults: [fault], text: '["not a task"]' },
    });
    const { page } = await suite.open('tasks', (channel) => host.opened(channel), { width: 1280, height: 860 });
    const row = (id: string) =>
      page.getByRole('grid', { name: 'Tasks' }).locator('.virtual-row', { has: page.getByText(id, { exact: true }) });
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    const gold = page.locator('[data-field="gold"]');
    const asked = (what: string) => until(`${what} is asked`, () => host.asked.includes(what), 10);
    await page.getByText('1 line is damaged').waitFor();
    await eventually(async () =>
      assert.deepEqual((await row('line 3').innerText()).split('\n').filter(Boolean), [
        ...['line 3', '["not a task"]', 'damaged'],
      ]),
    );
    await row('line 3').click();
    await heading('Line 3 is damaged').waitFor();
    await page.getByText(fault.message).waitFor();
    await eventually(async () => assert.ok(await gold.isHidden(), 'nothing of it is edited'));
    await page.screenshot({ path: join(screenshots, 'tasks-dark-damaged.png') });
    await page.getByRole('button', { name: 'Open as Text' }).click();
    await asked('["openAsText","line 3"]');
    await row('line 3').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open as Text' }).waitFor();
    await eventually(async () => assert.equal(await page.getByRole('menuitem').count(), 1));
    await pressAt(page.getByRole('menu'), 'Escape');
    await row('e1.f0.v1').click();
    const turn = page.getByRole('textbox', { name: 'Turn 1', exact: true });
    await turn.fill('pay \u202Eeno\u202C and \u200B\u001Bnothing');
    await page.getByText('pay \\u{202e}eno').waitFor();
    await page.getByText('␛nothing').waitFor();
    await page.screenshot({ path: join(screenshots, 'tasks-dark-hidden-marks.png') });
    await heading('e1.f0.v1').waitFor();
    await gold.getByRole('textbox').waitFor();
    await page.getByRole('button', { name: 'Show Damaged Lines' }).click();
    await asked('{"text":"status:damaged","order":"written","descending":false}');
  });
});
