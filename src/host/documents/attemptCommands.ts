/** From one attempt to others at the same task: the next, the one before, two side by side. */
import * as vscode from 'vscode';
import type { Trace } from '../../shared/records/trace.ts';
import { count, rate } from '../trees/figures.ts';
import type { OpenRun } from '../trees/openRun.ts';
import type { OpenRuns } from '../trees/openRuns.ts';
import { runTargetSchema } from '../trees/target.ts';
import { parts } from '../trees/words.ts';
import { startOf, answerOf } from './layout/messages.ts';
import { placeOf, traceScheme, traceUri } from './layout/place.ts';
import { attemptsOf, groupOf, traceOf } from './reading.ts';
import { attemptName } from './layout/taskLayout.ts';
import { judgedWord } from './layout/verdictWords.ts';

const traceTarget = runTargetSchema.required({ trace: true });
/** The trace that a command was called with, else the one in front. @throws Error when there is none */
function targetOf(argument: unknown): { run: string; trace: string } {
  const given = traceTarget.safeParse(argument);
  if (given.success) return given.data;
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== traceScheme) throw new Error(vscode.l10n.t('No trace is open.'));
  const { run, id } = placeOf(uri);
  return { run, trace: id };
}

/** Opens the attempt `steps` further on, around from the last to the first. */
export async function stepAttempt(open: OpenRuns, argument: unknown, steps: 1 | -1): Promise<void> {
  const { run, trace } = targetOf(argument);
  const opened = await open.open(run);
  const here = await traceOf(opened, trace);
  const all = await groupOf(opened, here);
  const at = all.findIndex(({ id }) => id === trace);
  const next = all[(at + steps + all.length) % all.length];
  if (next === undefined || next.id === trace) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This is the only attempt at the task in this epoch.'));
    return;
  }
  await vscode.window.showTextDocument(traceUri(run, next.id), { preview: true });
}

/** Asks for another attempt at the same task and shows both in the diff editor. */
export async function compareAttempt(open: OpenRuns, argument: unknown): Promise<void> {
  const { run, trace } = targetOf(argument);
  const opened = await open.open(run);
  const here = await traceOf(opened, trace);
  const others = await othersOf(opened, here);
  if (others.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no other attempt at this task in the run.'));
    return;
  }
  const items = others.map((other) => ({
    label: `${icon(other)} ${attemptName(other.id)}`,
    description: parts(
      vscode.l10n.t('epoch {0}', count(other.epoch)),
      judgedWord(other.verdict),
      vscode.l10n.t('reward {0}', rate(other.verdict.reward)),
    ),
    detail: startOf(answerOf(other.messages), 160),
    other,
  }));
  const title = vscode.l10n.t('Compare {0} with which attempt?', trace);
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  if (picked !== undefined) await showDifference(run, trace, picked.other.id);
}

/** Two traces of a run in the diff editor. */
export async function showDifference(run: string, left: string, right: string): Promise<void> {
  const title = `${left} ↔ ${right}`;
  await vscode.commands.executeCommand('vscode.diff', traceUri(run, left), traceUri(run, right), title);
}

/** Of the same epoch first, then the newest. */
async function othersOf(run: OpenRun, here: Trace): Promise<Trace[]> {
  const { reader } = run.followed;
  const epochs = (await reader.epochsAttempting(here.task)).sort((a, b) => b - a);
  const ordered = [here.epoch, ...epochs.filter((epoch) => epoch !== here.epoch)];
  const all = await Promise.all(ordered.map((epoch) => attemptsOf(run, { task: here.task, epoch })));
  return all.flat().filter(({ id }) => id !== here.id);
}

const icon = ({ verdict }: Trace): string =>
  verdict.error !== undefined ? '$(question)' : verdict.success ? '$(check)' : '$(x)';
