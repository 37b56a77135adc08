/** The subject of a domain's debugging: a text as the environment may write it, a task, or a recorded attempt. */
import * as vscode from 'vscode';
import type { DomainSubject } from '../../../../domains/triedSubject.ts';
import { append } from '../../../../shared/append.ts';
import type { Task } from '../../../../shared/records/task.ts';
import type { Verdict } from '../../../../shared/records/trace.ts';
import { pickRun } from '../../../../host/commands/pickRun.ts';
import { startOf } from '../../../../host/documents/layout/messages.ts';
import { attemptedTask, knownTask, traceOf } from '../../../../host/documents/reading.ts';
import { pickTrace, type PickNeeds } from '../../../../host/debug/pickTrace.ts';
import { traceInFront, type TraceTarget } from '../../../../host/files/traceInFront.ts';
import { askTask } from '../trial/askTask.ts';
import { inWords } from '../../../../shared/journal/recordedWords.ts';

/** Rejected texts that are listed, the newest first. */
const most = 200;

export interface AskedSubject {
  /** The name for users. */
  name: string;
  subject: DomainSubject;
  /** The recorded verdict of an attempt; null for anything else. */
  recorded: Verdict | null;
  /** Whether its run lets programs use the network. */
  network: boolean;
}

/** @returns undefined when it was given up */
export async function askKind(): Promise<DomainSubject['kind'] | undefined> {
  const items = [
    { label: vscode.l10n.t('A text'), description: vscode.l10n.t('parse, then verify'), of: 'text' as const },
    { label: vscode.l10n.t('A task'), description: vscode.l10n.t('verify, then agentPrompt'), of: 'task' as const },
    { label: vscode.l10n.t('A recorded trace'), description: vscode.l10n.t('step, then judge'), of: 'trace' as const },
  ];
  return (
    await vscode.window.showQuickPick(items, {
      ignoreFocusOut: true,
      title: vscode.l10n.t('Debug the domain on what?'),
    })
  )?.of;
}

/** @param seeds of the domain. @returns undefined when it was given up. @throws RunError, InputError */
export async function askSubject(
  needs: PickNeeds,
  kind: DomainSubject['kind'],
  seeds: readonly Task[],
): Promise<AskedSubject | undefined> {
  if (kind === 'trace') return askTrace(needs);
  if (kind === 'text') return askText(needs, seeds);
  const asked = await askTask(needs, seeds, vscode.l10n.t('Debug on which task?'));
  if (asked === undefined) return undefined;
  const { task, run } = asked;
  const network = run?.manifest.experiment.reward.network ?? false;
  return { name: task.id, subject: { kind, task }, recorded: null, network };
}

async function askTrace(needs: PickNeeds): Promise<AskedSubject | undefined> {
  const title = vscode.l10n.t('Debug on which trace?');
  const target = await traceInFront(null, title, () => pickTrace(needs, title));
  return target && recordedSubject(needs, target);
}

/** A recorded trace with its task. @throws RunError, and an Error where its task is not recorded */
export async function recordedSubject(needs: PickNeeds, target: TraceTarget): Promise<AskedSubject> {
  const run = await needs.open.open(target.run);
  const trace = await traceOf(run, target.trace);
  const task = await attemptedTask(run, trace);
  if (task === null) throw new Error(vscode.l10n.t('The task of this trace is not recorded in its run.'));
  const { network } = run.followed.experiment.reward;
  return { name: trace.id, subject: { kind: 'trace', task, trace }, recorded: trace.verdict, network };
}

/** A text that varies the first seed task. */
export function textSubject(text: string, [seed]: readonly Task[]): AskedSubject {
  if (seed === undefined) throw new Error(vscode.l10n.t('The domain has no seed task that a text could vary.'));
  return {
    name: `“${startOf(text, 40)}”`,
    subject: { kind: 'text', text, plan: '', seed },
    ...{ recorded: null, network: false },
  };
}

async function askText(needs: PickNeeds, seeds: readonly Task[]): Promise<AskedSubject | undefined> {
  if (seeds.length === 0) throw new Error(vscode.l10n.t('The domain has no seed task that a text could vary.'));
  const of = (text: string): AskedSubject => textSubject(text, seeds);
  const items = [
    {
      label: `$(edit) ${vscode.l10n.t('Type a text…')}`,
      detail: vscode.l10n.t('In one line; \\n begins a new one.'),
      ask: async () => {
        const typed = await vscode.window.showInputBox({
          ignoreFocusOut: true,
          title: vscode.l10n.t('A text as the environment may write it'),
          prompt: vscode.l10n.t('In one line; \\n begins a new one.'),
        });
        return typed === undefined ? undefined : of(typed.replaceAll('\\n', '\n'));
      },
    },
    {
      label: `$(clippy) ${vscode.l10n.t('The text in the clipboard')}`,
      detail: '',
      ask: async () => of(await vscode.env.clipboard.readText()),
    },
    {
      label: `$(history) ${vscode.l10n.t('A rejected text of a run…')}`,
      detail: vscode.l10n.t('As the environment wrote it, with its seed task and plan.'),
      ask: () => askRejected(needs, title),
    },
  ];
  const title = vscode.l10n.t('Debug on which text?');
  return (await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title }))?.ask();
}

async function askRejected(needs: PickNeeds, title: string): Promise<AskedSubject | undefined> {
  const known = await pickRun(needs, null, {
    title: vscode.l10n.t('A text of which run?'),
    fits: ({ head }) => head.epoch > 0,
    none: vscode.l10n.t('No run has finished an epoch yet.'),
  });
  if (known === undefined) return undefined;
  const run = await needs.open.open(known.dir);
  const { reader, scoredEpochs, experiment } = run.followed;
  const rejected: Task[] = [];
  for (const epoch of scoredEpochs.toReversed()) {
    const tasks = await reader.tasksOf(epoch);
    append(
      rejected,
      tasks.filter(({ status, generation }) => status === 'rejected' && generation !== undefined),
    );
    if (rejected.length >= most) break;
  }
  if (rejected.length === 0) throw new Error(vscode.l10n.t('No text of this run was rejected.'));
  const items = rejected.slice(0, most).map((task) => ({
    label: task.id,
    description: task.note === undefined ? (task.cause ?? '') : inWords(task.note),
    detail: startOf(task.generation?.text ?? ''),
    task,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return undefined;
  const { id, generation, plan, seed } = picked.task;
  const varied = await knownTask(run, seed ?? '');
  return {
    name: id,
    subject: { kind: 'text', text: generation?.text ?? '', plan, seed: varied },
    ...{ recorded: null, network: experiment.reward.network },
  };
}
