/** Lines of a pool from one place on: found through indexes, so that the pool is never read as a whole. */
import * as l10n from '@vscode/l10n';
import { overlaysIn } from '../../../engine/phases/edits.ts';
import { baseLine, traceLine } from '../../../runs/export/agentPool.ts';
import { instanceLine } from '../../../runs/export/environmentPool.ts';
import { notPooled } from '../../../runs/records/notPooled.ts';
import { admittedPlays } from '../../../runs/records/playsFile.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { TraceColumns } from '../../../runs/records/traceColumns.ts';
import { givenOf } from '../../../host/documents/recordedTasks.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import type { Pool } from '../../../host/trees/pool.ts';

/** Lines that are shown at once. */
export const pageLines = 100;

export interface PoolPage {
  /** As `genenv export` writes them; of the base data, the tasks themselves. */
  lines: unknown[];
  /** Lines of the whole pool. */
  total: number;
}

/** @throws RunError, InputError */
export function readPage(run: OpenRun, pool: Pool, from: number): Promise<PoolPage> {
  if (pool === 'environment') return environmentPage(run, from);
  return pool === 'agent' ? agentPage(run, from) : basePage(run, from);
}

async function basePage(run: OpenRun, from: number): Promise<PoolPage> {
  const tasks = [...(await givenOf(run)).values()];
  return { lines: tasks.slice(from, from + pageLines), total: tasks.length };
}

async function agentPage(run: OpenRun, from: number): Promise<PoolPage> {
  const given = await givenOf(run);
  const base = [...given.values()].filter(({ origin }) => origin === 'base');
  const { reader, state } = run.followed;
  const { traces } = await reader.rows();
  const rows = pooledRows(await reader.columns(), notPooled(state, traces));
  const lines: unknown[] = base.slice(from, from + pageLines).map(baseLine);
  const first = Math.max(0, from - base.length);
  for (const row of rows.subarray(first, first + pageLines - lines.length)) {
    const trace = await reader.traceAt(row);
    if (trace === undefined) break;
    const task = given.get(trace.task) ?? (await reader.task(trace.task));
    if (task === undefined) throw lost(run, trace.task);
    lines.push(traceLine(task, trace));
  }
  const admitted = [...overlaysIn(run.followed.state, Infinity).values()].flatMap((one) => one.admitted ?? []);
  const people = await admittedPlays(
    run.followed.dir,
    admitted.map(({ trace }) => trace),
  );
  const skipped = Math.max(0, from - base.length - rows.length);
  for (const { trace } of people.slice(skipped, skipped + pageLines - lines.length)) {
    const task = given.get(trace.task) ?? (await reader.task(trace.task));
    if (task === undefined) throw lost(run, trace.task);
    lines.push(traceLine(task, trace));
  }
  return { lines, total: base.length + rows.length + people.length };
}

/** Rows of the traces that are in the agent pool. */
function pooledRows({ count, purpose, valid, judged }: TraceColumns, isOut: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(count);
  let found = 0;
  for (let row = 0; row < count; row++) {
    if (purpose[row] === 0 && valid[row] === 1 && judged[row] === 1 && !isOut(row)) rows[found++] = row;
  }
  return rows.subarray(0, found);
}

async function environmentPage(run: OpenRun, from: number): Promise<PoolPage> {
  const lines: unknown[] = [];
  let total = 0;
  // Tasks made elsewhere have no text of an environment policy.
  if (run.followed.manifest.experiment.mode === 'offline') return { lines, total };
  for (const { epoch, pooled, curriculum } of run.facts.epochs.values()) {
    const start = total;
    total += pooled;
    if (total <= from || start >= from + pageLines) continue;
    const instances = (await run.families(epoch)).flatMap((family) =>
      family.tasks.filter(({ weight }) => weight > 0).map((scored) => ({ family, scored })),
    );
    for (const instance of instances.slice(Math.max(0, from - start), from + pageLines - start)) {
      const task = await run.followed.reader.task(instance.scored.id);
      if (task?.generation === undefined) throw lost(run, instance.scored.id);
      lines.push(instanceLine({ ...instance, epoch, lambda: curriculum.lambda, task, generation: task.generation }));
    }
  }
  return { lines, total };
}

const lost = ({ followed }: OpenRun, task: string): RunError =>
  new RunError('format', {
    path: followed.dir,
    field: 'task',
    what: l10n.t('task "{0}" of the pool is not recorded', task),
    remedy: l10n.t('Restore tasks.jsonl from a copy.'),
  });
