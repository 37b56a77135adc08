/** Inside the extension host: activation beside 100 runs. They are moved into place first, so that nothing is awake yet. */
import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { activationCost, restCost } from './activationCost.ts';
import { tellFigure } from './tell.ts';
import { watchReads } from './fileReads.ts';

/** Of a head: the manifest, the name that a person gave it, who writes, and the ends of the two journals. */
const heads = /^[^/]+\/(run\.json|label\.json|journal\.jsonl|sessions\.jsonl|lease)$/;

describe('activation', () => {
  it('beside 100 runs', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const extension = vscode.extensions.getExtension('genenv.genenv');
    if (extension === undefined || extension.isActive) throw new Error('The extension is missing or already awake.');
    const runs = join(folder, '.genenv', 'runs');
    await rename(join(folder, '.genenv', 'prepared'), runs);
    const reads = watchReads(runs);
    const { load, activate, elapsed } = await activationCost(extension);
    await settled(() => reads.bytes.size);
    reads.restore();
    const count = (await readdir(runs)).length;
    const names = [...reads.bytes.keys()].filter((name) => name !== '');
    const beyond = names.filter((name) => !heads.test(name));
    const read = [...reads.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const all = (await Promise.all(names.map((name) => stat(join(runs, name))))).reduce(
      (sum, { size }) => sum + size,
      0,
    );
    const seen = new Set(names.map((name) => name.split('/')[0])).size;
    tellFigure({
      name: `activation beside ${count} runs`,
      value: load + activate,
      unit: 'ms',
      budget: 50,
      better: 'lower',
      note: `processor time of the host’s thread: ${load.toFixed(0)} ms to load the code, ${activate.toFixed(0)} ms to register the parts; ${elapsed.toFixed(0)} ms by the clock`,
    });
    tellFigure({
      name: 'files read beyond the runs’ heads',
      value: beyond.length,
      unit: 'files',
      budget: 0,
      better: 'lower',
      note: `${seen} runs read, ${(read / 1e3 / Math.max(1, seen)).toFixed(1)} kB each, of ${(all / 1e3 / Math.max(1, seen)).toFixed(1)} kB in the same files`,
    });
    tellFigure({
      name: 'code that comes with its first use',
      value: restCost(extension),
      unit: 'ms',
      budget: 150,
      better: 'lower',
      note: 'processor time of the host’s thread, all of it at once, which no single use asks for',
    });
    if (seen < count) throw new Error(`Only ${seen} of ${count} runs were read.`);
  });
});

/** Waits until a number has stopped growing. */
async function settled(measure: () => number): Promise<void> {
  let last = -1;
  for (let still = 0; still < 20; still = measure() === last ? still + 1 : 0) {
    last = measure();
    await sleep(100);
  }
}
