/** The extension in a real VS Code: how soon it is there, how long it holds the host, how large it is. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchBundles } from './editor/bundles.ts';
import { benchFrames } from './editor/frames.ts';
import { benchInVsCode } from './editor/inVsCode.ts';
import type { Figure } from './figure.ts';
import { writeManyRuns } from './runs.ts';

/** Needs a Chromium, as the tests do. */
export async function benchEditor(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-bench-editor-'));
  try {
    await writeManyRuns(join(folder, '.genenv', 'prepared'));
    const activation = await benchInVsCode('activation.bench.ts', folder);
    const blocking = await benchInVsCode('blocking.bench.ts');
    return [...activation, ...blocking, ...(await benchFrames()), ...(await benchBundles())];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
