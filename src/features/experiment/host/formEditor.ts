/** The experiment form: a custom text editor, so that form and JSON are two views of one document. */
import { basename, dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import { fieldAt } from '../../../shared/experiment/fields.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import * as contract from '../contract.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { formEvents } from '../../../host/webviews/formEvents.ts';
import { QueuedNotice } from '../../../host/webviews/queuedNotice.ts';
import type { QueuedStudies } from '../../../host/runs/queuedStudies.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { saveText } from '../../../host/webviews/saveText.ts';
import { ExperimentDocument } from './experimentDocument.ts';
import { formViewType } from '../../../host/files/experimentFiles.ts';
import { inPlace, openAsText } from '../../../host/files/openAs.ts';
import { ForecastOfFile, type ForecastNeeds } from './forecastOfFile.ts';
import { BranchOfFile, type BranchOfFileDeps } from './branchOfFile.ts';
import { RunOfFile, type RunOfFileDeps } from './runOfFile.ts';

export interface FormDeps extends RunOfFileDeps, BranchOfFileDeps, Pick<ForecastNeeds, 'dist'> {
  log: vscode.LogOutputChannel;
  /** Studies in the queue. */
  queued: QueuedStudies;
  extensionUri: vscode.Uri;
}

/** One form in one editor. */
class FormEditor {
  readonly #panel: vscode.WebviewPanel;
  readonly #experiment: ExperimentDocument;
  readonly #channel: Channel;
  readonly #run: RunOfFile;
  readonly #branch: BranchOfFile;
  readonly #forecast: ForecastOfFile;
  readonly #queued: QueuedNotice;
  readonly #log: Pick<vscode.LogOutputChannel, 'error'>;
  readonly #subscriptions: { dispose(): unknown }[];
  /** The page is loaded and has received the document. */
  #open = false;
  /** A field to show once it is. */
  #wanted: string | null = null;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, deps: FormDeps) {
    this.#panel = panel;
    this.#experiment = new ExperimentDocument(document);
    this.#run = new RunOfFile(document.uri.fsPath, deps);
    this.#branch = new BranchOfFile(document.uri.fsPath, deps);
    this.#log = deps.log;
    this.#channel = mountPage(panel.webview, {
      extensionUri: deps.extensionUri,
      name: 'experiment',
      title: basename(document.uri.path),
      log: deps.log,
      onOpen: () => this.#opened(),
    });
    this.#forecast = new ForecastOfFile(document, deps, (basis) => {
      if (this.#open) this.#channel.emit(contract.basisChanged, basis);
    });
    this.#queued = new QueuedNotice(document.uri, this.#channel, deps.queued, () => this.#open);
    this.#answer();
    this.#subscriptions = [
      this.#queued,
      this.#run,
      this.#forecast,
      this.#run.onDidChange((run) => this.#channel.emit(contract.runChanged, run)),
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === document) this.#send();
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

  get uri(): vscode.Uri {
    return this.#experiment.document.uri;
  }

  show(field: string): void {
    if (this.#open) this.#channel.emit(contract.showField, { field });
    else this.#wanted = field;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #opened(): void {
    this.#open = true;
    this.#send();
    this.#run.repeat();
    this.#queued.send();
    void this.#sendOrigin();
    this.#forecast.recount();
    if (this.#wanted !== null) this.#channel.emit(contract.showField, { field: this.#wanted });
    this.#wanted = null;
  }

  #send(): void {
    if (!this.#open) return;
    const { written, problems } = this.#experiment.reading;
    this.#channel.emit(contract.documentChanged, {
      file: basename(this.uri.path),
      written,
      problems: problems.map(({ line, column, field, message, remedy, severity }) => ({
        ...{ line, column, field, message, remedy, severity },
      })),
      trusted: vscode.workspace.isTrusted,
    });
  }

  async #sendOrigin(): Promise<void> {
    const name = await this.#branch.rerunOf();
    this.#channel.emit(contract.rerunChanged, name === null ? null : { name });
    await this.#sendBranch();
  }

  async #sendBranch(): Promise<void> {
    try {
      this.#channel.emit(contract.branchChanged, await this.#branch.read());
    } catch (error) {
      // The form is still one of a new run.
      this.#log.error(`${this.uri.fsPath}: ${String(error)}`);
    }
  }

  /** Puts the user's typed text into the document, after the edits that are in progress. */
  async #takeTyped(signal: AbortSignal): Promise<void> {
    await this.#experiment.edit(await this.#channel.call(contract.takePending, null, signal));
  }

  #answer(): void {
    const { uri } = this;
    const channel = this.#channel;
    channel.handle(contract.edit, async (edits) => {
      await this.#experiment.edit(edits);
      this.#send();
      return null;
    });
    channel.handle(contract.openText, async (at) => {
      await openAsText(
        uri,
        at === null ? null : new vscode.Position(at.line - 1, at.column - 1),
        this.#panel.viewColumn,
      );
      return null;
    });
    channel.handle(contract.startRun, async () => {
      requireTrust();
      await vscode.commands.executeCommand('genenv.startRun', uri);
      return null;
    });
    channel.handle(contract.checkExperiment, async () => {
      requireTrust();
      await vscode.commands.executeCommand('genenv.checkExperiment', uri);
      return null;
    });
    channel.handle(contract.browse, async ({ field }) => chooseFile(uri, field));
    channel.handle(contract.applyToRun, async ({ run, changes }) => {
      await this.#run.change(run, changes);
      return null;
    });
    channel.handle(contract.makeBranch, async ({ changes, name }) => {
      requireTrust();
      await this.#experiment.document.save();
      await this.#branch.make(changes, name);
      return null;
    });
    channel.handle(contract.branchAt, async ({ epoch }) => {
      await this.#branch.choose(epoch);
      await this.#sendBranch();
      return null;
    });
    channel.handle(contract.openCalibration, async ({ run }) => {
      await vscode.commands.executeCommand('genenv.openCalibration', { run });
      return null;
    });
    channel.handle(contract.saveFile, async (file) => {
      await saveText(file);
      return null;
    });
  }
}

/** @returns a name relative to the experiment's folder where that is no longer than the whole one */
async function chooseFile(experiment: vscode.Uri, field: string): Promise<string | null> {
  const file = fieldAt(field)?.file;
  const folder = dirname(experiment.fsPath);
  const [chosen] =
    (await vscode.window.showOpenDialog({
      defaultUri: vscode.Uri.file(folder),
      ...(file !== undefined && { filters: { [vscode.l10n.t(file.kind)]: [...file.endings] } }),
    })) ?? [];
  if (chosen === undefined) return null;
  const near = relative(folder, chosen.fsPath);
  return (near.startsWith('..') && near.length > chosen.fsPath.length ? chosen.fsPath : near).replaceAll('\\', '/');
}

/** Every open form. */
export class FormEditors implements vscode.CustomTextEditorProvider {
  readonly #deps: FormDeps;
  readonly #open = new Set<FormEditor>();
  /** A field to show in the next form of a file. */
  #wanted: { uri: string; field: string } | null = null;

  constructor(deps: FormDeps) {
    this.#deps = deps;
  }

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const editor = new FormEditor(document, panel, this.#deps);
    this.#open.add(editor);
    panel.onDidDispose(() => {
      this.#open.delete(editor);
      editor.dispose();
    });
    if (this.#wanted?.uri === document.uri.toString()) editor.show(this.#wanted.field);
    this.#wanted = null;
  }

  /** Opens the form of a file, at a field if one is named. */
  async show(uri: vscode.Uri, field: string | null = null): Promise<void> {
    const open = [...this.#open].find((editor) => editor.uri.toString() === uri.toString());
    if (field !== null && open === undefined) this.#wanted = { uri: uri.toString(), field };
    await inPlace(uri, () => vscode.commands.executeCommand('vscode.openWith', uri, formViewType));
    if (field !== null) open?.show(field);
  }
}
