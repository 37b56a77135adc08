/** An action on selected tasks, asked for while the selection changes. */
import { ScriptedTasks } from '../support/tasks/scriptedTasks.ts';
import { pressAt } from '../support/focus.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';

describe('an action on selected tasks', function () {
  this.timeout(240_000);
  const suite = pageSuite();

  it('is asked for anew once others are selected, as by another filter', async () => {
    const host = new ScriptedTasks();
    const { page } = await suite.open('tasks', (channel) => host.opened(channel), { width: 1280, height: 860 });
    const list = page.getByRole('grid', { name: 'Tasks' });
    const filter = page.getByRole('textbox', { name: 'Filter tasks' });
    await filter.fill('epoch:3');
    await pressAt(filter, 'Enter');
    await list.and(page.locator('[aria-rowcount="4000"]')).waitFor();
    await list.locator('.virtual-row', { has: page.getByText('e3.f0.v0', { exact: true }) }).click();
    await pressAt(list, 'Control+a');
    const bar = page.getByRole('region', { name: 'Selected tasks' });
    await bar.getByText('4,000 tasks selected').waitFor();
    await bar.getByRole('button', { name: 'Exclude…' }).click();
    await bar.getByLabel('Reason').fill('too easy');
    await filter.fill('');
    await pressAt(filter, 'Enter');
    await bar.waitFor({ state: 'hidden' });
  });
});
