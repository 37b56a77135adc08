/** Runs that outlive their window: reload, a second window, and how a queue looks in every theme. Packaged. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { lookAtRunner } from '../../src/features/runner/node/runnerFiles.ts';
import { cli } from '../support/built.ts';
import { shotPath, uiSuite } from '../support/ui/uiSuite.ts';
import { until } from '../support/until.ts';
import { themes } from '../vscode/settings.ts';

/** More epochs than a test waits for. */
const long = { version: 1, preset: 'embedded', mode: 'coevolve', seed: 1, epochs: 500, generation: { families: 4 } };
const server = { kind: 'tinker', url: 'http://127.0.0.1:9/v1', key: '${secret:lab}', model: 'm', rank: 0 };

describe('a run in the queue', function () {
  this.timeout(300_000);
  const ui = uiSuite('runner', {
    packaged: true,
    settings: { 'genenv.openCalibrationOnStart': false, 'genenv.runs.where': 'runner' },
    prepare: async (folder) => {
      for (const name of ['outlives', 'second', 'third']) {
        await writeFile(join(folder, `${name}.genenv.json`), JSON.stringify({ ...long, name }));
      }
      const endpoints = { agent: server, environment: server };
      const remote = { version: 1, name: 'remote', preset: 'embedded', epochs: 5, endpoints };
      await writeFile(join(folder, 'remote.genenv.json'), JSON.stringify(remote));
    },
  });
  const root = (): string => join(ui.folder, '.genenv', 'runs');
  const genenv = (...words: string[]) =>
    promisify(execFile)(process.execPath, [cli, ...words, '--root', root()], { cwd: ui.folder });
  const around = { clock: { now: () => Date.now() }, log: { info: () => undefined, warn: () => undefined } };
  /** The queue's open entries, whose first try may have left some. */
  const open = async () =>
    (await lookAtRunner(root(), around)).queue.filter(({ state }) => /^(?:waiting|running)$/.test(state));
  const works = async (): Promise<boolean> => (await lookAtRunner(root(), around)).holder !== null;
  const holder = async (): Promise<number> =>
    z.looseObject({ pid: z.int() }).parse(JSON.parse(await readFile(join(root(), '.runner', 'lease'), 'utf8'))).pid;

  it('goes on while its window is reloaded, and a second window pauses it at once', async () => {
    await genenv('runner', 'stop');
    for (const { run } of await open()) await genenv('queue', 'remove', run);
    await ui.win.openFile('outlives.genenv.json');
    await ui.win.command('GenEnv: Start Run');
    await ui.win.command('GenEnv: Focus on Runs View');
    await ui.win.treeItem(/^Run outlives, running/).waitFor({ timeout: 120_000 });
    const runner = await holder();
    await ui.win.reload();
    await ui.win.command('GenEnv: Focus on Runs View');
    await ui.win.treeItem(/^Run outlives, running/).waitFor({ timeout: 120_000 });
    const still = await holder();
    assert.equal(still, runner);
    assert.ok(!ui.host.extensionHosts().includes(runner));
    const other = await ui.another();
    await other.command('GenEnv: Focus on Runs View');
    await other.treeItem(/^Run outlives, running/).waitFor({ timeout: 120_000 });
    await other.command('GenEnv: Pause Now');
    for (const win of [ui.win, other]) await win.treeItem(/^Run outlives, paused/).waitFor({ timeout: 120_000 });
    await other.page.close();
  });

  it('shows who waits for whom, and lets a person change the order', async () => {
    const there = await open();
    for (const name of ['second', 'third', 'remote']) {
      if (!there.some((one) => one.name === name)) await genenv('queue', 'add', `${name}.genenv.json`);
    }
    for (const { run, name } of there) if (name === 'remote') await genenv('queue', 'move', run, 'last');
    if (!(await works())) await ui.win.command('GenEnv: Resume Queue');
    await ui.win.treeItem(/^Run second, running/).waitFor({ timeout: 120_000 });
    await ui.win.treeItem(/^Run remote, queued, needs the key lab.*place 2/).waitFor({ timeout: 120_000 });
    await ui.win.treeItem(/^Run third, queued, place 1/).waitFor();
    await ui.win.focusTree('Runs', /^Run remote/);
    await ui.win.command('GenEnv: Move Up in Queue');
    await ui.win.row('remote').click();
    await ui.win.treeItem(/^Run remote, queued, needs the key lab.*place 1/).waitFor({ timeout: 60_000 });
  });

  for (const [kind, theme] of Object.entries(themes)) {
    it(`is whole in ${theme}`, async () => {
      // Lower, the list of themes would not show them all.
      await ui.win.page.setViewportSize({ width: 1440, height: 1000 });
      await ui.win.pick('F1', '>Preferences: Color Theme', 'Preferences: Color Theme');
      await ui.win.row(theme).waitFor();
      await ui.win.type(theme);
      for (const width of [1440, 900]) {
        await ui.win.page.setViewportSize({ width, height: 800 });
        await ui.win.treeItem(/^Run third, queued/).waitFor();
        await ui.win.screenshot(shotPath(`runner-${kind}-${width}`));
      }
    });
  }

  it('is followed by another runner where it was killed, and stays stopped where it was stopped', async () => {
    if (!(await works())) await ui.win.command('GenEnv: Resume Queue');
    await ui.win.treeItem(/^Run second, running/).waitFor({ timeout: 120_000 });
    const before = await holder();
    process.kill(before, 'SIGKILL');
    await until('another runner', async () => (await holder().catch(() => before)) !== before);
    await ui.win.treeItem(/^Run second, running/).waitFor({ timeout: 120_000 });
    await genenv('runner', 'stop');
    await ui.win.treeItem(/^Run second, queued.*no runner works/).waitFor({ timeout: 60_000 });
  });
});
