/** The benchmark adapters of a workspace: `*.adapter.json` files, found and watched. */
import * as vscode from 'vscode';
import * as z from 'zod';

const pattern = '**/*.adapter.json';
const excluded = '**/{node_modules,.genenv,.git}/**';
const nameSchema = z.looseObject({ name: z.string().min(1) });

export interface AdapterFile {
  uri: vscode.Uri;
  /** What it calls itself, else its file's name. */
  name: string;
  /** What is wrong with it as JSON, and where (from 0). */
  problem: { message: string; line: number; column: number } | null;
}

export class AdapterFiles implements vscode.Disposable {
  readonly #watcher = vscode.workspace.createFileSystemWatcher(pattern);
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor() {
    const tell = (): void => {
      this.#changed.fire();
    };
    this.#subscriptions = vscode.Disposable.from(
      this.#watcher,
      this.#watcher.onDidCreate(tell),
      this.#watcher.onDidChange(tell),
      this.#watcher.onDidDelete(tell),
      vscode.workspace.onDidChangeWorkspaceFolders(tell),
    );
  }

  /** By path. */
  async list(): Promise<AdapterFile[]> {
    const found = await vscode.workspace.findFiles(pattern, excluded);
    const files = await Promise.all(found.map(readAdapter));
    return files.filter((file) => file !== null).sort((a, b) => (a.uri.path < b.uri.path ? -1 : 1));
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }
}

/** Null when it went away meanwhile. */
async function readAdapter(uri: vscode.Uri): Promise<AdapterFile | null> {
  const fallback =
    uri.path
      .split('/')
      .at(-1)
      ?.replace(/\.adapter\.json$/, '') ?? uri.path;
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    const message = error instanceof Error ? error.message : String(error);
    return { uri, name: fallback, problem: { message, line: 0, column: 0 } };
  }
  const { readJson } = await import('../../shared/experiment/jsonText.ts');
  const reading = readJson(new TextDecoder().decode(bytes), uri.fsPath);
  if (reading.ok) return { uri, name: nameSchema.safeParse(reading.json.value).data?.name ?? fallback, problem: null };
  const [first] = reading.problems;
  const { message = '', line = 1, column = 1 } = first ?? {};
  return { uri, name: fallback, problem: { message, line: line - 1, column: column - 1 } };
}
