/** `npm run vscode` where there is no desktop VS Code, as a new user meets it: an address, an empty view, one click. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { chromiumFlags, chromiumPath } from '../support/chromium.ts';
import { pressAt } from '../support/focus.ts';
import { picturesOfFailures, shotPath } from '../support/ui/uiSuite.ts';
import { eventually } from '../support/until.ts';
import { Window } from '../vscode/window.ts';
import { demoWorkspace } from '../vscode/workspace.ts';

const script = fileURLToPath(new URL('../../scripts/vscode.ts', import.meta.url));

describe('npm run vscode', function () {
  this.timeout(300_000);
  let folder: string;
  let data: string;
  let server: ChildProcess;
  let address: string;
  let browser: Browser | undefined;

  before(async () => {
    folder = await demoWorkspace();
    data = await mkdtemp(join(tmpdir(), 'genenv-start-'));
    const child = spawn(process.execPath, [script, '--browser', '--folder', folder, '--data', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server = child;
    address = await new Promise((found, reject) => {
      child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const url = /http:\/\/\S+/.exec(line)?.[0];
        if (url !== undefined) found(url);
      });
    });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumFlags, '--disable-gpu'] });
  });

  picturesOfFailures('start', () => browser?.contexts().flatMap((context) => context.pages()) ?? []);

  after(async () => {
    await browser?.close();
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    for (const made of [folder, data]) await rm(made, { recursive: true, force: true, maxRetries: 5 });
  });

  it('lets nobody in without its token, and listens on this machine alone', async () => {
    const url = new URL(address);
    assert.equal(url.hostname, '127.0.0.1');
    url.searchParams.set('tkn', 'guessed');
    await eventually(async () => assert.equal((await fetch(url)).status, 403));
  });

  it('shows what to do where there are no runs yet, and the demo runs from there', async () => {
    assert.ok(browser !== undefined);
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(address);
    const win = new Window(page);
    await win.ready();
    await win.viewContainer('GenEnv');
    const button = page.locator('.welcome-view-content .monaco-button').filter({ hasText: 'Run the Demo' });
    await button.waitFor({ timeout: 120_000 });
    await win.screenshot(shotPath('start-empty'));
    const ticked = async (): Promise<(string | null)[]> => {
      await win.command('GenEnv: Get Started');
      const steps = ['calibration', 'experiment'].map((step) =>
        page.locator(`[data-done-step-id$="#${step}"]`).first(),
      );
      for (const step of steps) await step.waitFor();
      return Promise.all(steps.map((step) => step.getAttribute('aria-checked')));
    };
    await ticked();
    await win.command('GenEnv: New Experiment…');
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await pressAt(win.quickInput, 'Escape');
    await eventually(async () => assert.deepEqual(await ticked(), ['false', 'false']));
    await button.click();
    await win.treeItem(/^Run embedded demo, running/).waitFor({ timeout: 120_000 });
    await (await win.webview('calibration')).getByText(/Mean p̂ was/).waitFor({ timeout: 120_000 });
    await win.screenshot(shotPath('start-demo'));
    await eventually(async () => assert.deepEqual(await ticked(), ['true', 'false']));
    await win.screenshot(shotPath('start-ticked'));
    await win.command('GenEnv: Stop Run');
    await win.treeItem(/^Run embedded demo, stopped/).waitFor({ timeout: 120_000 });
  });
});
