/** Where a task comes from and where it went, oldest first. */
import * as vscode from 'vscode';
import type { NowTask } from '../node/editedTasks.ts';
import type { TaskEdit } from '../../../shared/records/taskEdit.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { inForceFrom } from '../../../runs/journal/editsReach.ts';
import { countedIn } from '../../../shared/journal/counted.ts';
import type { TaskDetail } from '../contract.ts';
import { rateOf } from '../../../host/documents/attemptMarks.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count, rate } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { parts } from '../../../host/trees/words.ts';

type Station = TaskDetail['lineage'][number];

/** Epochs whose scoring is read for one task: each is a place in the journal. */
const scoringsShown = 3;

type Told = Pick<NowTask, 'recorded'> & { now: Pick<NowTask['now'], 'excluded'> };

/** @param run null for a task of a file @param traces its training attempts @throws RunError */
export async function lineageOf(run: OpenRun | null, now: Told, traces: readonly Trace[]): Promise<Station[]> {
  return [
    ...origin(now),
    ...(run === null ? [] : edits(run, now.recorded.id)),
    ...attempted(traces),
    ...(run === null ? [] : await weighted(run, now, traces)),
    ...(now.now.excluded === null
      ? []
      : [{ kind: 'excluded' as const, title: vscode.l10n.t('Excluded'), text: now.now.excluded, opens: null }]),
  ];
}

function origin({ recorded }: Told): Station[] {
  const { seed, generation, epoch, plan, note, status } = recorded;
  const stations: Station[] = [];
  if (seed !== null) {
    stations.push({ kind: 'seed', title: vscode.l10n.t('Seed task'), text: seed, opens: { task: seed } });
  }
  const asked = generation?.context?.findLast(({ role }) => role === 'user')?.content;
  if (asked !== undefined) {
    const text = parts(asked, plan === '' ? '' : vscode.l10n.t('plan: {0}', plan));
    stations.push({ kind: 'asked', title: vscode.l10n.t('The environment was asked'), text, opens: null });
  }
  if (generation !== undefined) {
    stations.push({
      kind: 'written',
      title: vscode.l10n.t('Written by {0} in epoch {1}', generation.version, count(epoch)),
      text: status === 'rejected' ? vscode.l10n.t('Rejected: {0}', note ?? '') : generation.text,
      opens: { epoch },
    });
  }
  return stations;
}

function edits({ facts, followed }: OpenRun, id: string): Station[] {
  return facts.light.flatMap((event) => {
    if (event.type !== 'tasks.edited') return [];
    return event.edits
      .filter(({ task }) => task === id)
      .map((edit): Station => ({
        kind: edit.action === 'exclude' ? 'excluded' : 'edited',
        title: vscode.l10n.t(
          '{0} by {1}, from epoch {2} on',
          deed(edit),
          event.author,
          count(inForceFrom(followed.manifest, event.epoch)),
        ),
        text: wordsOf(edit),
        opens: null,
      }));
  });
}

function deed({ action }: TaskEdit): string {
  switch (action) {
    case 'edit':
      return vscode.l10n.t('Edited');
    case 'exclude':
      return vscode.l10n.t('Excluded');
    case 'restore':
      return vscode.l10n.t('Restored');
    case 'tag':
      return vscode.l10n.t('Tagged');
    case 'admit':
      return vscode.l10n.t('An attempt of a person added to the agent pool');
    case 'withdraw':
      return vscode.l10n.t('An attempt of a person removed from the agent pool');
  }
}

function wordsOf(edit: TaskEdit): string {
  if (edit.action === 'exclude') return edit.reason;
  if (edit.action === 'tag') return edit.tags.join(', ');
  if (edit.action === 'restore') return '';
  if (edit.action === 'admit' || edit.action === 'withdraw') return edit.trace;
  const fields = edit.changes.map(({ field }) => field).join(', ');
  if (edit.measured === undefined) return fields;
  const { version, before, after } = edit.measured;
  const rate = ({ successes, attempts }: typeof before): string => `${count(successes)}/${count(attempts)}`;
  return parts(fields, vscode.l10n.t('{0}: {1} before, {2} after', version, rate(before), rate(after)));
}

function attempted(traces: readonly Trace[]): Station[] {
  const epochs = [...new Set(traces.map(({ epoch }) => epoch))].sort((a, b) => a - b);
  return epochs.map((epoch) => {
    const own = traces.filter((trace) => trace.epoch === epoch);
    const rate = rateOf(own.map(({ verdict }) => verdict));
    return {
      kind: 'attempted' as const,
      title: vscode.l10n.t('Attempted in epoch {0} by {1}', count(epoch), own[0]?.version ?? ''),
      text: measured(rate),
      opens: { epoch },
    };
  });
}

async function weighted(run: OpenRun, { recorded }: Told, traces: readonly Trace[]): Promise<Station[]> {
  const { late } = run.followed.state;
  const scored = [...new Set([recorded.epoch, ...traces.map((trace) => countedIn(late, trace))])]
    .filter((epoch) => (run.facts.epochs.get(epoch)?.scored ?? null) !== null)
    .sort((a, b) => a - b)
    .slice(-scoringsShown);
  const stations: Station[] = [];
  for (const epoch of scored) {
    const families = await run.families(epoch);
    const task = families.flatMap(({ tasks }) => tasks).find(({ id }) => id === recorded.id);
    const valid = traces.filter((trace) => countedIn(late, trace) === epoch && trace.verdict.valid).length;
    const agent = vscode.l10n.t('{0} traces in D_train', count(valid));
    if (task === undefined && valid === 0) continue;
    const environment =
      task === undefined
        ? ''
        : task.weight === 0
          ? vscode.l10n.t('R_env {0}, not kept by the filter', rate(task.environmentReward))
          : vscode.l10n.t(
              'R_env {0}, {1} of the environment’s update',
              rate(task.environmentReward),
              percent(task.weight),
            );
    stations.push({
      kind: 'weighted',
      title: vscode.l10n.t('Weighed in epoch {0}', count(epoch)),
      text: parts(environment, agent),
      opens: { epoch },
    });
  }
  return stations;
}
