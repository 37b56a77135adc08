/** Attempts of people in a run's agent pool: only those that someone asked for are in it. */
import * as l10n from '@vscode/l10n';
import { StateFold, type RunState } from '../../../engine/state.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import { inForceFrom } from '../../../runs/journal/editsReach.ts';
import type { OwnSettings } from '../../../runs/journal/lineage.ts';
import { experimentNext } from '../../../runs/journal/requestChange.ts';
import type { InboxRequest } from '../../../runs/journal/inbox.ts';
import { playedTrace } from '../../../runs/records/playsFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { defined } from '../../../shared/defined.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { Play } from '../../../shared/records/play.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { TaskEdit } from '../../../shared/records/taskEdit.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { poolEffect, type PoolEffect } from '../core/poolEffect.ts';
import { PoolError } from './poolError.ts';
import { isPoolable } from '../../../shared/records/verdict.ts';

export interface AdmittedAttempt {
  trace: string;
  task: string;
  /** Who added it; null while the request waits. */
  by: string | null;
  /** The first epoch that sees it; null while the request waits. */
  epoch: number | null;
}

/** In the order they came, waiting ones last. @throws RunError */
export async function admittedAttempts(
  reader: Pick<RunReader, 'events' | 'inbox' | 'manifest'>,
): Promise<readonly AdmittedAttempt[]> {
  const events: JournalEvent[] = [];
  for await (const event of reader.events()) if (event.type === 'tasks.edited') events.push(event);
  return admittedBy(events, await reader.inbox.waiting(), reader.manifest);
}

/** By the events of a journal and the requests that wait. */
export function admittedBy(
  events: readonly JournalEvent[],
  waiting: readonly { request: InboxRequest }[],
  run: OwnSettings,
): readonly AdmittedAttempt[] {
  const found = new Map<string, AdmittedAttempt>();
  const take = (edit: TaskEdit, by: string | null, epoch: number | null): void => {
    if (edit.action !== 'admit' && edit.action !== 'withdraw') return;
    found.delete(edit.trace);
    if (edit.action === 'admit') found.set(edit.trace, { trace: edit.trace, task: edit.task, by, epoch });
  };
  for (const event of events) {
    if (event.type === 'tasks.edited')
      for (const edit of event.edits) take(edit, event.author, inForceFrom(run, event.epoch));
  }
  for (const { request } of waiting) {
    if (request.type === 'edit') for (const edit of request.edits) take(edit, null, null);
  }
  return [...found.values()];
}

/** The edit that adds it, and what this changes; null where it is in the pool. @throws PoolError, TaskEditError, RunError, InputError */
export async function admission(run: RunReader, id: string): Promise<{ edit: TaskEdit; effect: PoolEffect } | null> {
  const played = await playedTrace(runPaths(run.dir).plays, id);
  if (played === null) {
    throw new PoolError(
      'unknown',
      l10n.t('“{0}” is no attempt of a person that has ended.', id),
      l10n.t('Play the task first.'),
    );
  }
  if ((await admittedAttempts(run)).some(({ trace }) => trace === id)) return null;
  const { trace, of } = played;
  const { recorded, task, overlay } = await editedTask(run, trace.task);
  const isSame = partsOf(of.edited ?? recorded) === partsOf(task);
  refuse(trace, { task, isSame, isExcluded: (overlay?.excluded ?? null) !== null });
  const fold = new StateFold();
  for await (const event of run.events()) fold.add(event);
  const isWritten = recorded.origin === 'generated';
  const isPooled = await isInPool(run, recorded, fold.state);
  const edit: TaskEdit = {
    ...{ action: 'admit', task: recorded.id, trace: id, written: isWritten ? recorded.epoch : null },
    ...defined({ domain: recorded.domain }),
  };
  const isFinished = fold.state.finished !== null;
  return { edit, effect: poolEffect({ experiment: await experimentNext(run), isFinished, isWritten, isPooled }) };
}

/** The edit that takes it out again. @throws PoolError `outside`, RunError */
export async function withdrawal(run: RunReader, id: string): Promise<TaskEdit> {
  const all = await admittedAttempts(run);
  const found = all.find(({ trace }) => trace === id);
  if (found === undefined) {
    const remedy =
      all.length === 0 ? l10n.t('None is.') : l10n.t('These are: {0}.', all.map(({ trace }) => trace).join(', '));
    throw new PoolError('outside', l10n.t('“{0}” is not in the agent pool as an attempt of a person.', id), remedy);
  }
  return { action: 'withdraw', task: found.task, trace: id };
}

/** @throws PoolError */
function refuse({ id, verdict }: Trace, facts: { task: Task; isSame: boolean; isExcluded: boolean }): void {
  const { task, isSame, isExcluded } = facts;
  if (verdict.error !== undefined) {
    const message = l10n.t('The checker failed on “{0}”: {1}', id, verdict.error);
    throw new PoolError('invalid', message, l10n.t('Play the task again where its checker runs.'));
  }
  if (!verdict.valid) {
    const message = l10n.t('“{0}” is not valid: its answer could not be parsed or executed.', id);
    throw new PoolError('invalid', message, l10n.t('The pool takes attempts that were. Play the task again.'));
  }
  if (task.origin === 'validation') {
    const message = l10n.t('The task “{0}” is held out: the run measures with it.', task.id);
    throw new PoolError('held-out', message, l10n.t('Play a task that the environment wrote, or a base task.'));
  }
  if (isExcluded) {
    throw new PoolError(
      'excluded',
      l10n.t('People took the task “{0}” out of the pools.', task.id),
      l10n.t('Restore it first.'),
    );
  }
  if (!isSame) {
    throw new PoolError(
      'edited',
      l10n.t('The task “{0}” was edited since “{1}” was made.', task.id, id),
      l10n.t('Play it as it is now.'),
    );
  }
}

const partsOf = ({ prompt, tools = [], evaluation, gold }: NonNullable<Play['edited']>): string =>
  JSON.stringify([prompt, tools, evaluation, gold]);

async function isInPool(run: RunReader, task: Task, { poolTasks }: Pick<RunState, 'poolTasks'>): Promise<boolean> {
  if (!poolTasks.has(task.epoch)) return false;
  const attempts = await run.attemptsAt(task.id, task.epoch);
  return attempts.some(({ purpose, verdict }) => purpose === 'train' && isPoolable(verdict));
}
