/** An audit of a run's reward: its possible faults, found in the attempts that it judged. The run is only read. */
import { finalOf } from '../../../benchmarks/adapter/answers/finalOf.ts';
import { lastTurn } from '../../../benchmarks/adapter/answers/parseAnswer.ts';
import { transcript } from '../core/answerText.ts';
import type { AuditCheck } from '../core/audit.ts';
import { AttemptTable } from '../core/attemptTable.ts';
import { allChecks } from '../core/checks.ts';
import { lastFault } from '../core/lastAction.ts';
import { Breather } from '../../../runs/files/breather.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { toolCallsOf } from '../../../shared/rewards/toolCalls.ts';
import { AttemptedTasks } from '../../../launch/attemptedTasks.ts';

/** A check with the attempts that it leads to, by the ids of their traces. */
export type ToldCheck = AuditCheck & { examples: readonly string[] };

export interface RunAudit {
  /** Judged attempts of training. */
  attempts: number;
  /** Those that the checker failed on: they have no reward. */
  unjudged: number;
  checks: readonly ToldCheck[];
}

export interface AuditTools {
  signal: AbortSignal;
  /** Called now and then: the number of processed records, and the total. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Training attempts under their recorded verdicts: one pass, a few dozen bytes an attempt.
 * @throws RunError; the signal's reason when it aborts
 */
export async function auditRun(run: RunReader, { signal, onProgress }: AuditTools): Promise<RunAudit> {
  const total = (await run.rows()).traces.count;
  const tasks = await AttemptedTasks.read(run);
  const table = new AttemptTable(total);
  const breather = new Breather();
  let [row, unjudged] = [0, 0];
  for await (const trace of run.traces()) {
    // A running run has grown meanwhile.
    if (row >= total) break;
    const record = row++;
    if (await breather.breathe()) {
      signal.throwIfAborted();
      onProgress?.(row, total);
    }
    if (trace.purpose !== 'train') continue;
    if (trace.verdict.error === undefined) addAttempt(table, record, trace, await tasks.of(trace));
    else unjudged += 1;
  }
  onProgress?.(total, total);
  const told: ToldCheck[] = [];
  for (const { examples, ...check } of allChecks(table)) told.push({ ...check, examples: await idsAt(run, examples) });
  return { attempts: table.count, unjudged, checks: told };
}

function addAttempt(table: AttemptTable, row: number, trace: Trace, task: Task | undefined): void {
  const { family, epoch, verdict, stopReason } = trace;
  const answer = lastTurn(trace.messages);
  const gold = task?.gold ?? null;
  table.add({
    ...{
      row,
      task: trace.task,
      family,
      epoch,
      verdict,
      finished: stopReason === 'stop',
      said: transcript(trace),
      answer,
    },
    ...{ final: finalOf(answer, task), gold, last: lastFault(trace, toolCallsOf(answer), gold) },
  });
}

async function idsAt(run: RunReader, rows: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const row of new Set(rows)) {
    const trace = await run.traceAt(row);
    if (trace !== undefined) ids.push(trace.id);
  }
  return ids;
}
