/** The study form: a custom text editor, so that form and JSON are two views of one document. */
import { basename, dirname, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { savedText } from '../../../host/currentText.ts';
import { experimentPattern, findExperiments, formViewType, isExperiment } from '../../../host/files/experimentFiles.ts';
import { saveBase } from '../../../host/files/studyBase.ts';
import { unsavedAt } from '../../../host/files/unsavedFile.ts';
import { watchFiles } from '../../../host/files/watchFiles.ts';
import { openAsText } from '../../../host/files/openAs.ts';
import { JsonDocument } from '../../../host/jsonDocument.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { formEvents } from '../../../host/webviews/formEvents.ts';
import { QueuedNotice } from '../../../host/webviews/queuedNotice.ts';
import type { QueuedStudies } from '../../../host/runs/queuedStudies.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { TaskCounter } from '../../../launch/inputs/taskCounter.ts';
import { paceOfRuns } from '../../../runs/store/pace.ts';
import { fieldAt } from '../../../shared/experiment/fields.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { TaskCounts } from '../../../shared/experiment/tasks/taskCounts.ts';
import { isObject, type JsonObject } from '../../../shared/experiment/resolve.ts';
import { readJson } from '../../../shared/experiment/text/jsonText.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import * as contract from '../contract.ts';
import { formPlan, type StudyTexts } from '../core/formPlan.ts';

/** Milliseconds without a change after which the plan is worked out again. */
const pause = 250;

export interface StudyEditorDeps {
  catalog: RunCatalog;
  /** The folder of built files. */
  dist: URL;
  /** Studies in the queue. */
  queued: QueuedStudies;
  log: vscode.LogOutputChannel;
  extensionUri: vscode.Uri;
}

interface Reading {
  written: JsonObject | null;
  problems: readonly Problem[];
}

function read(text: string, file: string): Reading {
  const reading = readJson(text, file);
  if (!reading.ok) return { written: null, problems: reading.problems };
  const { value } = reading.json;
  return isObject(value) ? { written: value, problems: [] } : { written: null, problems: [] };
}

/** One form in one editor. */
class StudyEditor {
  readonly #panel: vscode.WebviewPanel;
  readonly #study: JsonDocument<Reading>;
  readonly #channel: Channel;
  readonly #deps: StudyEditorDeps;
  readonly #counter: TaskCounter;
  readonly #subscriptions: { dispose(): unknown }[];
  /** The page is loaded and has received the document. */
  #open = false;
  readonly #queued: QueuedNotice;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the plan that is being worked out: an older one is not sent. */
  #asked = 0;
  /** Of the workspace, found again when one comes or goes. */
  #experiments: Promise<string[]> | null = null;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, deps: StudyEditorDeps) {
    this.#panel = panel;
    this.#deps = deps;
    this.#counter = new TaskCounter(deps.dist);
    this.#study = new JsonDocument(document, read);
    this.#channel = mountPage(panel.webview, {
      extensionUri: deps.extensionUri,
      name: 'studyForm',
      title: basename(document.uri.path),
      log: deps.log,
      onOpen: () => {
        this.#open = true;
        this.#send();
        this.#queued.send();
        this.#counter.recount();
        void this.#plan();
      },
    });
    this.#queued = new QueuedNotice(document.uri, this.#channel, deps.queued, () => this.#open);
    this.#answer();
    // Saved for the first time, it is a file's document, in another form.
    void this.#saveBase();
    const others = (): void => {
      this.#experiments = null;
      this.#soon();
    };
    this.#subscriptions = [
      this.#queued,
      watchFiles(experimentPattern, others),
      deps.catalog.onDidChangeList(() => this.#soon()),
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === document) this.#send();
        if (changed === document || isExperiment(changed.uri)) this.#soon();
      }),
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved === document) void this.#saveBase();
        // It may be one whose tasks are counted.
        else this.#soon();
      }),
      formEvents(document, panel, {
        isOpen: () => this.#open,
        takeTyped: (signal) => this.#takeTyped(signal),
        hidden: () => (this.#open = false),
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#send()),
      new vscode.Disposable(() => this.#channel.dispose()),
    ];
  }

  /** The base of a saved study is saved with it. */
  async #saveBase(): Promise<void> {
    const { document } = this.#study;
    if (document.uri.scheme !== 'file' || document.isDirty) return;
    try {
      await saveBase(document);
    } catch (error) {
      this.#deps.log.error(`${this.#uri.fsPath}: ${messageOf(error)}`);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  get #uri(): vscode.Uri {
    return this.#study.document.uri;
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#plan(), pause);
  }

  #send(): void {
    if (!this.#open) return;
    const { written, problems } = this.#study.reading;
    this.#channel.emit(contract.documentChanged, {
      file: basename(this.#uri.path),
      written,
      problems: problems.map(({ file, line, column, field, message, remedy, severity }) => ({
        ...{ file, line, column, field, message, remedy, severity },
      })),
      trusted: vscode.workspace.isTrusted,
    });
  }

  #isNewest(number: number): boolean {
    return this.#open && number === this.#asked;
  }

  async #plan(): Promise<void> {
    const number = (this.#asked += 1);
    try {
      const base = this.#base();
      const [experiments, baseText] = await Promise.all([
        (this.#experiments ??= experimentsFrom(this.#uri)),
        base === null ? null : textOf(base),
      ]);
      if (!this.#isNewest(number)) return;
      const heads = this.#deps.catalog.runs.map(({ head }) => head);
      const own = base !== null && unsavedAt(base.fsPath) !== undefined ? [nameOf(base, this.#uri)] : [];
      const directory = dirname((base ?? this.#uri).fsPath);
      const send = (): Map<Experiment, TaskCounts> => {
        const arms = new Map<Experiment, TaskCounts>();
        const plan = formPlan(
          { text: this.#study.document.getText(), file: this.#uri.fsPath, base: baseText },
          ({ endpoints }) => paceOfRuns(heads, endpoints),
          (experiment) => {
            const counts = this.#counter.known(experiment, directory);
            arms.set(experiment, counts);
            return counts;
          },
        );
        this.#channel.emit(contract.planChanged, { ...plan, experiments: [...new Set([...experiments, ...own])] });
        return arms;
      };
      // Large files take a while: arms and faults do not wait for their tasks.
      let differs = false;
      for (const [experiment, known] of send())
        if (!isDeepStrictEqual(await this.#counter.count(experiment, directory), known)) differs = true;
      if (differs && this.#isNewest(number)) send();
    } catch (error) {
      this.#deps.log.error(`${this.#uri.fsPath}: ${String(error)}`);
    }
  }

  #base(): vscode.Uri | null {
    const named = this.#study.reading.written?.['base'];
    if (typeof named !== 'string' || named === '') return null;
    return vscode.Uri.file(resolve(dirname(this.#uri.fsPath), named));
  }

  async #takeTyped(signal: AbortSignal): Promise<void> {
    await this.#study.edit(await this.#channel.call(contract.takePending, null, signal));
  }

  #answer(): void {
    const uri = this.#uri;
    const channel = this.#channel;
    channel.handle(contract.edit, async (edits) => {
      await this.#study.edit(edits);
      this.#send();
      return null;
    });
    channel.handle(contract.openText, async (at) => {
      const position = at === null ? null : new vscode.Position(at.line - 1, at.column - 1);
      await openAsText(uri, position, this.#panel.viewColumn);
      return null;
    });
    channel.handle(contract.runStudy, async () => {
      requireTrust();
      await vscode.commands.executeCommand('genenv.runStudy', uri);
      return null;
    });
    channel.handle(contract.openResults, async () => {
      await vscode.commands.executeCommand('genenv.openStudyResults', uri);
      return null;
    });
    channel.handle(contract.openBase, async () => {
      const base = this.#base();
      const unsaved = base === null ? undefined : unsavedAt(base.fsPath)?.uri;
      // By "vscode.open" the editor looks for the file, which is not there yet.
      if (unsaved !== undefined) await vscode.commands.executeCommand('vscode.openWith', unsaved, formViewType);
      else if (base !== null) await vscode.commands.executeCommand('vscode.open', base);
      return null;
    });
    channel.handle(contract.newExperiment, async () => {
      await vscode.commands.executeCommand('genenv.newExperiment');
      return null;
    });
    channel.handle(contract.browse, ({ field }) => this.#browse(field));
  }

  /** @returns a name relative to the base, which reads it */
  async #browse(field: string): Promise<string | null> {
    const file = fieldAt(field)?.file;
    const folder = dirname((this.#base() ?? this.#uri).fsPath);
    const [chosen] =
      (await vscode.window.showOpenDialog({
        defaultUri: vscode.Uri.file(folder),
        ...(file !== undefined && { filters: { [vscode.l10n.t(file.kind)]: [...file.endings] } }),
      })) ?? [];
    return chosen === undefined ? null : relative(folder, chosen.fsPath).replaceAll('\\', '/');
  }
}

const experimentsFrom = async (study: vscode.Uri): Promise<string[]> =>
  (await findExperiments()).map((experiment) => nameOf(experiment, study)).toSorted((a, b) => a.localeCompare(b));

/** As a study names it. */
const nameOf = (experiment: vscode.Uri, study: vscode.Uri): string =>
  relative(dirname(study.fsPath), experiment.fsPath).replaceAll('\\', '/');

/** As it would run: what is saved, or will be with the study; null where there is no such file. */
async function textOf(uri: vscode.Uri): Promise<StudyTexts['base']> {
  try {
    const unsaved = unsavedAt(uri.fsPath);
    return { text: unsaved === undefined ? await savedText(uri) : unsaved.getText(), file: uri.fsPath };
  } catch (error) {
    if (error instanceof InputError) return error;
    if (error instanceof vscode.FileSystemError) return null;
    throw error;
  }
}

/** Every open form. */
export class StudyEditors implements vscode.CustomTextEditorProvider {
  readonly #deps: StudyEditorDeps;

  constructor(deps: StudyEditorDeps) {
    this.#deps = deps;
  }

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const editor = new StudyEditor(document, panel, this.#deps);
    panel.onDidDispose(() => editor.dispose());
  }
}
