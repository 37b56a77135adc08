/** The extension in a real VS Code: how long it holds the host, how soon large runs are there. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchFrames } from './editor/frames.ts';
import { benchInVsCode } from './editor/inVsCode.ts';
import { writeLargeRun, type LargeRun } from './editor/largeRun.ts';
import type { Figure } from './figure.ts';
import { withFolder } from './withFolder.ts';

const large: LargeRun[] = [
  { name: '100,000 families', epochs: 1000, families: 100, records: false },
  { name: '1,000,000 traces, 2 GB', epochs: 50, families: 625, records: true },
];

/** Needs a Chromium, as the tests do, and 3 GB for temporary files. */
export async function benchEditor(): Promise<Figure[]> {
  return [
    ...(await benchInVsCode('blocking.bench.ts')),
    ...(await withFolder(benchWideEpochs)),
    ...(await eachInTurn(large, (run) => withFolder((folder) => benchOpening(folder, run)))),
    ...(await benchFrames()),
  ];
}

async function benchWideEpochs(folder: string): Promise<Figure[]> {
  const script = fileURLToPath(new URL('editor/wideWriter.ts', import.meta.url));
  const writer = spawn(process.execPath, [script, join(folder, '.genenv', 'runs')], { stdio: 'inherit' });
  try {
    return await benchInVsCode('wideEpochs.bench.ts', folder);
  } finally {
    const ended = new Promise((resolve) => writer.once('close', resolve));
    writer.kill();
    await ended;
  }
}

/** Each in a window of its own, which has read nothing yet. */
async function benchOpening(folder: string, run: LargeRun): Promise<Figure[]> {
  await writeLargeRun(join(folder, '.genenv', 'runs'), run);
  return eachInTurn(['in the tree', 'in calibration'], (test) => benchInVsCode('openLarge.bench.ts', folder, test));
}

async function eachInTurn<T>(values: readonly T[], bench: (value: T) => Promise<Figure[]>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const value of values) figures.push(...(await bench(value)));
  return figures;
}
