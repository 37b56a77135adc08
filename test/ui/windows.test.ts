/** One run, several onlookers: a second window, and a terminal beside the editor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cli } from '../support/cliRun.ts';
import { startHost, type Host } from '../vscode/host.ts';
import { packagedExtension } from '../vscode/packaged.ts';
import type { Window } from '../vscode/window.ts';
import { demoWorkspace } from '../vscode/workspace.ts';

const screenshots = fileURLToPath(new URL('screenshots/', import.meta.url));
/** More epochs than a test waits for. */
const long = { version: 1, preset: 'embedded', mode: 'coevolve', seed: 1, epochs: 500, generation: { families: 4 } };

describe('a run seen from several places', function () {
  this.timeout(300_000);
  let folder: string;
  let host: Host | undefined;
  let one: Window;
  let other: Window;

  before(async () => {
    folder = await demoWorkspace();
    for (const name of ['here', 'terminal']) {
      await writeFile(join(folder, `${name}.genenv.json`), JSON.stringify({ ...long, name }));
    }
    const settings = { 'genenv.openCalibrationOnStart': false };
    host = await startHost({ smoke: false, vsix: await packagedExtension(), settings });
    one = await host.open({ folder });
    other = await host.open({ folder });
  });

  after(async () => {
    await host?.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await one.screenshot(join(screenshots, 'windows-failed-one.png'));
    await other.screenshot(join(screenshots, 'windows-failed-other.png'));
  });

  it('grows in a second window, which can pause it', async () => {
    await one.openFile('here.genenv.json');
    await one.command('GenEnv: Start Run');
    await other.command('GenEnv: Focus on Runs View');
    await other.treeItem(/^Run here, running/).waitFor({ timeout: 60_000 });
    // There was no row to take the focus before.
    await other.command('GenEnv: Focus on Runs View');
    await other.press('Home', 'ArrowRight');
    await other.treeItem(/^Epoch 2\b/).waitFor({ timeout: 60_000 });
    await other.command('GenEnv: Pause at Phase Boundary');
    await one.command('GenEnv: Focus on Runs View');
    for (const win of [one, other]) await win.treeItem(/^Run here, paused/).waitFor({ timeout: 60_000 });
  });

  it('appears while a terminal writes it, and is paused from the editor', async () => {
    const root = join(folder, '.genenv', 'runs');
    const child = spawn(process.execPath, [cli, 'run', join(folder, 'terminal.genenv.json'), '--root', root], {
      stdio: 'ignore',
    });
    try {
      const ended = once(child, 'exit');
      await one.treeItem(/^Run terminal, running/).waitFor({ timeout: 60_000 });
      await one.screenshot(join(screenshots, 'windows-terminal.png'));
      await one.command('GenEnv: Pause at Phase Boundary');
      await ended;
      await one.treeItem(/^Run terminal, paused/).waitFor({ timeout: 60_000 });
    } finally {
      child.kill('SIGKILL');
    }
  });
});
