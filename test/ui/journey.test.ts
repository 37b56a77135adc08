/** The packaged extension as a new user meets it: from the palette to a finished run, with a pause, a change and a reload. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { onlyRun } from '../support/runContents.ts';
import { story } from '../support/ui/story.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';

/**
 * The demo, smaller: a file of this name is what Run the Demo takes. Long enough that a machine with much else to do has
 * not come to its end before the person looks at it and pauses it.
 */
const demo = {
  version: 1,
  name: 'small demo',
  preset: 'embedded',
  mode: 'coevolve',
  seed: 1,
  epochs: 30,
  generation: { families: 6 },
  validation: { tasks: 60 },
};

describe('a first hour with the extension', function () {
  this.timeout(300_000);
  story();
  const ui = uiSuite('journey', {
    packaged: true,
    prepare: (folder) => writeFile(join(folder, 'demo.genenv.json'), JSON.stringify(demo, null, 2)),
  });

  const shot = (name: string): Promise<void> => ui.win.screenshot(shotPath(`journey-${name}`));
  const calibration = (): Promise<Frame> => ui.win.webview('calibration');
  /** Waits for the state that calibration's header tells. */
  const state = async (word: string): Promise<void> => {
    const header = (await calibration()).locator('header [role=status]');
    await header.filter({ hasText: word }).waitFor({ timeout: 240_000 });
  };

  it('runs the demo from the palette: calibration draws itself', async () => {
    await ui.win.command('GenEnv: Run the Demo');
    await state('running');
    const page = await calibration();
    await page.getByText(/Mean p̂ was/).waitFor();
    await shot('running');
  });

  it('grows a tree of epochs, families, tasks and traces, read with the keyboard alone', async () => {
    await ui.win.focusTree('Runs', /small demo, running/);
    await ui.win.pressOn(ui.win.treeItem(/small demo, running/), 'ArrowRight');
    await ui.win.treeItem(/^Epoch 1\b/).waitFor();
    await ui.win.treeItem(/^Epoch 2\b/).waitFor({ timeout: 120_000 });
    const row = new RegExp(`^Run small demo, running, epoch \\d+/${String(demo.epochs)}, about \\d+ (s|min) left`);
    await ui.win.treeItem(row).waitFor();
    await ui.win.status(/about \d+ (s|min) left/).waitFor();
    await shot('tree');
  });

  it('pauses at a phase boundary', async () => {
    await ui.win.command('GenEnv: Pause at Phase Boundary');
    await state('paused');
    await shot('paused');
  });

  it('comes back after a reload: calibration in its place, the run still paused', async () => {
    await ui.win.reload();
    await state('paused');
    await (await calibration()).getByText(/Mean p̂ was/).waitFor();
  });

  it('takes another α from the form', async () => {
    await ui.win.openFile('demo.genenv.json');
    const form = await ui.win.webview('experiment');
    const alpha = form.locator('[data-field="curriculum.alpha"] input').first();
    await alpha.fill('0.4');
    await alpha.press('Tab');
    await form.getByRole('button', { name: 'Apply to the Run' }).click();
    await shot('form');
    await alpha.press('ControlOrMeta+S');
    await ui.win.tab('demo.genenv.json').and(ui.win.page.locator(':not(.dirty)')).waitFor();
    await eventually(async () =>
      assert.match(await readFile(join(ui.folder, 'demo.genenv.json'), 'utf8'), /"alpha": 0\.4/),
    );
  });

  it('resumes and finishes; the change is in the journal and marked in the charts', async () => {
    await ui.win.command('GenEnv: Resume Run');
    await ui.win.command('GenEnv: Open Calibration');
    await state('finished');
    await ui.win.message('“small demo” is finished');
    const root = join(ui.folder, '.genenv', 'runs');
    const journal = await readFile(join(root, await onlyRun(root), 'journal.jsonl'), 'utf8');
    assert.match(journal, /"type":"settings\.changed".*"field":"curriculum\.alpha","from":0\.5,"to":0\.4/);
    assert.match(journal, /"type":"run\.finished"/);
    await shot('finished');
    // Charts further down are drawn when they come into sight.
    const chart = (await calibration()).locator('#validation');
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('g.changes line').waitFor({ state: 'attached' });
    await shot('marked');
  });
});
