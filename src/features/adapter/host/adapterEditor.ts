/** The adapter editor: a custom text editor, so that form and JSON are two views of one document. */
import { basename, dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import { readAdapter, type AdapterReading } from '../../../benchmarks/adapter/readAdapter.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import * as contract from '../contract.ts';
import { inPlace, openAsText } from '../../../host/files/openAs.ts';
import { JsonDocument } from '../../../host/jsonDocument.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { formEvents } from '../../../host/webviews/formEvents.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { adapterViewType } from '../../../host/files/adapterFiles.ts';
import { isShipped } from '../../../host/files/shippedAdapters.ts';
import { AdapterView, unread } from './adapterView.ts';

/** Without a change for so many milliseconds the data is looked at anew. */
const pause = 250;

export interface AdapterEditorDeps {
  log: vscode.LogOutputChannel;
  extensionUri: vscode.Uri;
  /** The folder of built files. */
  dist: URL;
}

/** One page in one editor. */
class AdapterEditor {
  readonly #panel: vscode.WebviewPanel;
  readonly #adapter: JsonDocument<AdapterReading>;
  readonly #channel: Channel;
  readonly #deps: AdapterEditorDeps;
  readonly #subscriptions: { dispose(): unknown }[];
  #open = false;
  #view: AdapterView | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, deps: AdapterEditorDeps) {
    this.#panel = panel;
    this.#deps = deps;
    this.#adapter = new JsonDocument(document, readAdapter);
    this.#channel = mountPage(panel.webview, {
      extensionUri: deps.extensionUri,
      name: 'adapter',
      title: basename(document.uri.path),
      log: deps.log,
      onOpen: () => this.#opened(),
    });
    this.#answer();
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === document) this.#changed();
      }),
      formEvents(document, panel, {
        isOpen: () => this.#open,
        takeTyped: (signal) => this.#takeTyped(signal),
        hidden: () => (this.#open = false),
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#look()),
      new vscode.Disposable(() => this.#channel.dispose()),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#view?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  get #document(): vscode.TextDocument {
    return this.#adapter.document;
  }

  get #shipped(): boolean {
    return isShipped(this.#document.uri, this.#deps.extensionUri);
  }

  #opened(): void {
    this.#open = true;
    this.#send();
    this.#look();
  }

  #changed(): void {
    this.#send();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), pause);
  }

  #send(): void {
    if (!this.#open) return;
    const { written, problems } = this.#adapter.reading;
    this.#channel.emit(contract.documentChanged, {
      file: basename(this.#document.uri.path),
      written,
      problems: problems.map(({ line, column, field, message, remedy, severity }) => ({
        ...{ line, column, field, message, remedy, severity },
      })),
      editable: !this.#shipped,
    });
  }

  /** The data of the current adapter; while it cannot be read, the previous data stays. */
  #look(): void {
    if (!this.#open) return;
    if (!vscode.workspace.isTrusted) {
      // Its templates, expressions and files may be made to take any time.
      const trouble = vscode.l10n.t('Trust this folder to see its data, try answers and check the adapter.');
      this.#channel.emit(contract.dataChanged, { folder: null, trouble, splits: [], joins: [] });
      return;
    }
    const { reading } = this.#adapter;
    if (reading.parts === null) return;
    this.#view?.dispose();
    const view = new AdapterView(reading, reading.parts, this.#document.uri.fsPath, this.#deps.dist);
    this.#view = view;
    const tell = view.tell((data) => {
      if (this.#view === view && this.#open) this.#channel.emit(contract.dataChanged, data);
    });
    tell.catch((error: unknown) => this.#deps.log.error(error instanceof Error ? error : String(error)));
  }

  async #takeTyped(signal: AbortSignal): Promise<void> {
    await this.#adapter.edit(await this.#channel.call(contract.takePending, null, signal));
  }

  #answer(): void {
    const { uri } = this.#document;
    const channel = this.#channel;
    const command = async (id: string): Promise<null> => {
      await vscode.commands.executeCommand(id, uri);
      return null;
    };
    channel.handle(contract.edit, async (edits) => {
      try {
        if (this.#shipped)
          throw new Error(vscode.l10n.t('It comes with the extension: copy it to your workspace first.'));
        await this.#adapter.edit(edits);
      } finally {
        this.#send();
      }
      return null;
    });
    channel.handle(contract.openText, async (at) => {
      const position = at === null ? null : new vscode.Position(at.line - 1, at.column - 1);
      await openAsText(uri, position, this.#panel.viewColumn);
      return null;
    });
    channel.handle(contract.browse, () => chooseFolder(uri));
    channel.handle(contract.showRecord, async ({ split, index }) =>
      this.#view === null ? unread(this.#adapter.reading) : this.#view.record(split, index),
    );
    channel.handle(contract.tryAnswer, async ({ split, index, answer }) => {
      requireTrust();
      if (this.#view === null) throw new Error(vscode.l10n.t('The adapter cannot be used as it is.'));
      return this.#view.judge(split, index, answer);
    });
    channel.handle(contract.openRecord, async ({ split, index }) => {
      const place = await this.#view?.place(split, index);
      if (place === null || place === undefined) return null;
      const at = new vscode.Position(place.line - 1, 0);
      await vscode.window.showTextDocument(vscode.Uri.file(place.path), {
        selection: new vscode.Range(at, at),
        viewColumn: vscode.ViewColumn.Beside,
      });
      return null;
    });
    channel.handle(contract.check, () => command('genenv.checkAdapter'));
    channel.handle(contract.evaluate, () => command('genenv.evaluateOnBenchmark'));
    channel.handle(contract.useAsSeeds, () => command('genenv.useAsSeedTasks'));
    channel.handle(contract.copyToWorkspace, () => command('genenv.copyAdapter'));
  }
}

/** @returns the folder as the adapter names it */
export async function chooseFolder(adapter: vscode.Uri): Promise<string | null> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: vscode.Uri.file(dirname(adapter.fsPath)),
      title: vscode.l10n.t('Where is the data?'),
      openLabel: vscode.l10n.t('Use Folder'),
    })) ?? [];
  return chosen === undefined ? null : namedFrom(adapter, chosen);
}

/** Relative where that is no longer than the whole name; the adapter's own folder is `.`. */
export function namedFrom(adapter: vscode.Uri, folder: vscode.Uri): string {
  const near = relative(dirname(adapter.fsPath), folder.fsPath) || '.';
  return (near.startsWith('..') && near.length > folder.fsPath.length ? folder.fsPath : near).replaceAll('\\', '/');
}

/** Every open adapter. */
export class AdapterEditors implements vscode.CustomTextEditorProvider {
  readonly #deps: AdapterEditorDeps;

  constructor(deps: AdapterEditorDeps) {
    this.#deps = deps;
  }

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const editor = new AdapterEditor(document, panel, this.#deps);
    panel.onDidDispose(() => editor.dispose());
  }
}

/** Opens an adapter's form in place of its text. */
export const openForm = (uri: vscode.Uri): Promise<void> =>
  inPlace(uri, () => vscode.commands.executeCommand('vscode.openWith', uri, adapterViewType));
