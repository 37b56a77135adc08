import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { agentPool, type AgentPoolLine } from '../../../src/runs/export/agentPool.ts';
import { environmentPool } from '../../../src/runs/export/environmentPool.ts';
import { writeJsonLines } from '../../../src/runs/export/writeJsonLines.ts';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { grown } from '../../support/runs/grown.ts';
import { runError } from '../../support/runs/runError.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const base = new LadderDomain().seeds('base');
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('runs: export', () => {
  it('of the agent pool is the base tasks and every valid training trace, as the loop counted them', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const { id } = await finishedRun(store, smallExperiment({ rollouts: { baseShare: 0.25 } }));
      const reader = await store.openReader(id);
      const state = (await all(reader.events())).reduce(applyEvent, emptyState);
      const lines = await all(agentPool(reader, base));
      const tasks = lines.filter((line) => line.kind === 'base');
      assert.deepEqual(
        tasks.map(({ task }) => task),
        base.map((task) => task.id),
      );
      const traces = lines.filter((line) => line.kind === 'trace');
      assert.equal(traces.length, state.pools.agentTraces);
      assert.ok(traces.length > 20);
      assert.ok(traces.some(({ task }) => task.startsWith('base.')));
      for (const line of traces) {
        const trace = await reader.trace(line.id);
        const task = base.find((one) => one.id === line.task) ?? (await reader.task(line.task));
        assert.deepEqual(line, {
          v: 1,
          kind: 'trace',
          id: trace?.id,
          task: task?.id,
          family: task?.family,
          epoch: trace?.epoch,
          version: trace?.version,
          prompt: task?.prompt,
          messages: trace?.messages,
          reward: trace?.verdict.reward,
          success: trace?.verdict.success,
        });
      }
      await reader.close();
    }));

  it('of the agent pool leaves out validation, ranking, the invalid and the unjudged', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const verdict = { success: false, reward: 0, valid: true };
      const tools = [{ name: 'f3', description: 'Adds.', parameters: {} }];
      await writer.appendTasks([makeTask({ tools })]);
      await writer.appendTraces([
        makeTrace({ id: 'kept' }),
        makeTrace({ id: 'validation', purpose: 'validation' }),
        makeTrace({ id: 'rank', purpose: 'rank' }),
        makeTrace({ id: 'invalid', verdict: { ...verdict, valid: false } }),
        makeTrace({ id: 'unjudged', verdict: { ...verdict, error: 'The checker fell over.' } }),
        makeTrace({ id: 'failed', verdict }),
        makeTrace({ id: 'of a group that may be a part', epoch: 4 }),
      ]);
      await writer.append(grown(1, 0));
      const validation = makeTask({ id: 'held-out', origin: 'validation' });
      const lines: AgentPoolLine[] = await all(agentPool(writer, [validation]));
      assert.deepEqual(
        lines.map((line) => line.kind === 'trace' && [line.id, line.tools]),
        [
          ['kept', tools],
          ['failed', tools],
        ],
      );
      await writer.appendTraces([makeTrace({ id: 'orphan', task: 'base.9' })]);
      const error = await runError(all(agentPool(writer, [])));
      assert.match(error.message, /trace "orphan" attempts task "base\.9", which is neither recorded nor a base task/);
      await writer.close();
    }));

  it('of the environment pool is what the filter kept, with weights that sum to 1 over an epoch', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const settings = smallExperiment({ curriculum: { lambda: 3, kMin: 0.35 } });
      const { id } = await finishedRun(store, settings);
      const reader = await store.openReader(id);
      const events = await all(reader.events());
      const state = events.reduce(applyEvent, emptyState);
      const lines = await all(environmentPool(reader));
      assert.equal(lines.length, state.pools.environment);
      assert.ok(lines.length > 4);
      for (const epoch of new Set(lines.map((line) => line.epoch))) {
        const own = lines.filter((line) => line.epoch === epoch);
        assert.ok(Math.abs(sum(own.map(({ normalisedWeight }) => normalisedWeight)) - 1) < 1e-12);
        // With a hard filter the share is the weight over the epoch's sum.
        const total = sum(own.map(({ weight }) => weight));
        for (const { weight, normalisedWeight } of own) assert.ok(Math.abs(weight / total - normalisedWeight) < 1e-12);
      }
      for (const line of lines) {
        const task = await reader.task(line.task);
        const p = line.familySuccessRate.p ?? Number.NaN;
        assert.ok(Math.abs(p - settings.curriculum.alpha) <= 0.35 + 1e-9);
        const reward = Math.exp(-settings.curriculum.beta * (p - settings.curriculum.alpha) ** 2);
        assert.ok(Math.abs(line.environmentReward - reward) < 1e-12);
        assert.ok(Math.abs(line.weight - Math.exp(3 * reward)) < 1e-9);
        assert.equal(line.kept, 1);
        assert.equal(line.text, task?.generation?.text);
        assert.deepEqual(line.tokens, task?.generation?.tokens);
        assert.deepEqual(line.context, task?.generation?.context);
        assert.match(JSON.stringify(line.context), new RegExp(`write near ${line.seed ?? '?'} at `));
      }
      await reader.close();
    }));

  it('of a run whose tasks are gone says which event cannot be told', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const { id, dir } = await finishedRun(store, smallExperiment({ curriculum: { filter: 'off' } }));
      const { writeFile } = await import('node:fs/promises');
      await writeFile(`${dir}/tasks.jsonl`, '');
      const reader = await store.openReader(id);
      const error = await runError(all(environmentPool(reader)));
      assert.match(error.message, /event \d+ of the journal scores task "e1\.f\d+\.v\d", whose text is not recorded/);
      await reader.close();
    }));

  it('writes one JSON value a line, no faster than it is taken', async () => {
    async function* values() {
      for (let i = 0; i < 5000; i++) yield await Promise.resolve({ i, text: 'naïve\n'.repeat(40) });
    }
    let held = 0;
    let most = 0;
    const slow = new Writable({
      highWaterMark: 1024,
      write(chunk: Buffer, _encoding, done) {
        held += 1;
        most = Math.max(most, slow.writableLength);
        setImmediate(() => {
          held -= 1;
          done();
        });
        assert.ok(chunk.byteLength > 0);
      },
    });
    assert.equal(await writeJsonLines(values(), slow), 5000);
    assert.ok(most < 600_000, `${most} bytes were waiting`);
    assert.ok(held <= 1);
    const through = new PassThrough();
    const [written, read] = await Promise.all([
      writeJsonLines(values(), through).finally(() => through.end()),
      text(through),
    ]);
    assert.equal(written, 5000);
    assert.deepEqual(
      read
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
      await all(values()),
    );
  });

  it('stops with the stream’s error when it breaks', async () => {
    async function* values() {
      for (let i = 0; ; i++) yield await Promise.resolve({ i, text: 'x'.repeat(10_000) });
    }
    const broken = new Writable({
      highWaterMark: 16,
      write: (_chunk, _encoding, done) => done(new Error('No space.')),
    });
    await assert.rejects(writeJsonLines(values(), broken), /No space/);
  });
});
