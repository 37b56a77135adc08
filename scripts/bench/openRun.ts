/** Opens the newest run of a folder as a view would, and says what that took. Run by `runs.ts` with --expose-gc. */
import { performance } from 'node:perf_hooks';
import { RunStore } from '../../src/runs/store/runStore.ts';

const [, , root = ''] = process.argv;
const store = new RunStore(root, { clock: { now: () => Date.now() }, log: console, version: 'bench' });
globalThis.gc?.();
const before = process.memoryUsage().rss;
let peak = before;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 5);
const start = performance.now();
const [newest] = await store.list();
if (newest === undefined) throw new Error(`No runs in ${root}`);
const reader = await store.openReader(newest.id);
await reader.head();
const { count, families } = await reader.columns();
const seconds = (performance.now() - start) / 1000;
clearInterval(watch);
const rss = Math.max(peak, process.memoryUsage().rss) - before;
console.log(JSON.stringify({ runs: 1, traces: count, families: families.count, seconds, rss }));
