/** Tasks and traces as read-only text documents, and the commands that open them. */
import * as vscode from 'vscode';
import { RunError } from '../../runs/runError.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { Failures } from '../feedback/failures.ts';
import type { OpenRun } from '../trees/openRun.ts';
import type { OpenRuns } from '../trees/openRuns.ts';
import { runTargetSchema } from '../trees/target.ts';
import { placeOf, taskScheme, traceScheme, uriOf, type DocumentPlace } from './place.ts';
import { taskOf } from './recordedTasks.ts';
import { readTask } from './taskDocument.ts';
import { traceText } from './traceText.ts';

export interface DocumentsDeps {
  open: OpenRuns;
  failures: Failures;
}

export function registerDocuments(context: vscode.ExtensionContext, { open, failures }: DocumentsDeps): void {
  const tasks = new RunDocuments(taskScheme, open, readTask);
  const traces = new RunDocuments(traceScheme, open, readTrace);
  for (const document of vscode.workspace.textDocuments) void colour(document);
  context.subscriptions.push(
    ...[tasks, traces],
    vscode.workspace.onDidOpenTextDocument(colour),
    vscode.commands.registerCommand('genenv.openTask', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The task was not opened'), () => openTask(argument)),
    ),
    vscode.commands.registerCommand('genenv.openTrace', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The trace was not opened'), () => openTrace(argument)),
    ),
  );
}

async function openTask(argument: unknown): Promise<void> {
  const { run, task, epoch } = runTargetSchema.required({ task: true }).parse(argument);
  const title = epoch === undefined ? task : vscode.l10n.t('{0} · epoch {1}', task, epoch);
  await show(uriOf(taskScheme, { run, id: task, ...(epoch === undefined ? {} : { at: epoch }) }, title));
}

async function openTrace(argument: unknown): Promise<void> {
  const { run, trace } = runTargetSchema.required({ trace: true }).parse(argument);
  const [epoch = '', task = '', attempt = ''] = trace.split('/');
  await show(uriOf(traceScheme, { run, id: trace }, `${task} ${attempt} · ${epoch}`));
}

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
}

const language = 'genenv-record';

/** Tabs that come back after a reload are coloured as those that are opened. */
async function colour(document: vscode.TextDocument): Promise<void> {
  const ours = [taskScheme, traceScheme].includes(document.uri.scheme);
  if (ours && document.languageId !== language) await vscode.languages.setTextDocumentLanguage(document, language);
}

/** The text of a trace. @throws RunError, InputError; Error when there is no such trace */
async function readTrace(run: OpenRun, { id }: DocumentPlace): Promise<string> {
  const trace = await run.followed.reader.trace(id);
  if (trace === undefined) throw new Error(vscode.l10n.t('This run has no trace “{0}”.', id));
  return traceText(trace, await taskOf(run, trace.task));
}

/** Documents of one scheme; those of an epoch that goes on are read again when it was scored. */
class RunDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #scheme: string;
  readonly #open: OpenRuns;
  readonly #read: (run: OpenRun, place: DocumentPlace) => Promise<string>;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly #stopListening: () => void;
  readonly onDidChange = this.#changed.event;

  constructor(scheme: string, open: OpenRuns, read: (run: OpenRun, place: DocumentPlace) => Promise<string>) {
    this.#scheme = scheme;
    this.#open = open;
    this.#read = read;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
    this.#stopListening = open.listen(({ run, events }) => {
      if (events.some(changesAttempts)) this.#readAgain(run);
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const place = placeOf(uri);
    try {
      return await this.#read(await this.#open.open(place.run), place);
    } catch (error) {
      // After a reload the tab is there before anything else could say why it cannot be filled.
      if (RunError.is(error)) return error.message;
      throw error;
    }
  }

  dispose(): void {
    this.#stopListening();
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #readAgain(run: string): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === this.#scheme && placeOf(uri).run === run) this.#changed.fire(uri);
    }
  }
}

const changesAttempts = ({ type }: JournalEvent): boolean => type === 'rollouts.finished' || type === 'families.scored';
