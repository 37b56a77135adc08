/** The extension's own share of a machine: time to be there, code, memory while the demo runs, and its package. */
import { join } from 'node:path';
import { packageExtension } from '../vscode/packageExtension.ts';
import { benchBundles } from './editor/bundles.ts';
import { benchInVsCode } from './editor/inVsCode.ts';
import type { Figure } from './figure.ts';
import { writeManyRuns } from './runs.ts';
import { withFolder } from './withFolder.ts';

/** Needs a Chromium, as the tests do. */
export async function benchFootprint(): Promise<Figure[]> {
  return withFolder(async (folder) => [
    ...(await benchActivation(folder)),
    ...(await benchInVsCode('footprint.bench.ts', undefined, 'in the runner')),
    ...(await benchInVsCode('footprint.bench.ts', undefined, 'in the host')),
    ...(await benchBundles()),
    await benchPackage(join(folder, 'genenv.vsix')),
  ]);
}

async function benchActivation(folder: string): Promise<Figure[]> {
  await writeManyRuns(join(folder, '.genenv', 'prepared'));
  return benchInVsCode('activation.bench.ts', folder);
}

async function benchPackage(file: string): Promise<Figure> {
  const { bytes, files } = await packageExtension(file);
  return { name: 'the .vsix', value: bytes / 1e6, unit: 'MB', budget: 3, better: 'lower', note: `${files} files` };
}
