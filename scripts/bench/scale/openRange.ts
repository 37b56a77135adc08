/** Opens a run's records, reads them at places all over it, and says what that took: `openRange.ts ROOT`, with --expose-gc. */
import { performance } from 'node:perf_hooks';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { watched } from './watched.ts';

const [, , root = ''] = process.argv;
const store = new RunStore(root, { clock: { now: () => Date.now() }, log: console, version: 'bench' });
globalThis.gc?.();
const told = await watched(async () => {
  const start = performance.now();
  const [newest] = await store.list();
  if (newest === undefined) throw new Error(`No runs in ${root}`);
  const reader = await store.openReader(newest.id);
  const { traces } = await reader.rows();
  const opened = performance.now();
  // A page shows 60 rows next to each other.
  const places = 20;
  for (let i = 0; i < places; i++) {
    const from = Math.floor(((traces.count - 60) * i) / (places - 1));
    for (let row = from; row < from + 60; row++) {
      if ((await reader.traceAt(row)) === undefined) throw new Error(`There is no row ${row}.`);
    }
  }
  const page = (performance.now() - opened) / places;
  const found = performance.now();
  const last = await reader.traceAt(traces.count - 1);
  if (last === undefined || (await reader.trace(last.id)) === undefined) throw new Error('The last one is not found.');
  const told = { traces: traces.count, opened: (opened - start) / 1000, page, byId: performance.now() - found };
  await reader.close();
  return told;
});
console.log(JSON.stringify(told));
