/** Which task a domain is tried on: one of its seed tasks, or one of a run. */
import * as vscode from 'vscode';
import type { RunReader } from '../../../../runs/store/runReader.ts';
import type { Task } from '../../../../shared/records/task.ts';
import { pickRun } from '../../../../host/commands/pickRun.ts';
import { startOf } from '../../../../host/documents/layout/messages.ts';
import { knownTask } from '../../../../host/documents/reading.ts';
import type { PickNeeds } from '../../../../host/debug/pickTrace.ts';

/** Tasks of a run that are listed. */
const most = 300;

export interface AskedTask {
  task: Task;
  /** Of which it is; null for a seed task. */
  run: RunReader | null;
}

const promptOf = ({ prompt }: Pick<Task, 'prompt'>): string => startOf(prompt.at(-1)?.content ?? '');

const itemOf = (task: Task) => ({ label: task.id, description: promptOf(task), task: () => Promise.resolve(task) });

/** One of these, or any of them. @returns undefined when it was given up */
export async function askSeed(seeds: readonly Task[], title: string): Promise<Task | undefined> {
  const random = {
    label: `$(refresh) ${vscode.l10n.t('A random seed task')}`,
    description: '',
    task: () => Promise.resolve(seeds[Math.floor(Math.random() * seeds.length)]),
  };
  const picked = await vscode.window.showQuickPick([random, ...seeds.map(itemOf)], {
    ignoreFocusOut: true,
    title,
    matchOnDescription: true,
  });
  return picked?.task();
}

/** @returns undefined when it was given up. @throws RunError, InputError */
export async function askTask(needs: PickNeeds, seeds: readonly Task[], title: string): Promise<AskedTask | undefined> {
  const ofRun = { label: `$(history) ${vscode.l10n.t('A task of a run…')}`, description: '', task: null };
  const items = [...seeds.map(itemOf), ofRun];
  const options = { ignoreFocusOut: true, title, matchOnDescription: true };
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, options);
  if (picked === undefined) return undefined;
  if (picked.task === null) return askRecorded(needs, title);
  return { task: await picked.task(), run: null };
}

/** A task that the newest scored epoch of a run attempted. */
async function askRecorded(needs: PickNeeds, title: string): Promise<AskedTask | undefined> {
  const known = await pickRun(needs, null, {
    title: vscode.l10n.t('A task of which run?'),
    fits: ({ head }) => head.epoch > 0,
    none: vscode.l10n.t('No run has finished an epoch yet.'),
  });
  if (known === undefined) return undefined;
  const run = await needs.open.open(known.dir);
  const epoch = run.followed.scoredEpochs.at(-1);
  const families = epoch === undefined ? [] : await run.families(epoch);
  const ids = families.flatMap(({ tasks }) => tasks.map(({ id }) => id)).slice(0, most);
  if (ids.length === 0) throw new Error(vscode.l10n.t('No epoch of this run is scored yet.'));
  const id = await vscode.window.showQuickPick(ids, { ignoreFocusOut: true, title });
  return id === undefined ? undefined : { task: await knownTask(run, id), run: run.followed.reader };
}
