/** The packaged extension as a new user meets it: from the palette to a finished run, with a pause, a change and a reload. */
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame } from 'playwright-core';
import { onlyRun } from '../support/runContents.ts';
import { startHost, type Host } from '../vscode/host.ts';
import { packagedExtension } from '../vscode/packaged.ts';
import type { Window } from '../vscode/window.ts';
import { demoWorkspace } from '../vscode/workspace.ts';

const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url));
/** The demo, smaller: a file of this name is what Run the Demo takes. */
const demo = {
  version: 1,
  name: 'small demo',
  preset: 'embedded',
  mode: 'coevolve',
  seed: 1,
  epochs: 10,
  generation: { families: 6 },
  validation: { tasks: 60 },
};

describe('a first hour with the extension', function () {
  this.timeout(300_000);
  let folder: string;
  let host: Host | undefined;
  let win: Window;

  before(async () => {
    folder = await demoWorkspace();
    await writeFile(join(folder, 'demo.genenv.json'), JSON.stringify(demo, null, 2));
    host = await startHost({ smoke: false, vsix: await packagedExtension() });
    win = await host.open({ folder });
  });

  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  const shot = (name: string): Promise<void> => win.screenshot(join(screenshots, `journey-${name}.png`));
  const calibration = (): Promise<Frame> => win.webview('calibration');
  /** Waits for the state that calibration's header tells. */
  const state = async (word: string): Promise<void> => {
    const header = (await calibration()).locator('header [role=status]');
    await header.filter({ hasText: word }).waitFor({ timeout: 120_000 });
  };

  it('runs the demo from the palette: calibration draws itself', async () => {
    await win.command('GenEnv: Run the Demo');
    await state('running');
    const page = await calibration();
    await page.getByText(/Mean p̂ was/).waitFor();
    await shot('running');
  });

  it('grows a tree of epochs, families, tasks and traces, read with the keyboard alone', async () => {
    await win.command('GenEnv: Focus on Runs View');
    await win.treeItem(/small demo, running/).waitFor();
    await win.press('Home', 'ArrowRight');
    await win.treeItem(/^Epoch 1\b/).waitFor();
    await win.treeItem(/^Epoch 2\b/).waitFor({ timeout: 60_000 });
    await shot('tree');
  });

  it('pauses at a phase boundary', async () => {
    await win.command('GenEnv: Pause at Phase Boundary');
    await state('paused');
    await shot('paused');
  });

  it('comes back after a reload: calibration in its place, the run still paused', async () => {
    await win.reload();
    await state('paused');
    await (await calibration()).getByText(/Mean p̂ was/).waitFor();
  });

  it('takes another α from the form', async () => {
    await win.openFile('demo.genenv.json');
    const form = await win.webview('experiment');
    const alpha = form.locator('[data-field="curriculum.alpha"] input').first();
    await alpha.fill('0.4');
    await alpha.press('Tab');
    await form.getByRole('button', { name: 'Apply to the Run' }).click();
    await shot('form');
    await win.press('ControlOrMeta+S');
    await win.tab('demo.genenv.json').and(win.page.locator(':not(.dirty)')).waitFor();
    assert.match(await readFile(join(folder, 'demo.genenv.json'), 'utf8'), /"alpha": 0\.4/);
  });

  it('resumes and finishes; the change is in the journal and marked in the charts', async () => {
    await win.command('GenEnv: Resume Run');
    await win.message('“small demo” is finished');
    const root = join(folder, '.genenv', 'runs');
    const journal = await readFile(join(root, await onlyRun(root), 'journal.jsonl'), 'utf8');
    assert.match(journal, /"type":"settings\.changed".*"field":"curriculum\.alpha","from":0\.5,"to":0\.4/);
    assert.match(journal, /"type":"run\.finished"/);
    await win.command('GenEnv: Open Calibration');
    await state('finished');
    await shot('finished');
    // Charts further down are drawn when they come into sight.
    const chart = (await calibration()).locator('#validation');
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('g.changes line').waitFor({ state: 'attached' });
    await shot('marked');
  });
});
