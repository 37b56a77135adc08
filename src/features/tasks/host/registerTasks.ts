/** The task editor: task files, a run's tasks and its pools, and the commands that open them. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { pickRun } from '../../../host/commands/pickRun.ts';
import { placeOf, taskScheme } from '../../../host/documents/layout/place.ts';
import { FileProblems, problemSource } from '../../../host/fileProblems.ts';
import { once } from '../../../host/once.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import { taskFiles } from './files/taskFiles.ts';
import type { TasksDocument } from './tasksDocument.ts';
import type { TasksEditorsNeeds } from './tasksEditors.ts';
import { runTasksUri, taskFilePattern, tasksViewType } from './tasksPlace.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export type TasksNeeds = Omit<TasksEditorsNeeds, 'extensionUri' | 'catalog'> & { catalog: RunCatalog };

/** A task of a file, or the file alone. */
const fileTaskSchema = once(() => z.object({ file: z.string(), task: z.string().nullable() }));
const poolNodeSchema = once(() => z.object({ run: z.string(), pool: z.enum(['agent', 'environment']) }));

export function registerTasks({ extensionUri, subscriptions }: vscode.ExtensionContext, needs: TasksNeeds): void {
  const { failures, catalog, clock } = needs;
  const edits = new vscode.EventEmitter<vscode.CustomDocumentEditEvent<TasksDocument>>();
  const editors = once(async () => {
    const module = await import('./tasksEditors.ts');
    const all = new module.TasksEditors({ ...needs, extensionUri });
    subscriptions.push(
      all,
      all.onDidChangeCustomDocument((edit) => edits.fire(edit)),
    );
    return all;
  });
  const provider: vscode.CustomEditorProvider<TasksDocument> = {
    onDidChangeCustomDocument: edits.event,
    openCustomDocument: async (uri, context) => (await editors()).openCustomDocument(uri, context),
    resolveCustomEditor: async (document, panel) => (await editors()).resolveCustomEditor(document, panel),
    saveCustomDocument: async (document) => (await editors()).saveCustomDocument(document),
    saveCustomDocumentAs: async (document, to) => (await editors()).saveCustomDocumentAs(document, to),
    revertCustomDocument: async (document) => (await editors()).revertCustomDocument(document),
    backupCustomDocument: async (document, context) => (await editors()).backupCustomDocument(document, context),
  };
  const command = (name: string, failed: () => string, run: (argument: unknown) => Promise<void>): vscode.Disposable =>
    registerCommand(`genenv.${name}`, (argument: unknown) => failures.guard(failed(), () => run(argument)));
  const notOpened = (): string => vscode.l10n.t('The tasks were not opened');
  subscriptions.push(
    edits,
    vscode.window.registerCustomEditorProvider(tasksViewType, provider, { supportsMultipleEditorsPerDocument: false }),
    new FileProblems(taskFiles, needs.log),
    vscode.languages.registerCodeActionsProvider(
      { scheme: 'file', pattern: taskFilePattern },
      {
        provideCodeActions: async (document, _range, { diagnostics }) => {
          const own = diagnostics.filter(({ source }) => source === problemSource);
          if (own.length === 0) return [];
          const { taskFileFixes } = await import('./files/taskFileFixes.ts');
          return taskFileFixes(document, own);
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    command('editTasks', notOpened, async (argument) => {
      const run = await pickRun({ catalog, clock }, argument, {
        title: vscode.l10n.t('Edit the tasks of which run?'),
        fits: () => true,
        none: vscode.l10n.t('There are no runs yet.'),
      });
      if (run !== undefined) await (await editors()).show(runTasksUri(run.dir), null);
    }),
    command('editTask', notOpened, async (argument) => {
      const ofFile = fileTaskSchema().safeParse(argument).data;
      if (ofFile !== undefined) return (await editors()).show(vscode.Uri.file(ofFile.file), ofFile.task);
      const { run, task } = taskOf(argument);
      await (await editors()).show(runTasksUri(run), task);
    }),
    command('openPoolTable', notOpened, async (argument) => {
      const { run, pool } = poolNodeSchema().parse(argument);
      await (await editors()).show(runTasksUri(run, pool), null);
    }),
  );
}

/** A node of the tree, a lens, or the task document in front. */
function taskOf(argument: unknown): { run: string; task: string } {
  const uri = argument instanceof vscode.Uri ? argument : null;
  const given = uri === null ? runTargetSchema.required({ task: true }).safeParse(argument).data : undefined;
  if (given !== undefined) return given;
  const shown = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (shown?.scheme !== taskScheme) throw new Error(vscode.l10n.t('No task is open.'));
  const { run, id } = placeOf(shown);
  return { run, task: id };
}
