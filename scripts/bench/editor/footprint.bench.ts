/** Inside the extension host: what its process takes, and which code it has loaded, while the demo runs. */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { driver } from '../../../test/vscode/driver.ts';
import { api, next } from '../../../test/support/host/api.ts';
import { tellFigure } from './tell.ts';

const require = createRequire(import.meta.url);
const seconds = 120;
const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** A window each: what one has loaded stays. */
describe('footprint', () => {
  it('of the demo in the runner', () => demo('runner', 400));

  it('of the demo in the host', () => demo('host'));
});

async function demo(where: 'runner' | 'host', budget?: number): Promise<void> {
  const extension = vscode.extensions.getExtension('genenv.genenv');
  if (extension === undefined) throw new Error('The extension is missing.');
  const before = memoryUsage.rss();
  const { catalog } = await api();
  const atStart = loaded(extension.extensionPath);
  const settings = vscode.workspace.getConfiguration('genenv');
  await settings.update('runs.where', where, vscode.ConfigurationTarget.Workspace);
  await driver.command('GenEnv: Focus on Runs View');
  await vscode.commands.executeCommand('genenv.runDemo');
  while (catalog.runs.length === 0) await next(catalog.onDidChangeList);
  const [run] = catalog.runs;
  if (run === undefined) throw new Error('There is no run.');
  await vscode.commands.executeCommand('genenv.openCalibration', { run: run.dir });
  let most = 0;
  for (let i = 0; i < seconds * 10; i++) {
    most = Math.max(most, memoryUsage.rss());
    await sleep(100);
  }
  const epoch = catalog.get(run.dir)?.head.epoch ?? 0;
  if (epoch < 5) throw new Error(`The demo came to epoch ${epoch} only.`);
  const used = loaded(extension.extensionPath);
  const place = where === 'host' ? 'in the host itself' : 'in its runner, as it is by default';
  tellFigure({
    name: `extension host’s memory, the demo ${place}`,
    value: most / 1e6,
    unit: 'MB',
    ...(budget !== undefined && { budget }),
    better: 'lower',
    note: `the process at the most in ${seconds} s and ${epoch} epochs, tree and calibration open; ${inMegabytes(before)} before GenEnv was awake, VS Code’s own extensions and the bench in it`,
  });
  tellFigure({
    name: `extension’s code loaded, the demo ${place}`,
    value: used.bytes / 1e3,
    unit: 'kB',
    ...(budget !== undefined && { budget: 1_500 }),
    better: 'lower',
    note: `whole files of the bundle that the host has asked for, ${used.files} of them; when awake ${(atStart.bytes / 1e3).toFixed(0)} kB in ${atStart.files}`,
  });
}

/** The extension's own code in this process, in bytes of whole files. */
function loaded(path: string): { files: number; bytes: number } {
  const dist = join(path, 'dist') + sep;
  const files = Object.keys(require.cache).filter((file) => file.startsWith(dist));
  return { files: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}
