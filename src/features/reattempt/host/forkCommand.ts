/** Fork at Turn…: attempts that begin with the first turns of a recorded one, shown beside it. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { startOf, speaker } from '../../../host/documents/layout/messages.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import { versionsOf } from '../../../launch/policies/versionsOf.ts';
import type { Reattempt } from '../../../shared/records/reattempt.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { turnsToFork } from '../core/decidingTurn.ts';
import { forkSource } from '../node/forkSource.ts';
import { askCount, attempting } from './attempting.ts';
import { editTurn } from './editTurn.ts';
import type { ReattemptNeeds } from './reattemptNeeds.ts';

/** The user is asked for absent fields. */
export const forkAskSchema = runTargetSchema.required({ trace: true }).extend({
  /** Numbers of messages, from 0. */
  turns: z.array(z.int().nonnegative()).optional(),
  text: z.string().nullable().optional(),
  version: z.string().optional(),
  attempts: z.int().positive().optional(),
});
export type ForkCommandAsk = z.infer<typeof forkAskSchema>;

/** @returns the forks in the order of their turns; null where the user cancelled */
export async function forkTrace(
  needs: ReattemptNeeds,
  run: OpenRun,
  asked: ForkCommandAsk,
): Promise<readonly Reattempt[] | null> {
  requireTrust();
  const { reader, experiment } = run.followed;
  const { trace, task } = await forkSource(reader, asked.trace);
  const title = vscode.l10n.t('Fork {0}', trace.id);
  const turns = asked.turns ?? (await askTurns(title, trace));
  if (turns === null) return null;
  const text = asked.text === undefined ? await askText(title, trace, turns) : asked.text;
  if (text === undefined) return null;
  const version = asked.version ?? (await askVersion(title, run));
  if (version === null) return null;
  const each =
    turns.length > 1 ? vscode.l10n.t('How many attempts at each turn?') : vscode.l10n.t('How many attempts?');
  const attempts = asked.attempts ?? (await askCount(title, each, experiment.rollouts.group));
  if (attempts === null) return null;
  const forks: Reattempt[] = [];
  for (const turn of turns) {
    const told = vscode.l10n.t('Forking {0} at turn {1}, by {2}', trace.id, turn + 1, version);
    const fork = { trace, turn, text };
    const made = await attempting(needs, told, { agent: { run: reader }, task, edited: null, attempts, version, fork });
    forks.push(made);
    if (made.state === 'failed') throw new Error(made.message ?? vscode.l10n.t('The attempts failed.'));
    if (made.state === 'stopped') break;
  }
  return forks;
}

/** @returns null where the user cancelled */
async function askTurns(title: string, trace: Trace): Promise<number[] | null> {
  const own = turnsToFork(trace);
  const every = {
    label: vscode.l10n.t('$(list-ordered) Every turn of the agent'),
    description: vscode.l10n.t('Shows which turn decided'),
    turns: own,
  };
  const items = trace.messages.map((message, turn) => ({
    label: vscode.l10n.t('Turn {0}', count(turn + 1)),
    description: speaker(message),
    detail: startOf(message.content, 120),
    turns: [turn],
  }));
  const picked = await vscode.window.showQuickPick(own.length > 1 ? [every, ...items] : items, {
    ignoreFocusOut: true,
    ...{ title, matchOnDetail: true },
    placeHolder: vscode.l10n.t('From which turn on? Those before it are kept.'),
  });
  return picked?.turns ?? null;
}

/** @returns null for no edit, undefined where the user cancelled */
async function askText(title: string, trace: Trace, turns: readonly number[]): Promise<string | null | undefined> {
  const [turn = 0, ...others] = turns;
  const message = trace.messages[turn];
  if (others.length > 0 || message === undefined) return null;
  const own = message.role === 'assistant';
  const items = [
    {
      label: own ? vscode.l10n.t('$(refresh) Sample this turn again') : vscode.l10n.t('$(play) Continue after it'),
      edit: false,
    },
    { label: vscode.l10n.t('$(edit) Edit it, then continue after it…'), edit: true },
  ];
  const picked = await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title });
  if (picked === undefined) return undefined;
  return picked.edit ? ((await editTurn(message.content)) ?? undefined) : null;
}

/** @returns null where the user cancelled */
async function askVersion(title: string, run: OpenRun): Promise<string | null> {
  const kept = (await versionsOf(run.followed.reader)).filter((one) => one.kept);
  if (kept.length === 0) throw new Error(vscode.l10n.t('This run has no version that can answer.'));
  const items = kept.map(({ version }) => ({ label: version.name }));
  const placeHolder = vscode.l10n.t('Which version continues?');
  const picked = await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title, placeHolder });
  return picked?.label ?? null;
}
