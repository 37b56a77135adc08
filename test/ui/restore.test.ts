/** Panels and the tree over a reload of the window: they come back, and say no more than they know. */
import assert from 'node:assert/strict';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInto } from '../support/cliRun.ts';
import { pressAt } from '../support/focus.ts';
import { Steps } from '../support/ui/steps.ts';
import { uiSuite } from '../support/ui/uiSuite.ts';
import { eventually, until } from '../support/until.ts';

const seed = JSON.stringify({
  id: 'a',
  prompt: [{ role: 'user', content: 'say first' }],
  evaluation: { kind: 'exact' },
  gold: 'first',
});

describe('panels over a reload of the window', function () {
  this.timeout(600_000);
  const ui = uiSuite('restore', {
    prepare: async (folder) => {
      const small = ['epochs=2', 'generation.families=4', 'validation.tasks=40', 'environment.bufferEpochs=2'];
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=first');
      await runInto(folder, 'embedded.genenv.json', ...small, 'name=second', 'seed=5');
      for (const name of ['typed', 'clash']) await writeFile(join(folder, `${name}.tasks.jsonl`), `${seed}\n`);
    },
  });
  const tasksTab = () => ui.win.tab(/^tasks\.jsonl/);
  const fileTab = () => ui.win.tab('typed.tasks.jsonl');
  const isDirty = async (tab: ReturnType<typeof tasksTab>): Promise<boolean> =>
    /dirty/.test((await tab.getAttribute('class')) ?? '');
  /** The gold of the task that is open. */
  const gold = async () => (await ui.win.webview('tasks')).getByRole('textbox', { name: 'Gold' });
  const typeGold = async (tab: ReturnType<typeof tasksTab>, text: string): Promise<void> => {
    const field = await gold();
    await field.fill(text);
    await field.press('ControlOrMeta+Enter');
    await until('the document has an edit', () => isDirty(tab));
  };

  const steps = new Steps();

  // All of it before the one reload, and each test asks for what it looks at.
  before(async () => {
    await steps.take('tree', () => ui.win.walk('Runs', /^Run second/, /^Epoch 2\b/, /famil(y|ies)$/));
    await steps.take('calibration', async () => {
      await ui.win.commandWith('GenEnv: Open Calibration', 'first');
      await (await ui.win.webview('calibration')).getByText('epoch 2/2').waitFor();
    });
    await steps.take('checklist', async () => {
      await ui.win.openFile('embedded.genenv.json');
      await ui.win.command('GenEnv: Check Experiment');
      await (await ui.win.webview('preflight')).getByText('Everything passed').waitFor();
    });
    await steps.take('comparison', async () => {
      await ui.win.command('GenEnv: Compare Runs…');
      for (const name of ['first', 'second']) await ui.win.row(name).click();
      await pressAt(ui.win.quickInput, 'Enter');
      const page = await ui.win.webview('compare');
      await page.getByText('95 % interval').waitFor();
      await eventually(async () =>
        assert.deepEqual(
          await page.locator('.legend-name').allTextContents(),
          ['first', 'second'],
          'the older one first',
        ),
      );
      await page.getByRole('radio', { name: 'Tokens' }).check();
    });
    await steps.take('edits of a run', async () => {
      await ui.win.commandWith('GenEnv: Edit Tasks…', 'first');
      await tasksTab().waitFor();
      await (await ui.win.webview('tasks')).getByText('base.').first().waitFor();
      await typeGold(tasksTab(), 'of the run');
    });
    await steps.take('edits of a file', async () => {
      await ui.win.openFile('typed.tasks.jsonl');
      await (await ui.win.webview('tasks')).getByText('say first').first().waitFor();
      await typeGold(fileTab(), 'of the file');
    });
    await steps.take('a conflict', async () => {
      await ui.win.openFile('clash.tasks.jsonl');
      await (await ui.win.webview('tasks')).getByText('say first').first().waitFor();
      await typeGold(ui.win.tab('clash.tasks.jsonl'), 'mine');
      await writeFile(join(ui.folder, 'clash.tasks.jsonl'), `${seed.replace('"gold":"first"', '"gold":"theirs"')}\n`);
      await (await ui.win.webview('tasks')).getByText('theirs').first().waitFor();
    });
    // VS Code keeps what is unsaved a second after the last edit.
    await sleep(2500);
    await ui.win.reload();
  });

  it('a conflict comes back undecided, with both sides', async () => {
    steps.needs('a conflict');
    const tab = ui.win.tab('clash.tasks.jsonl');
    await tab.click();
    const page = await ui.win.webview('tasks');
    await page.getByText('theirs').first().waitFor();
    await page.getByText('mine').first().waitFor();
    await eventually(async () => assert.ok(await isDirty(tab)));
    await ui.win.command('File: Revert File');
    await until('the edit is gone', async () => !(await isDirty(tab)));
  });

  it('unsaved edits of a file come back, and reverting takes them away', async () => {
    steps.needs('edits of a file');
    await fileTab().click();
    await until('the edit is there', async () => (await (await gold()).inputValue()) === 'of the file');
    await eventually(async () => assert.ok(await isDirty(fileTab())));
    await eventually(async () =>
      assert.equal(await readFile(join(ui.folder, 'typed.tasks.jsonl'), 'utf8'), `${seed}\n`),
    );
    await ui.win.command('File: Revert File');
    await until('the edit is gone', async () => !(await isDirty(fileTab())));
    await until('the file is shown', async () => (await (await gold()).inputValue()) === 'first');
  });

  it('unsaved edits of a run come back, and are journaled once they are saved', async () => {
    steps.needs('edits of a run');
    await tasksTab().click();
    await until('the edit is there', async () => (await (await gold()).inputValue()) === 'of the run');
    await eventually(async () => assert.ok(await isDirty(tasksTab())));
    const journals = await Array.fromAsync(glob(join(ui.folder, '.genenv/runs/*/journal.jsonl')));
    const edits = async (): Promise<string[]> =>
      (await Promise.all(journals.map((path) => readFile(path, 'utf8')))).flatMap((text) =>
        text.split('\n').filter((line) => line.includes('"tasks.edited"')),
      );
    await eventually(async () => assert.deepEqual(await edits(), []));
    await (await gold()).press('ControlOrMeta+S');
    await until('it is saved', async () => !(await isDirty(tasksTab())));
    await eventually(async () =>
      assert.match((await edits()).join('\n'), /^[^\n]*"field":"gold"[^\n]*"to":"of the run"[^\n]*$/),
    );
  });

  it('the tree shows what was open in it', async () => {
    steps.needs('tree');
    await ui.win.command('GenEnv: Focus on Runs View');
    await ui.win
      .treeItem(/famil(y|ies)$/)
      .first()
      .waitFor();
    await eventually(async () =>
      assert.equal(await ui.win.treeItem(/^Epoch \d/).count(), 2, 'of the run that was open alone'),
    );
  });

  it('the calibration shows the same run', async () => {
    steps.needs('calibration');
    await ui.win.tab('Calibration: first').click();
    await (await ui.win.webview('calibration')).getByText('epoch 2/2').waitFor();
  });

  it('the comparison shows the same runs, over the same axis', async () => {
    steps.needs('comparison');
    await ui.win.tab('Compare').click();
    const page = await ui.win.webview('compare');
    await page.getByText('95 % interval').waitFor();
    await eventually(async () => {
      assert.deepEqual(await page.locator('.legend-name').allTextContents(), ['first', 'second']);
      assert.ok(await page.getByRole('radio', { name: 'Tokens' }).isChecked());
    });
  });

  it('the checklist asks to check again, and can then start', async () => {
    steps.needs('checklist');
    await ui.win.tab('Check: embedded.genenv.json').click();
    const page = await ui.win.webview('preflight');
    await page.getByText('The window was reloaded').waitFor();
    await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Start Run' }).isDisabled()));
    await page.getByRole('button', { name: 'Check Again' }).click();
    await page.getByText('Everything passed').waitFor();
    await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Start Run' }).isEnabled()));
  });
});
