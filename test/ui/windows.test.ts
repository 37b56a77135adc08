/** One run, several onlookers: a second window, and a terminal beside the editor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cli } from '../support/built.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import type { Window } from '../vscode/window.ts';

/** More epochs than a test waits for. */
const long = { version: 1, preset: 'embedded', mode: 'coevolve', seed: 1, epochs: 500, generation: { families: 4 } };

describe('a run seen from several places', function () {
  this.timeout(300_000);
  const ui = uiSuite('windows', {
    packaged: true,
    settings: { 'genenv.openCalibrationOnStart': false },
    prepare: async (folder) => {
      for (const name of ['here', 'terminal']) {
        await writeFile(join(folder, `${name}.genenv.json`), JSON.stringify({ ...long, name }));
      }
    },
  });
  let one: Window;
  let other: Window;

  before(async () => {
    one = ui.win;
    other = await ui.another();
  });

  it('grows in a second window, which can pause it', async () => {
    await one.openFile('here.genenv.json');
    await one.command('GenEnv: Start Run');
    await other.focusTree('Runs', /^Run here, running/);
    await other.pressOn(other.treeItem(/^Run here, running/), 'ArrowRight');
    await other.treeItem(/^Epoch 2\b/).waitFor({ timeout: 120_000 });
    await other.command('GenEnv: Pause at Phase Boundary');
    await one.command('GenEnv: Focus on Runs View');
    for (const win of [one, other]) await win.treeItem(/^Run here, paused/).waitFor({ timeout: 120_000 });
  });

  it('appears while a terminal writes it, and is paused from the editor', async () => {
    const root = join(ui.folder, '.genenv', 'runs');
    const child = spawn(process.execPath, [cli, 'run', join(ui.folder, 'terminal.genenv.json'), '--root', root], {
      stdio: 'ignore',
    });
    try {
      const ended = once(child, 'exit');
      await one.treeItem(/^Run terminal, running/).waitFor({ timeout: 120_000 });
      await one.screenshot(shotPath('windows-terminal'));
      await one.command('GenEnv: Pause at Phase Boundary');
      await ended;
      await one.treeItem(/^Run terminal, paused/).waitFor({ timeout: 120_000 });
    } finally {
      child.kill('SIGKILL');
    }
  });
});
