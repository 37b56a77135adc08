/** An example of docs/examples as a whole experiment: undisturbed, and killed in the middle of its attempts. */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { taskSchema, type Task } from '../../../src/shared/records/task.ts';
import { traceSchema, type Trace } from '../../../src/shared/records/trace.ts';
import { FakeServer } from '../openai/fakeServer.ts';
import { model } from '../openai/quirks.ts';
import { assertSame, WholeRun } from '../whole/wholeRun.ts';

const examples = new URL('../../../docs/examples/', import.meta.url);

export interface Example {
  /** Of docs/examples. */
  file: string;
  /** Beside this file: the tasks that the example names. */
  tasks: string;
  python: string;
  /** The environment's texts, by the seed. */
  writes: (seed: number) => object;
}

/** The run's records. @throws AssertionError where the killed run's results differ from the other's */
export async function runExample({
  file,
  tasks,
  python,
  writes,
}: Example): Promise<{ tasks: Task[]; traces: Trace[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'genenv-peers-example-'));
  const server = await new FakeServer('vllm').start();
  server.context = 1_000_000;
  server.says = (seed, { messages = [] }) => {
    const read = messages.map(({ content }) => content).join('\n');
    if (read.includes('Write another task')) return { content: `Here: ${JSON.stringify(writes(seed))}` };
    const [, a, b] = /(\d+) \+ (\d+)/.exec(read) ?? [];
    return { content: `It is, please: ${seed % 3 === 0 ? 0 : Number(a) + Number(b)}` };
  };
  try {
    await copyFile(fileURLToPath(new URL(file, examples)), join(dir, file));
    await copyFile(fileURLToPath(new URL(tasks, import.meta.url)), join(dir, tasks));
    const endpoint = { kind: 'openai', url: server.url, model };
    const path = join(dir, 'example.genenv.json');
    await writeFile(
      path,
      JSON.stringify({
        ...{ version: 1, preset: 'default', name: 'example', mode: 'random', epochs: 1, domain: { file } },
        ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
        ...{ generation: { families: 2, variations: 1, attempts: 2 }, rollouts: { group: 2, maxTurns: 6 } },
        ...{ validation: { tasks: 2, every: 0 }, reward: { network: true, seconds: 120, megabytes: 8192 } },
      }),
    );
    const env = { GENENV_PYTHON: python, PYTHONPATH: dir };
    const whole = new WholeRun(path, join(dir, 'whole'), env);
    await whole.finish();
    const expected = await whole.left();
    const killed = new WholeRun(path, join(dir, 'killed'), env);
    const { traces } = await killed.kill(({ traces: lines }) => lines.some((line) => line.includes('"id":"e1/')));
    assert(traces.length < expected.traces.size, 'it was killed on its way');
    await killed.finish();
    assertSame(await killed.left(), expected);
    const lines = (records: ReadonlyMap<string, string>): unknown[] =>
      [...records.values()].map((one): unknown => JSON.parse(one));
    return {
      tasks: lines(expected.tasks).map((one) => taskSchema.parse(one)),
      traces: lines(expected.traces).map((one) => traceSchema.parse(one)),
    };
  } finally {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** The attempts have their tokens, and verdicts of both kinds without an error. */
export function assertJudged(traces: readonly Trace[]): void {
  for (const { id, messages, verdict } of traces) {
    assert.equal(verdict.error, undefined, id);
    const said = messages.filter(({ role }) => role === 'assistant');
    assert(said.length > 0, id);
    for (const { tokens = [] } of said) assert(tokens.length > 0, `${id} has its tokens`);
  }
  assert.deepEqual(new Set(traces.map(({ verdict }) => verdict.success)), new Set([true, false]));
}
