import assert from 'node:assert/strict';
import { tokensOf } from '../../../src/features/tokens/node/tokensOf.ts';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import { poolRows } from '../../../src/runs/export/poolRows.ts';
import type { ExportChoice } from '../../../src/runs/export/formats.ts';
import { environmentItems } from '../../../src/runs/export/environmentItems.ts';
import type { PoolSource } from '../../../src/runs/export/poolSource.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import { fromSources as dist } from '../../support/fromSources.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { all, withTempRuns } from '../../support/runs/tempRuns.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

const given = new LadderDomain().seeds('base');

/** A run, and a branch from its end whose own epochs would be trained otherwise. */
const withBranch = (test: (parent: RunReader, branch: RunReader) => Promise<void>): Promise<void> =>
  withTempRuns(async (runs) => {
    const store = runs.store();
    const settings = { epochs: 2, curriculum: { kMin: 0.35 } };
    const { id } = await finishedRun(store, smallExperiment({ ...settings, agent: { advantageNorm: 'group-std' } }));
    const changed = smallExperiment({
      ...{ ...settings, epochs: 3, agent: { advantageNorm: 'none', clipLow: 0.5 } },
      environment: { tokenWeights: 'instance' },
    });
    const writer = await store.branch(id, 2, changed);
    await writer.close();
    const readers = [await store.openReader(id), await store.openReader(writer.id)] as const;
    try {
      await test(...readers);
    } finally {
      for (const reader of readers) await reader.close();
    }
  });

describe('the epochs that a branch shares', () => {
  it('are exported as datums as the run that made them trained on them', () =>
    withBranch(async (parent, branch) => {
      for (const choice of [
        { pool: 'agent', format: 'tinker', rows: 'attempts' },
        { pool: 'environment', format: 'tinker', weights: 'column' },
      ] satisfies ExportChoice[]) {
        const untold = { leave: () => undefined, warn: () => undefined, posing: ({ prompt }: Task) => prompt };
        const rowsOf = (source: RunReader) => all(poolRows(choice, { source, given, part: {}, ...untold }));
        const rows = await rowsOf(parent);
        assert.ok(rows.length > 3);
        assert.deepEqual(await rowsOf(branch), rows);
      }
    }));

  it('show the advantages and clips of the run that made them, token by token', () =>
    withBranch(async (parent, branch) => {
      const traces = (await branch.tracesOf(1)).filter(({ purpose }) => purpose === 'train');
      const tools = {
        ...{ dist, clock: { now: () => 0 }, log: { info: () => undefined, warn: () => undefined } },
        ...{ keys: environmentKeys({}), signal: new AbortController().signal },
      };
      for (const trace of traces.slice(0, 2)) {
        const group = traces.filter(({ task }) => task === trace.task);
        const told = (run: RunReader) => tokensOf(run, { trace, group, version: null }, tools);
        const [of, shared] = [await told(parent), await told(branch)];
        assert.deepEqual([shared.answers, shared.clipLow], [of.answers, of.clipLow]);
      }
    }));
});

describe('an epoch whose λ was changed before its scoring', () => {
  it('is exported with the λ that it was scored by', () =>
    withBranch(async (reader) => {
      const source: PoolSource = {
        ...{ dir: reader.dir, manifest: reader.manifest, task: (id) => reader.task(id), traces: () => reader.traces() },
        async *events() {
          for await (const event of reader.events()) {
            if (event.type === 'families.scored' && event.epoch === 2) {
              const { v, seq, at, epoch } = event;
              const changes = [{ field: 'curriculum.lambda', from: 3, to: 7 }];
              yield { ...{ v, seq, at, epoch }, type: 'settings.changed', author: 'a person', changes };
            }
            yield event;
          }
        },
      };
      const before = new Map<number, number>();
      for await (const { epoch, lambda } of environmentItems(reader)) before.set(epoch, lambda);
      const now = new Map<number, number>();
      for await (const { epoch, lambda } of environmentItems(source)) now.set(epoch, lambda);
      assert.deepEqual(now, new Map([...before, [2, 7]]));
      assert.ok(before.has(1) && before.has(2));
    }));
});
