/**
 * Opens the run named on the command line and appends to it without end, from where it stopped: two traces, a task and
 * an event that counts them, again and again, several under way at once. Says `appending`, then how much was
 * acknowledged after each round, and never ends by itself.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { makeTask, makeTrace } from './records.ts';

// It does not live to keep at its end what it has compiled, and the next one begins with the same sources.
flushCompileCache();

const [, , root = '', id = ''] = process.argv;
const log = { info: () => undefined, warn: () => undefined };
const store = new RunStore(root, { clock: { now: () => Date.now() }, log, version: 'test' });
const writer = await store.openWriter(id);
let round = 0;
for await (const event of writer.events()) round = event.seq + 1;
const known = new Set((await writer.tracesOf(1)).map((trace) => trace.id));
const tasks = new Set((await writer.tasksOf(1)).map((task) => task.id));
writeSync(1, `appending ${round}\n`);

/** Sizes differ from round to round, so that kills fall everywhere in lines and blocks. */
const words = (n: number): string => 'word '.repeat((n * 37) % 400);

for (; ; round++) {
  const traces = [0, 1].map((r) =>
    makeTrace({ id: `t${round}/r${r}`, messages: [{ role: 'assistant', content: words(round + r) }] }),
  );
  const task = makeTask({ id: `t${round}`, gold: words(round) });
  await Promise.all([
    writer.appendTraces(traces.filter((trace) => !known.has(trace.id))),
    writer.appendTasks(tasks.has(task.id) ? [] : [task]),
  ]);
  await writer.append({
    v: 1,
    seq: round,
    at: Date.now(),
    type: 'pools.grown',
    epoch: 1,
    agent: { addedTasks: 1, addedTraces: 2, tasks: round + 1, traces: 2 * (round + 1) },
    environment: { added: 0, size: 0 },
  });
  writeSync(1, `${round + 1}\n`);
}
