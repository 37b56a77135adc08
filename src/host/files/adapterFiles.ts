/** Benchmark adapters: those that come with the extension, and the `*.adapter.json` files of a workspace, watched. */
import * as vscode from 'vscode';
import type { Adapter } from '../../shared/adapters/schema.ts';
import { isError } from '../../shared/experiment/problems/problem.ts';
import { InputError } from '../../launch/inputs/inputError.ts';
import type { DataGlance } from '../../launch/adapters/lookAtData.ts';
import { currentText } from '../currentText.ts';
import { readsOutside } from './readsOutside.ts';
import { isShipped, shippedFolder } from './shippedAdapters.ts';
import { watchFiles } from './watchFiles.ts';
import { messageOf } from '../../shared/messageOf.ts';

export const adapterPattern = '**/*.adapter.json';
/** The custom editor of adapters, as the manifest names it. */
export const adapterViewType = 'genenv.adapter';
const excluded = '**/{node_modules,.genenv,.git}/**';
/** More than these are looked at only when they are opened. */
const most = 200;

export const isAdapter = ({ path }: vscode.Uri): boolean => path.endsWith('.adapter.json');
export const findAdapters = (): Thenable<vscode.Uri[]> => vscode.workspace.findFiles(adapterPattern, excluded, most);

export interface AdapterFile {
  uri: vscode.Uri;
  shipped: boolean;
  /** Its own name, else its file's name. */
  name: string;
  /** Null where something is wrong with it. */
  adapter: Adapter | null;
  /** The first thing that is wrong with it, and where (from 0). */
  problem: { message: string; line: number; column: number } | null;
  /** The state of its data; null while no folder is chosen, a text when it cannot be read. */
  data: DataGlance | string | null;
}

export class AdapterFiles implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
    this.#subscriptions = vscode.Disposable.from(
      watchFiles(adapterPattern, () => this.refresh()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
    );
  }

  /** Says that it is time to look again. */
  refresh(): void {
    this.#changed.fire();
  }

  /** Shipped ones first, each kind by path. */
  async list(): Promise<AdapterFile[]> {
    const folder = shippedFolder(this.#extensionUri);
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).sort();
    const shipped = names.map((name) => vscode.Uri.joinPath(folder, name));
    const own = (await findAdapters())
      .filter((uri) => !isShipped(uri, this.#extensionUri))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    const files = await Promise.all([
      ...shipped.map((uri) => readAdapterAt(uri, true)),
      ...own.map((uri) => readAdapterAt(uri, false)),
    ]);
    return files.filter((file) => file !== null);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }
}

/** Null when it went away meanwhile. */
async function readAdapterAt(uri: vscode.Uri, shipped: boolean): Promise<AdapterFile | null> {
  const fallback = (uri.path.split('/').at(-1) ?? uri.path).replace(/\.adapter\.json$/, '');
  const broken = (message: string, line: number, column: number): AdapterFile => ({
    ...{ uri, shipped, name: fallback, adapter: null, problem: { message, line, column }, data: null },
  });
  let text: string;
  try {
    text = await currentText(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    const [problem] = error instanceof InputError ? error.problems : [];
    if (problem !== undefined) return broken(`${problem.message} ${problem.remedy}`, problem.line - 1, 0);
    return broken(messageOf(error), 0, 0);
  }
  const { readAdapter } = await import('../../benchmarks/adapter/readAdapter.ts');
  const { adapter, written, problems } = readAdapter(text, uri.fsPath);
  const name = typeof written?.['name'] === 'string' && written['name'] !== '' ? written['name'] : fallback;
  const wrong = problems.find(isError);
  if (adapter === null) {
    return { ...broken(wrong?.message ?? '', (wrong?.line ?? 1) - 1, (wrong?.column ?? 1) - 1), name };
  }
  return { uri, shipped, name, adapter, problem: null, data: await glanceAt(uri, adapter) };
}

async function glanceAt(uri: vscode.Uri, adapter: Adapter): Promise<AdapterFile['data']> {
  const { dataFolder } = await import('../../launch/adapters/locate.ts');
  const { lookAtData } = await import('../../launch/adapters/lookAtData.ts');
  const { DataError } = await import('../../launch/adapters/dataError.ts');
  const folder = dataFolder(uri.fsPath, adapter.data);
  if (folder === null) return null;
  if (!vscode.workspace.isTrusted) return vscode.l10n.t('Trust this folder to look at the data.');
  try {
    return await lookAtData(adapter, folder, new AbortController().signal, readsOutside(uri));
  } catch (error) {
    if (error instanceof DataError) return error.message;
    throw error;
  }
}
