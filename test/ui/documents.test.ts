/** Reading traces and tasks by the keyboard alone, over a reload, in every theme. */
import assert from 'node:assert/strict';
import { runInto } from '../support/cliRun.ts';
import { pressAt, typeAt } from '../support/focus.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';
import { themes } from '../vscode/settings.ts';

const small = ['epochs=2', 'generation.families=6', 'validation.tasks=40', 'rollouts.group=6', 'name=read'];

describe('reading traces', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('documents', { prepare: (folder) => runInto(folder, 'embedded.genenv.json', ...small) });
  const lens = (text: string) => ui.win.page.locator('.codelens-decoration a').filter({ hasText: text }).first();
  const shot = (name: string) => ui.win.screenshot(shotPath(name));
  /** A document keeps where it was scrolled to. */
  const top = async (title: RegExp): Promise<void> => {
    await ui.win.tab(title).click();
    await pressAt(ui.win.editor, 'ControlOrMeta+Home');
  };
  const firstLine = (text: RegExp) =>
    ui.win.page.locator('.editor-instance .view-line').filter({ hasText: text }).first().waitFor();

  it('opens a task from the tree', async () => {
    await ui.win.walk('Runs', /^Run read, finished/, /^Epoch 2/, /famil(y|ies)$/, /^Family/, /^Task/);
    await ui.win.pressOn(ui.win.treeItem(/^Task/), 'Enter');
    await ui.win.tab(/epoch 2/).waitFor();
    await lens('Peek Attempts').waitFor();
    await ui.win.command('View: Keep Editor');
    await shot('task-document');
  });

  it('peeks its attempts in place, and goes from one to the next', async () => {
    await ui.win.command('View: Focus Active Editor Group');
    await pressAt(ui.win.editor, 'Alt+F12');
    const peek = ui.win.page.locator('.peekview-widget');
    await peek.locator('.monaco-list-row').first().waitFor();
    await shot('task-peek');
    const shows = (attempt: string) => peek.locator('.head .filename').filter({ hasText: attempt }).waitFor();
    await shows('r0');
    await pressAt(ui.win.editor, 'Alt+ArrowDown');
    await shows('r1');
    await pressAt(ui.win.editor, 'Alt+ArrowUp');
    await shows('r0');
    await pressAt(ui.win.editor, 'Alt+ArrowUp');
    await shows('r5');
    await eventually(async () =>
      assert.equal(await ui.win.page.locator('.tab').count(), 1, 'the task is still in front'),
    );
    await pressAt(ui.win.editor, 'Escape');
    await peek.waitFor({ state: 'hidden' });
  });

  it('opens a trace from its line, and the attempts beside it', async () => {
    await ui.win.command('View: Focus Active Editor Group');
    await ui.win.pick('ControlOrMeta+Shift+O', '@r0', 'r0');
    // Links are found a moment after the text is there.
    await ui.win.page.locator('.view-line .detected-link').filter({ hasText: /^r0$/ }).first().waitFor();
    await ui.win.command('Open Link');
    await ui.win.tab(/r0/).waitFor();
    await firstLine(/^Trace\se2\/.*\/r0$/);
    await lens('Next Attempt').waitFor();
    await ui.win.command('View: Keep Editor');
    await pressAt(ui.win.editor, 'Alt+ArrowDown');
    await firstLine(/^Trace\se2\/.*\/r1$/);
    await pressAt(ui.win.editor, 'Alt+ArrowUp');
    await firstLine(/^Trace\se2\/.*\/r0$/);
  });

  for (const [kind, theme] of Object.entries(themes)) {
    it(`is legible in ${theme}`, async () => {
      await ui.win.pick('F1', '>Preferences: Color Theme', 'Preferences: Color Theme');
      const box = ui.win.page.getByPlaceholder('Select Color Theme');
      await box.fill(theme);
      await ui.win.row(theme).waitFor();
      await box.press('Enter');
      await box.waitFor({ state: 'hidden' });
      await top(/r0/);
      await lens('Next Attempt').waitFor();
      await shot(`trace-document-${kind}`);
      await top(/epoch 2/);
      await lens('Peek Attempts').waitFor();
      await shot(`task-document-${kind}`);
    });
  }

  const noted = 'why <answer> not the *second* call? &lt; [x](y)';
  const note = (text: string) => ui.win.page.locator('.review-widget .comment-body').filter({ hasText: text });

  it('lays the attempts side by side', async () => {
    await ui.win.tab(/epoch 2/).click();
    await ui.win.command('GenEnv: Attempts Side by Side');
    const page = await ui.win.webview('attempts');
    await page.getByRole('grid').waitFor();
    await page.locator('thead [tabindex="0"]').focus();
    await pressAt(page.getByRole('grid'), 'ArrowRight', 'd');
    await ui.win.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
    await ui.win.command('View: Close Editor');
    await ui.win.tab('Attempts').first().click();
    await shot('attempts-page');
  });

  it('takes a note on a turn', async () => {
    await top(/r0/);
    await firstLine(/^Trace\se2\/.*\/r0$/);
    await ui.win.pick('ControlOrMeta+Shift+O', '@turn 1', 'turn 1');
    await ui.win.command('Comments: Add Comment on Current Selection');
    await ui.win.page.locator('.review-widget .monaco-editor').first().waitFor();
    const writing = ui.win.page.locator('.review-widget');
    // Each would be lost or read as markup if a note were Markdown.
    await typeAt(writing, noted);
    await pressAt(writing, 'ControlOrMeta+Enter');
    await note(noted).waitFor();
    await shot('trace-note');
    await ui.win.command('GenEnv: Focus on Runs View');
    await ui.win
      .treeItem(/^Trace .*1 note|^Task .*1 note/)
      .first()
      .waitFor();
  });

  it('finds its tabs again after a reload', async () => {
    await top(/r0/);
    await firstLine(/^Trace\se2\/.*\/r0$/);
    await ui.win.reload();
    await ui.win.tab(/r0/).waitFor();
    await top(/r0/);
    await firstLine(/^Trace\se2\/.*\/r0$/);
    await lens('Next Attempt').waitFor();
    await note(noted).waitFor();
    await top(/epoch 2/);
    await firstLine(/^Task\se2/);
    await ui.win.tab('Attempts').first().click();
    await (await ui.win.webview('attempts')).getByRole('grid').waitFor();
    await eventually(async () => assert.equal(await ui.win.page.locator('.tab').count(), 3));
  });
});
