/**
 * D_train, the agent pool (paper §2.3): the base tasks first, then every valid trace in the order recorded, with the
 * task it attempted; last the attempts of people that were added to it. Attempts at validation and at ranking are never in
 * it, and those of an epoch only once it has made the pools grow.
 */
import * as l10n from '@vscode/l10n';
import { isPlayTrace } from '../../shared/records/play.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { RunError } from '../store/runError.ts';
import type { Leave, LeftOutReason } from './leftOut.ts';
import { admittedPlays } from '../records/playsFile.ts';
import { PoolEdits } from './poolEdits.ts';
import { isInPart, type PoolPart } from './poolPart.ts';
import type { PoolSource } from './poolSource.ts';

export type AgentItem =
  /** A task as people left it. */
  | { kind: 'base'; task: Task }
  /** An attempt, the task as it was attempted, and as people left it. */
  | { kind: 'trace'; epoch: number; success: boolean; trace: Trace; task: Task; now: Task };

/** Number of recent tasks held: attempts at one task lie close together. */
const tasksHeld = 4096;

/**
 * @param given tasks that the run itself does not record: base tasks, and offline ones
 * @throws RunError `format` for a trace of a task that is neither given nor recorded, and the source's errors
 */
export async function* agentItems(
  source: PoolSource,
  given: readonly Task[],
  { part = {}, leave }: { part?: PoolPart; leave?: Leave } = {},
): AsyncGenerator<AgentItem> {
  const edits = await PoolEdits.read(source);
  const known = new Map(given.map((task) => [task.id, task]));
  for (const task of given) {
    if (task.origin !== 'base' || !isInPart({ kind: 'base' }, part)) continue;
    if (edits.isExcluded(task.id)) leave?.('excluded', task.id);
    else yield { kind: 'base', task: edits.now(task) };
  }
  const held = new Map<string, Task>();
  for await (const trace of pooled(source, edits)) {
    const place = { kind: 'trace' as const, epoch: trace.epoch, success: trace.verdict.success };
    if (!isInPart(place, part)) continue;
    const outside = whyOutside(trace, edits);
    if (outside !== null) {
      leave?.(outside, trace.id);
      continue;
    }
    const task = known.get(trace.task) ?? held.get(trace.task) ?? (await source.task(trace.task));
    if (task === undefined) throw orphan(source, trace);
    held.set(task.id, task);
    for (const oldest of held.keys()) {
      if (held.size <= tasksHeld) break;
      held.delete(oldest);
    }
    yield { ...place, trace, task: edits.at(task, trace.epoch), now: edits.now(task) };
  }
  if (leave !== undefined) await tellUnanswered(source, part, leave);
}

/** Recorded attempts, then those of people that were added by hand. */
async function* pooled(source: PoolSource, edits: PoolEdits): AsyncGenerator<Trace> {
  yield* source.traces();
  for (const { trace } of await admittedPlays(source.dir, edits.admitted)) yield trace;
}

/** Why a trace is not in the pool: it holds attempts in training whose answer was parsed, executed and judged. */
function whyOutside({ id, purpose, verdict, task, epoch }: Trace, edits: PoolEdits): LeftOutReason | null {
  if (purpose !== 'train') return purpose;
  if (verdict.error !== undefined) return 'unjudged';
  if (!verdict.valid) return 'invalid';
  if (!isPlayTrace(id)) {
    if (edits.isUnfinished(epoch)) return 'unfinished';
    if (edits.isDropped(task, epoch)) return 'dropped';
    if (edits.isLate(task, epoch)) return 'late';
  }
  return edits.isExcluded(task) ? 'excluded' : null;
}

/** Unanswered attempts leave no record, only a count in the journal. */
async function tellUnanswered(source: PoolSource, { epochs }: PoolPart, leave: Leave): Promise<void> {
  for await (const event of source.events()) {
    if (event.type !== 'rollouts.finished' || event.unanswered === undefined) continue;
    const inPart = isInPart({ epoch: event.epoch }, { epochs });
    if (inPart) leave('unanswered', l10n.t('epoch {0}', event.epoch), event.unanswered.count);
  }
}

function orphan({ dir }: PoolSource, trace: Trace): RunError {
  return new RunError('format', {
    path: dir,
    field: 'task',
    what: l10n.t('trace "{0}" attempts task "{1}", which is neither recorded nor a base task', trace.id, trace.task),
    remedy: l10n.t('Export with the base tasks that the run was started with, or restore tasks.jsonl from a copy.'),
  });
}
