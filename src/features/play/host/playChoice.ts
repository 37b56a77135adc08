/** Asks which task a person plays, and whether an attempt that was left is continued. */
import * as vscode from 'vscode';
import { startOf } from '../../../host/documents/layout/messages.ts';
import { moment } from '../../../shared/text/figures/moments.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { RunTarget } from '../../../host/trees/target.ts';
import { traceOfAnyone } from '../../../runs/records/traceOfAnyone.ts';
import { readPlays } from '../../../runs/records/playsFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';

/** @returns the task of the target; one that is picked from its family, or from the newest tasks; null for none */
export async function chosenTask(run: RunReader, { task, trace, family, epoch }: RunTarget): Promise<string | null> {
  if (task !== undefined) return task;
  if (trace !== undefined) return taskOfTrace(run, trace);
  const tasks = await tasksToPlay(run, family, epoch);
  const [only, ...more] = tasks;
  if (only === undefined) throw new Error(vscode.l10n.t('There is no task to play here yet.'));
  if (more.length === 0 && family !== undefined) return only.id;
  const items = tasks.map(({ id, plan, prompt }) => {
    const detail = startOf(prompt.at(-1)?.content ?? '', 160);
    return { label: id, description: plan, detail };
  });
  const title = vscode.l10n.t('Play which task?');
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.label ?? null;
}

async function tasksToPlay(run: RunReader, family: string | undefined, epoch: number | undefined) {
  const fits = (tasks: Awaited<ReturnType<RunReader['tasksOf']>>) =>
    tasks.filter((one) => one.status === 'accepted' && (family === undefined || one.family === family));
  if (epoch !== undefined) {
    const found = fits(await run.tasksOf(epoch));
    if (found.length > 0) return found;
  }
  let epochs = 0;
  for await (const event of run.events()) if ('epoch' in event) epochs = Math.max(epochs, event.epoch);
  for (let at = epochs; at > 0; at--) {
    const found = fits(await run.tasksOf(at));
    if (found.length > 0) return found;
  }
  return [];
}

/** @throws Error where there is no such trace */
async function taskOfTrace(run: RunReader, id: string): Promise<string> {
  const found = await traceOfAnyone(run, id);
  if (found === undefined) throw new Error(vscode.l10n.t('This run has no trace “{0}”.', id));
  return found.task;
}

/** @returns the attempt to continue, `new`, or null where nothing was picked */
export async function openChoice(run: RunReader, task: string, author: string): Promise<string | null> {
  const { plays } = await readPlays(runPaths(run.dir).plays);
  const left = plays.filter((one) => one.task === task && one.author === author && one.trace === null);
  if (left.length === 0) return 'new';
  const items = left.toReversed().map(({ id, at, turns, draft }) => ({
    label: vscode.l10n.t('$(debug-continue) Continue the one of {0}', moment(at)),
    description: vscode.l10n.t('{0} turns', count(turns.length)),
    detail: startOf(draft === '' ? (turns.at(-1) ?? '') : draft, 160),
    id,
  }));
  const fresh = { label: vscode.l10n.t('$(add) Begin a new attempt'), id: 'new' };
  const title = vscode.l10n.t('You have left an attempt at {0}', task);
  const picked = await vscode.window.showQuickPick([...items, fresh], { ignoreFocusOut: true, title });
  return picked?.id ?? null;
}
