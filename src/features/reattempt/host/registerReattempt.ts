import * as vscode from 'vscode';
import * as z from 'zod';
import { placeOf, taskScheme, traceScheme } from '../../../host/documents/layout/place.ts';
import { once } from '../../../host/once.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import type { ReattemptNeeds } from './reattemptNeeds.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const askedSchema = once(() => runTargetSchema.extend({ attempts: z.int().positive().optional() }));

export function registerReattempt({ subscriptions }: vscode.ExtensionContext, needs: ReattemptNeeds): void {
  const { open, tasks, traces, failures } = needs;
  const loaded = once(() => import('./reattemptCommand.ts'));
  const forking = once(() => import('./forkCommand.ts'));
  subscriptions.push(
    registerCommand('genenv.forkTrace', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The trace was not forked'), async () => {
        const { forkAskSchema, forkTrace } = await forking();
        const asked = forkAskSchema.parse(forkTargetOf(argument));
        const forks = await forkTrace(needs, await open.open(asked.run), asked);
        if (forks === null) return undefined;
        await traces.again(shownOf(traceScheme, asked.run, asked.trace));
        await vscode.commands.executeCommand('genenv.openTrace', { run: asked.run, trace: asked.trace });
        return forks;
      }),
    ),
    registerCommand('genenv.reattemptTask', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The task was not attempted again'), async () => {
        const asked = askedOf(argument);
        const run = await open.open(asked.run);
        const { reattemptTask, tellReattempt } = await loaded();
        const task = asked.task ?? (await taskOfTrace(run, asked.trace));
        const result = await reattemptTask(needs, run, { task, attempts: asked.attempts });
        if (result === null) return undefined;
        await tasks.again(shownOf(taskScheme, asked.run, task));
        // A command ends with its work; its result may stay until the user answers.
        void failures.guard(vscode.l10n.t('The attempts were not opened'), () => tellReattempt(asked.run, result));
        return result;
      }),
    ),
  );
}

/** The open documents of a task or trace. */
const shownOf = (scheme: string, run: string, id: string): vscode.Uri[] =>
  vscode.workspace.textDocuments
    .map(({ uri }) => uri)
    .filter((uri) => uri.scheme === scheme && placeOf(uri).run === run && placeOf(uri).id === id);

/** A node of the tree, a lens, or the trace in front. */
function forkTargetOf(argument: unknown): unknown {
  if (argument !== undefined && !(argument instanceof vscode.Uri)) return argument;
  const uri = argument ?? vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== traceScheme) throw new Error(vscode.l10n.t('No trace is open.'));
  const { run, id } = placeOf(uri);
  return { run, trace: id };
}

/** A node of the tree, a lens, or the document in front. */
function askedOf(argument: unknown): z.infer<ReturnType<typeof askedSchema>> {
  const given = argument instanceof vscode.Uri ? undefined : askedSchema().safeParse(argument).data;
  if (given?.task !== undefined || given?.trace !== undefined) return given;
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== taskScheme && uri?.scheme !== traceScheme) throw new Error(vscode.l10n.t('No task is open.'));
  const { run, id } = placeOf(uri);
  return uri.scheme === taskScheme ? { run, task: id } : { run, trace: id };
}

async function taskOfTrace(run: OpenRun, trace = ''): Promise<string> {
  const { traceOf } = await import('../../../host/documents/reading.ts');
  return (await traceOf(run, trace)).task;
}
