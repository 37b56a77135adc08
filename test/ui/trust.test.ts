/** Restricted Mode: everything can be read, nothing runs, and both are said. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleAdapter } from '../support/adapters/sampleAdapter.ts';
import { runInto } from '../support/cliRun.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';

const talk = {
  ...{ version: 1, run: '.genenv/runs/strange', policies: ['agent@0'], task: null },
  ...{ temperature: 1, maxTokens: 32, seed: 0 },
  exchanges: [{ you: 'first get f2 beans', answers: [[{ role: 'assistant', content: 'left 9' }]], by: ['agent@0'] }],
};

describe('a folder that is not trusted', function () {
  this.timeout(300_000);
  const ui = uiSuite('trust', {
    packaged: true,
    trust: true,
    prepare: async (folder) => {
      await writeFile(join(folder, 'stranger.adapter.json'), JSON.stringify(sampleAdapter()));
      await writeFile(join(folder, 'stranger.talk.json'), JSON.stringify(talk));
      return runInto(folder, 'embedded.genenv.json', 'epochs=2', 'generation.families=4', 'validation.tasks=40');
    },
  });

  it('is read: tree, calibration, form', async () => {
    await ui.win.status('Restricted Mode').waitFor();
    await ui.win.command('GenEnv: Focus on Runs View');
    await ui.win.treeItem(/^Run embedded demo, finished/).waitFor();
    await ui.win.command('GenEnv: Open Calibration');
    await (await ui.win.webview('calibration')).getByText(/Mean p̂ was/).waitFor();
    await ui.win.openFile('embedded.genenv.json');
    await (await ui.win.webview('experiment')).getByText('Target success rate').first().waitFor();
    await ui.win.screenshot(shotPath('trust'));
  });

  it('shows an adapter without looking at its data', async () => {
    await ui.win.openFile('stranger.adapter.json');
    const page = await ui.win.webview('adapter');
    await page.getByText('Trust this folder to see its data, try answers and check the adapter.').waitFor();
  });

  it('shows a conversation and continues none', async () => {
    await ui.win.openFile('stranger.talk.json');
    const page = await ui.win.webview('talk');
    await page.getByText('Trust this folder to talk: nothing runs in Restricted Mode.').waitFor();
    await page.getByText('left 9').waitFor();
    await page.locator('button:disabled', { hasText: 'Send' }).waitFor();
  });

  for (const command of ['Run the Demo', 'Play Task…', 'Talk to Checkpoint…'])
    it(`does not begin “${command}”, and says why`, async () => {
      await ui.win.command(`GenEnv: ${command}`);
      await ui.win.answer('Restricted Mode', 'Manage Workspace Trust');
      await ui.win.command('View: Close All Editors');
    });

  it('runs once it is trusted', async () => {
    await ui.win.command('Workspaces: Manage Workspace Trust');
    await ui.win.page
      .locator('.workspace-trust-editor .monaco-button')
      .filter({ hasText: /^Trust$/ })
      .first()
      .click();
    await ui.win.command('GenEnv: Run the Demo');
    await ui.win.status(/epoch \d+\/100/).waitFor({ timeout: 120_000 });
    await ui.win.command('GenEnv: Stop Run');
    await ui.win.status(/epoch \d+\/100/).waitFor({ state: 'hidden', timeout: 120_000 });
  });
});
