/** Opens the tasks of a folder's one run as the editor does, and says what that took. Run by `tasks.ts` with --expose-gc. */
import { performance } from 'node:perf_hooks';
import { EditedTasks } from '../../src/features/tasks/node/editedTasks.ts';
import { emptyState } from '../../src/engine/state.ts';
import { RunTasks } from '../../src/features/tasks/node/runTasks.ts';
import { runSource } from '../../src/features/tasks/node/taskSource.ts';
import type { TasksQuery } from '../../src/features/tasks/contract.ts';
import { RunStore } from '../../src/runs/store/runStore.ts';
import { processorSeconds } from './processorSeconds.ts';

const [, , root = ''] = process.argv;
const store = new RunStore(root, { clock: { now: () => Date.now() }, log: console, version: 'bench' });
const [newest] = await store.list();
if (newest === undefined) throw new Error(`No runs in ${root}`);
const { signal } = new AbortController();
globalThis.gc?.();
const before = process.memoryUsage().rss;

/** Milliseconds of processor time of this thread. */
const busy = (): number => processorSeconds() * 1000;

/** Milliseconds that some work took by the clock and of the processor, and the longest that it held the thread. */
async function timed(work: () => Promise<unknown>): Promise<{ ms: number; cpu: number; held: number }> {
  let held = 0;
  let last = busy();
  let isOver = false;
  // One turn of the event loop each: work between two of them blocks the others.
  const turn = (): void => {
    const now = busy();
    held = Math.max(held, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const [start, from] = [performance.now(), busy()];
  await work();
  const [ms, cpu] = [performance.now() - start, busy() - from];
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return { ms, cpu, held };
}

const reader = await store.openReader(newest.id);
let opened: RunTasks | undefined;
const opening = await timed(async () => {
  opened = await RunTasks.open(
    {
      reader,
      given: [],
      scoredEpochs: () => [],
      familiesOf: () => Promise.resolve([]),
      lambdaOf: () => 1,
      state: () => emptyState,
    },
    null,
  );
});
if (opened === undefined) throw new Error('nothing was opened');
const tasks = new EditedTasks(runSource(opened, () => Promise.resolve()));
await tasks.view.again(signal);
globalThis.gc?.();
const memory = process.memoryUsage().rss - before;
const { count } = tasks.columns;

const screens = 50;
const rows = 60;
const scrolling = await timed(async () => {
  for (let i = 0; i < screens; i++) {
    const from = Math.floor(((i * 0.618) % 1) * (count - rows));
    await tasks.shown(from, from + rows);
  }
});
const show = (text: string, order: TasksQuery['order']) => () =>
  tasks.show({ text, order, descending: true }, signal, () => undefined);
const sorting = await timed(show('', 'successRate'));
const filtering = await timed(show('epoch:2..5 p<0.5 -status:rejected', 'written'));
const excluding = await timed(async () => {
  const all = tasks.view.matching.subarray(0, 100_000);
  await tasks.apply(await tasks.exclude(all, 'bench'));
});
const scanning = await timed(show('', 'length'));
const naming = await timed(show('', 'id'));
const searching = await timed(show('"apple n7"', 'id'));
await tasks.source.close();
await reader.close();
const held = Math.max(
  ...[opening, scrolling, sorting, filtering, excluding, scanning, naming, searching].map((one) => one.held),
);
console.log(
  JSON.stringify({
    count,
    held,
    memory,
    open: opening.ms,
    screen: scrolling.ms / screens,
    sort: sorting.cpu,
    filter: filtering.cpu,
    exclude: excluding.cpu,
    scan: scanning.ms,
    name: naming.cpu,
    search: searching.ms,
  }),
);
