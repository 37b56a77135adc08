import assert from 'node:assert/strict';
import { poolFacts } from '../../../../src/features/pools/host/poolFacts.ts';
import { pageLines, readPage } from '../../../../src/features/pools/host/poolPage.ts';
import { OpenRuns } from '../../../../src/host/trees/openRuns.ts';
import type { OpenRun } from '../../../../src/host/trees/openRun.ts';
import { givenTasks } from '../../../../src/launch/domains/openDomain.ts';
import { agentPool } from '../../../../src/runs/export/agentPool.ts';
import { environmentPool } from '../../../../src/runs/export/environmentPool.ts';
import { isInPart } from '../../../../src/runs/export/poolPart.ts';
import { watched } from '../../../../src/runs/export/poolSource.ts';
import { effectiveSampleSize } from '../../../../src/engine/math/curriculum.ts';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import { syntheticCourse } from '../../../support/report/syntheticRun.ts';
import { syntheticEvents } from '../../../support/report/syntheticEvents.ts';
import { ScriptedCatalog } from '../../../support/host/scriptedCatalog.ts';
import { grown } from '../../../support/runs/grown.ts';
import { all, withTempRuns } from '../../../support/runs/tempRuns.ts';

/** A run with 3 epochs of 10 families of 4 tasks, attempted 4 times each. */
async function withRun(test: (run: OpenRun) => Promise<void>): Promise<void> {
  await withTempRuns(async (runs) => {
    const course = syntheticCourse({ epochs: 3, families: 10, variations: 4, group: 4 });
    const writer = await runs.store().create({ experiment: course.experiment });
    const version = 'environment@0';
    const spans: [number, number][] = [[1, 2]];
    for (let epoch = 1; epoch <= 3; epoch++) {
      const { tasks, traces } = course.epoch(epoch);
      const generation = {
        version,
        tokens: [1, 2],
        spans,
        logprobs: [-0.5],
        text: 'task',
      };
      await writer.appendTasks(tasks.map((task) => ({ ...task, generation })));
      // Some answers were no calls at all: such traces stay out of the pool.
      await writer.appendTraces(
        traces.map((trace, i) => ({ ...trace, verdict: { ...trace.verdict, valid: i % 5 !== 0 } })),
      );
    }
    const events = syntheticEvents(course);
    for (const event of events) await writer.append(event);
    for (let epoch = 1; epoch <= 3; epoch++) await writer.append(grown(epoch, events.length + epoch - 1));
    await writer.close();
    const catalog = new ScriptedCatalog(runs.store());
    await catalog.look();
    const open = new OpenRuns(catalog);
    await test(await open.open(writer.dir));
    open.dispose();
  });
}

async function pagesOf(run: OpenRun, pool: 'agent' | 'environment' | 'base'): Promise<unknown[]> {
  const { lines, total } = await readPage(run, pool, 0);
  for (let from = pageLines; from < total; from += pageLines) lines.push(...(await readPage(run, pool, from)).lines);
  assert.equal(lines.length, total);
  return lines;
}

describe('data pools: pages', () => {
  it('of D_train are what an export writes, base tasks first', () =>
    withRun(async (run) => {
      const { reader } = run.followed;
      const exported = await all(agentPool(reader, await givenTasks(run.followed)));
      assert.deepEqual(await pagesOf(run, 'agent'), exported);
      const traces = exported.filter(({ kind }) => kind === 'trace').length;
      assert.ok(traces > pageLines && exported.length > traces, String(traces));
      // In the middle of the base tasks and across their end.
      assert.deepEqual((await readPage(run, 'agent', 500)).lines, exported.slice(500, 500 + pageLines));
    }));

  it('of D_env are what an export writes, epoch after epoch', () =>
    withRun(async (run) => {
      const exported = await all(environmentPool(run.followed.reader));
      assert.ok(exported.length > 0);
      assert.deepEqual(await pagesOf(run, 'environment'), exported);
      assert.deepEqual((await readPage(run, 'environment', 3)).lines, exported.slice(3, 3 + pageLines));
    }));

  it('of the base data are the tasks the run was started with', () =>
    withRun(async (run) => {
      const { baseTasks } = run.followed.manifest.experiment.domain;
      const domain = new StorekeeperDomain({
        baseTasks,
        validationTasks: run.followed.manifest.experiment.validation.tasks,
      });
      assert.deepEqual(await pagesOf(run, 'base'), [...domain.seeds('base'), ...domain.seeds('validation')]);
    }));
});

describe('data pools: facts', () => {
  it('of D_env are those of its lines', () =>
    withRun(async (run) => {
      const { environment } = poolFacts(run.facts, run.followed.state);
      const lines = await all(environmentPool(run.followed.reader));
      const weights = lines.map(({ weight }) => weight);
      const close = (value: number, wanted: number): void => assert.ok(Math.abs(value - wanted) < 1e-9 * wanted);
      close(
        environment.weight,
        weights.reduce((sum, weight) => sum + weight, 0),
      );
      close(environment.effectiveSampleSize, effectiveSampleSize(weights));
      const rates = lines.map(({ familySuccessRate }) => familySuccessRate.p ?? 0);
      close(environment.meanSuccessRate ?? 0, rates.reduce((sum, p) => sum + p, 0) / rates.length);
    }));
});

const base = { kind: 'base' as const };
const trace = (epoch: number, success: boolean) => ({ kind: 'trace' as const, epoch, success });

describe('data pools: parts', () => {
  it('are chosen by kind and by epoch; base tasks belong to no epoch', () => {
    assert.equal(isInPart(base, { epochs: [2, 3] }), true);
    assert.equal(isInPart(base, { kinds: ['solved'] }), false);
    assert.equal(isInPart(trace(2, true), { kinds: ['solved'], epochs: [2, 2] }), true);
    assert.equal(isInPart(trace(2, false), { kinds: ['solved'] }), false);
    assert.equal(isInPart(trace(4, true), { epochs: [2, 3] }), false);
  });

  it('are told of as they are read, and end at once when they are given up', () =>
    withRun(async (run) => {
      const { reader } = run.followed;
      const { count } = await reader.columns();
      const told: number[] = [];
      const ending = new AbortController();
      const source = watched(reader, { told: (read) => told.push(read), signal: ending.signal });
      for (let pass = 0; pass < 3; pass++) await all(source.traces());
      assert.deepEqual(
        told,
        Array.from({ length: Math.floor((3 * count) / 1000) }, (_, i) => 1000 * (i + 1)),
      );
      assert.ok(told.length > 0);
      let seen = 0;
      await assert.rejects(async () => {
        for await (const { v } of source.traces()) {
          seen += v;
          if (seen === 10) ending.abort(new Error('Cancelled.'));
        }
      }, /Cancelled/);
      assert.equal(seen, 10);
      await assert.rejects(source.task('any'), /Cancelled/);
      await assert.rejects(all(source.events()), /Cancelled/);
    }));
});
