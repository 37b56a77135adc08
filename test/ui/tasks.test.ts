/** A task with a wrong gold: found, seen to be wrong, mended, saved, and measured again. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInto } from '../support/cliRun.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { until, eventually } from '../support/until.ts';

const small = ['epochs=1', 'generation.families=6', 'validation.tasks=20', 'rollouts.group=6', 'name=mend'];

describe('mending a task', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('tasks', { prepare: (folder) => runInto(folder, 'embedded.genenv.json', ...small) });
  const shot = (name: string) => ui.win.screenshot(shotPath(name));
  const tab = () => ui.win.tab('tasks.jsonl').first();
  const isDirty = async (): Promise<boolean> => /dirty/.test((await tab().getAttribute('class')) ?? '');

  it('finds what the agent cannot solve, sees what is wrong, mends and saves it', async () => {
    await ui.win.command('GenEnv: Edit Tasks…');
    await tab().waitFor();
    const page = await ui.win.webview('tasks');
    await page.getByText('e1.f0.v0').first().waitFor();
    const filter = page.getByLabel('Filter tasks');
    await filter.fill('origin:generated status:accepted p<0.4');
    await page
      .getByText(/\d+ of \d+/)
      .first()
      .waitFor();
    await page.getByRole('grid', { name: 'Tasks' }).getByRole('row').first().click();
    const gold = page.getByRole('textbox', { name: 'Gold' });
    await gold.fill('first increase f3 apples 4');
    await page.getByText('It does not verify').first().waitFor();
    await shot('tasks-problem');
    // One step instead of many: the agent is sure of those.
    const asked = page.locator('[data-field="prompt"] textarea').last();
    await asked.fill('MENU increase f3 REQ first add apples 4 CALLS');
    await asked.press('ControlOrMeta+Enter');
    await gold.press('ControlOrMeta+Enter');
    await page.getByText('It does not verify').first().waitFor({ state: 'hidden' });
    await until('the document has edits', isDirty);
    await gold.press('ControlOrMeta+S');
    await until('it is saved', async () => !(await isDirty()));
    const [journal = ''] = await Array.fromAsync(glob(join(ui.folder, '.genenv/runs/*/journal.jsonl')));
    await eventually(async () =>
      assert.match(await readFile(journal, 'utf8'), /"type":"tasks.edited".*"field":"prompt".*"field":"gold"/),
    );
  });

  it('attempts it again, and p̂ moves', async () => {
    const page = await ui.win.webview('tasks');
    const button = page.getByRole('button', { name: 'Re-attempt Now' });
    await button.scrollIntoViewIfNeeded();
    await button.click();
    await page.getByText(/^12 attempts by agent@1/).waitFor();
    await eventually(async () => {
      const rates = await page.locator('.rates dd').allTextContents();
      const [before = NaN, after = NaN] = rates.map((text) => Number(/0\.\d+|1\.00|0/.exec(text)?.[0]));
      assert.ok(after > before, rates.join(' | '));
    });
    await shot('tasks-reattempt');
  });
});
