/** Restricted Mode: everything can be read, nothing runs, and both are said. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInto } from '../support/cliRun.ts';
import { startHost, type Host } from '../vscode/host.ts';
import { packagedExtension } from '../vscode/packaged.ts';
import type { Window } from '../vscode/window.ts';
import { demoWorkspace } from '../vscode/workspace.ts';

const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url));

describe('a folder that is not trusted', function () {
  this.timeout(300_000);
  let folder: string;
  let host: Host | undefined;
  let win: Window;

  before(async () => {
    folder = await demoWorkspace();
    await runInto(folder, 'embedded.genenv.json', 'epochs=2', 'generation.families=4', 'validation.tasks=40');
    host = await startHost({ smoke: false, vsix: await packagedExtension(), trust: true });
    win = await host.open({ folder });
  });

  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is read: tree, calibration, form', async () => {
    await win.status('Restricted Mode').waitFor();
    await win.command('GenEnv: Focus on Runs View');
    await win.treeItem(/^Run embedded demo, finished/).waitFor();
    await win.command('GenEnv: Open Calibration');
    await (await win.webview('calibration')).getByText(/Mean p̂ was/).waitFor();
    await win.openFile('embedded.genenv.json');
    await (await win.webview('experiment')).getByText('Target success rate').first().waitFor();
    await win.screenshot(join(screenshots, 'trust.png'));
  });

  it('starts nothing, and says why', async () => {
    await win.command('GenEnv: Run the Demo');
    await win.message('Restricted Mode');
  });

  it('runs once it is trusted', async () => {
    await win.command('Workspaces: Manage Workspace Trust');
    await win.page
      .locator('.workspace-trust-editor .monaco-button')
      .filter({ hasText: /^Trust$/ })
      .first()
      .click();
    await win.command('GenEnv: Run the Demo');
    await win.status(/epoch \d+\/100/).waitFor({ timeout: 60_000 });
    await win.command('GenEnv: Stop Run');
    await win.status(/epoch \d+\/100/).waitFor({ state: 'hidden', timeout: 60_000 });
  });
});
