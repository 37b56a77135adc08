import * as vscode from 'vscode';
import type { OpenRun } from '../trees/openRun.ts';
import type { DocumentPlace } from './place.ts';
import { taskOf } from './recordedTasks.ts';
import { taskText } from './taskText.ts';

/** The text of a task. @throws RunError, InputError; Error when there is no such task */
export async function readTask(run: OpenRun, { id, at }: DocumentPlace): Promise<string> {
  const task = await taskOf(run, id);
  if (task === null) throw new Error(vscode.l10n.t('This run has no task “{0}”.', id));
  const { reader } = run.followed;
  const epochs = await reader.epochsAttempting(id);
  const epoch = at ?? epochs.at(-1) ?? task.epoch;
  const attempts = (await reader.attemptsAt(id, epoch)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return taskText({ task, epoch, attempts, scored: await scoredIn(run, id, epoch), others: epochs });
}

async function scoredIn(run: OpenRun, id: string, epoch: number) {
  const facts = run.facts.epochs.get(epoch);
  if (facts === undefined || facts.scored === null) return null;
  const families = await run.families(epoch);
  const family = families.find(({ tasks }) => tasks.some((task) => task.id === id));
  return family === undefined ? null : { family, band: facts.curriculum };
}
