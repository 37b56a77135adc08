import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StateFold, type RunState } from '../../../../src/engine/state.ts';
import { traceLineSchema } from '../../../../src/runs/export/agentPool.ts';
import { exportPool, manifestFileOf } from '../../../../src/runs/export/exportPool.ts';
import { rescoredSource } from '../../../../src/runs/export/rescoredSource.ts';
import { applyRescoring, takeBackRescoring } from '../../../../src/runs/rescored/applyRescoring.ts';
import { RescoreDraft } from '../../../../src/runs/rescored/rescoreDraft.ts';
import type { RunStore } from '../../../../src/runs/store/runStore.ts';
import type { Trace, Verdict } from '../../../../src/shared/records/trace.ts';
import { runError } from '../../../support/runs/runError.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { all, withTempRuns, type TempRuns } from '../../../support/runs/tempRuns.ts';
import { LadderDomain } from '../../../support/scripted/ladder.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const made = { author: 'ada', clock: { now: () => 7 }, flips: 3, errors: 1 };

const turned = ({ success, ...verdict }: Verdict): Verdict => ({ ...verdict, success: !success, note: 'é, turned' });

/** Every attempt of some epochs turned round, as a draft. */
async function draftOf(store: RunStore, id: string, fits: (trace: Trace) => boolean): Promise<RescoreDraft> {
  const draft = await RescoreDraft.create();
  const reader = await store.openReader(id);
  for (const { id: trace, epoch, task, verdict } of (await all(reader.traces())).filter(fits))
    await draft.add({ v: 1, id: trace, epoch, task, verdict: turned(verdict) });
  await reader.close();
  return draft;
}

async function apply(
  runs: TempRuns,
  id: string,
  name = 'mine.reward.ts',
  fits: (trace: Trace) => boolean = () => true,
) {
  const draft = await draftOf(runs.store(), id, fits);
  try {
    const reward = { path: join(runs.root, name), texts: new Map([[name, 'export const reward = () => 1;\n']]) };
    return await applyRescoring(runs.store(), id, { ...made, draft, reward });
  } finally {
    await draft.dispose();
  }
}

/** The knowledge of a reader that opens the run anew. */
async function reading<T>(
  runs: TempRuns,
  id: string,
  look: (newest: (trace: Trace) => Promise<Verdict | null>, facts: { state: RunState; traces: Trace[] }) => Promise<T>,
): Promise<T> {
  const reader = await runs.store().openReader(id);
  const fold = new StateFold();
  for await (const event of reader.events()) fold.add(event);
  const { state } = fold;
  try {
    const newest = async (trace: Trace) => (await reader.rescored.of(state.rescorings, trace))?.verdict ?? null;
    return await look(newest, { state, traces: await all(reader.traces()) });
  } finally {
    await reader.close();
  }
}

describe('runs: verdicts of another reward', () => {
  it('lie beside the recorded ones, journaled, the newest on top, until they are taken back', () =>
    withTempRuns(async (runs) => {
      const { id, dir } = await finishedRun(runs.store(), smallExperiment());
      const records = await readFile(join(dir, 'traces.jsonl'));
      const applied = await apply(runs, id);
      const again = await apply(runs, id, 'sub/other.reward.py', ({ epoch }) => epoch === 2);
      assert.deepEqual([applied.rescoring, again.rescoring], ['1', '2']);
      assert.deepEqual([again.epochs, again.flips, again.errors], [{ first: 2, last: 2 }, 3, 1]);
      assert.deepEqual([again.at, again.author, again.epoch], [7, 'ada', 3]);
      assert.equal(again.reward.path, join('..', 'sub', 'other.reward.py'));
      assert.match(again.reward.files['sub/other.reward.py'] ?? '', /^[0-9a-f]{64}$/);
      const kept = join(dir, 'rescored', '2', 'reward', 'sub', 'other.reward.py');
      assert.equal(await readFile(kept, 'utf8'), 'export const reward = () => 1;\n');
      assert.deepEqual((await readdir(join(dir, 'rescored'))).sort(), ['1', '2']);

      await reading(runs, id, async (newest, { state, traces }) => {
        assert.equal(state.finished?.reason, 'epochs');
        assert.equal(applied.attempts, traces.length);
        for (const trace of traces) assert.deepEqual(await newest(trace), turned(trace.verdict), trace.id);
      });
      // Which one is meant can be said; else it is the newest.
      await takeBackRescoring(runs.store(), id, { ...made, rescoring: '1' });
      await reading(runs, id, async (newest, { state, traces }) => {
        assert.deepEqual(
          state.rescorings.map(({ rescoring }) => rescoring),
          ['2'],
        );
        for (const trace of traces) assert.equal((await newest(trace)) !== null, trace.epoch === 2, trace.id);
      });
      assert.equal((await takeBackRescoring(runs.store(), id, made)).rescoring, '2');
      assert.equal((await runError(takeBackRescoring(runs.store(), id, made))).reason, 'not-found');
      await reading(runs, id, async (newest, { traces }) => {
        for (const trace of traces) assert.equal(await newest(trace), null);
      });
      assert.deepEqual(await readFile(join(dir, 'traces.jsonl')), records);
    }));

  it('are what an export holds when it is asked for, and its manifest says so', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      const exported = async (newest: boolean) => {
        const reader = await runs.store().openReader(id);
        const choice = { pool: 'agent', format: 'jsonl', rows: 'tasks' } as const;
        const file = join(runs.root, '..', `${basename(runs.root)}-agent.jsonl`);
        try {
          const source = newest ? await rescoredSource(reader) : { source: reader };
          const { rescorings } = await exportPool(file, { choice, given: new LadderDomain().seeds('base'), ...source });
          const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
          const attempts = lines.flatMap((line) => {
            const read = traceLineSchema.safeParse(JSON.parse(line));
            return read.success ? [read.data] : [];
          });
          return { rescorings, attempts };
        } finally {
          await reader.close();
          await rm(file, { force: true });
          await rm(manifestFileOf(file), { force: true });
        }
      };
      assert.equal((await runError(exported(true))).reason, 'not-found');
      const before = await exported(false);
      await apply(runs, id);
      assert.deepEqual(await exported(false), before);
      const after = await exported(true);
      assert.deepEqual([before.rescorings, after.rescorings], [undefined, ['1']]);
      assert.ok(before.attempts.length > 0);
      assert.deepEqual(
        after.attempts,
        before.attempts.map(({ success, ...attempt }) => ({ ...attempt, success: !success })),
      );
    }));

  it('wait for nobody: while somebody writes the run nothing is changed', () =>
    withTempRuns(async (runs) => {
      const { id, dir } = await finishedRun(runs.store(), smallExperiment());
      const writer = await runs.store().openWriter(id);
      assert.equal((await runError(apply(runs, id))).reason, 'in-use');
      await writer.close();
      assert.equal(existsSync(join(dir, 'rescored')), false);
    }));

  it('are as many as whole lines are there: a torn one leaves its attempt the recorded verdict', () =>
    withTempRuns(async (runs) => {
      const { id, dir } = await finishedRun(runs.store(), smallExperiment());
      await apply(runs, id);
      const file = join(dir, 'rescored', '1', 'verdicts.jsonl');
      await truncate(file, (await readFile(file)).byteLength - 5);
      await reading(runs, id, async (newest, { traces }) => {
        const known = await Promise.all(traces.map(newest));
        assert.deepEqual(known.slice(0, -1).includes(null), false);
        assert.equal(known.at(-1), null);
      });
    }));

  it('go with a branch where they were applied before its epoch ended', () =>
    withTempRuns(async (runs) => {
      const experiment = smallExperiment({ validation: { every: 1 } });
      const { id } = await finishedRun(runs.store(), experiment);
      runs.now += 1000;
      const first = await runs.store().branch(id, 1, experiment);
      await first.close();
      await apply(runs, first.id);
      runs.now += 1000;
      // Applied after its first epoch: the branch from there begins without it.
      const second = await runs.store().branch(first.id, 1, experiment);
      await second.close();
      await reading(runs, second.id, async (newest, { state, traces }) => {
        assert.deepEqual(state.rescorings, []);
        for (const trace of traces) assert.equal(await newest(trace), null);
      });
      assert.equal(existsSync(join(second.dir, 'rescored')), false);
    }));
});
