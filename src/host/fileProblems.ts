/** The Problems panel's view of every file of a kind in the workspace, and of those that are open. */
import * as vscode from 'vscode';
import { InputError } from '../launch/inputs/inputError.ts';
import type { Problem } from '../shared/experiment/problems/problem.ts';
import { onReturn } from './files/onReturn.ts';
import { currentText } from './currentText.ts';

/** Marks the problems that are ours. */
export const problemSource = 'GenEnv';

/** Milliseconds without a change after which a file is read. */
const pause = 200;

/** One kind of file that people write, and how it is read. */
export interface WrittenFiles {
  /** Of its diagnostics. */
  collection: string;
  /** Glob of their names. */
  pattern: string;
  isOne(uri: vscode.Uri): boolean;
  find(): Thenable<vscode.Uri[]>;
  /** Loaded with the first of them. */
  problemsOf(text: string, file: string): Promise<readonly Problem[]>;
}

export class FileProblems implements vscode.Disposable {
  readonly #files: WrittenFiles;
  readonly #collection: vscode.DiagnosticCollection;
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #subscriptions: { dispose(): unknown }[];
  readonly #log: Pick<vscode.LogOutputChannel, 'error'>;

  constructor(files: WrittenFiles, log: Pick<vscode.LogOutputChannel, 'error'>) {
    this.#files = files;
    this.#collection = vscode.languages.createDiagnosticCollection(files.collection);
    this.#log = log;
    const watcher = vscode.workspace.createFileSystemWatcher(files.pattern);
    this.#subscriptions = [
      this.#collection,
      watcher,
      watcher.onDidCreate((uri) => this.#soon(uri)),
      watcher.onDidChange((uri) => this.#soon(uri)),
      watcher.onDidDelete((uri) => this.#forget(uri)),
      onReturn(() => void this.#readAll()),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#soon(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#soon(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) =>
        uri.scheme === 'file' ? this.#soon(uri) : this.#forget(uri),
      ),
    ];
    for (const { uri } of vscode.workspace.textDocuments) this.#soon(uri);
    void this.#readAll();
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Those that are there, and those that were: reading one that is gone forgets it. */
  async #readAll(): Promise<void> {
    for (const [uri] of this.#collection) this.#soon(uri);
    for (const uri of await this.#files.find()) this.#soon(uri);
  }

  #soon(uri: vscode.Uri): void {
    // Only files on disk or new ones: the same file in a diff or a history would repeat its problems.
    if (!['file', 'untitled'].includes(uri.scheme) || !this.#files.isOne(uri)) return;
    const key = uri.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(
      key,
      setTimeout(() => {
        this.#waiting.delete(key);
        void this.#read(uri);
      }, pause),
    );
  }

  #forget(uri: vscode.Uri): void {
    clearTimeout(this.#waiting.get(uri.toString()));
    this.#waiting.delete(uri.toString());
    this.#collection.delete(uri);
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const text = await this.#textOf(uri);
    if (text === null) {
      this.#collection.delete(uri);
      return;
    }
    const lines = typeof text === 'string' ? text.split(/\r\n|\r|\n/) : [];
    const problems = typeof text === 'string' ? await this.#files.problemsOf(text, uri.fsPath) : text.problems;
    this.#collection.set(
      uri,
      problems.map((problem) => diagnosticOf(problem, lines[problem.line - 1] ?? '')),
    );
  }

  /** Null when it is gone; what is wrong with one that is not UTF-8. */
  async #textOf(uri: vscode.Uri): Promise<string | InputError | null> {
    try {
      return await currentText(uri);
    } catch (error) {
      if (error instanceof InputError) return error;
      if (!(error instanceof vscode.FileSystemError && error.code === 'FileNotFound')) {
        this.#log.error(`${uri.fsPath}: ${String(error)}`);
      }
      return null;
    }
  }
}

/** Problems of several files, each in its own. */
export function problemsByFile(collection: vscode.DiagnosticCollection, problems: readonly Problem[]): void {
  for (const [file, own] of Map.groupBy(problems, (problem) => problem.file)) {
    collection.set(
      vscode.Uri.file(file),
      own.map((problem) => diagnosticOf(problem, '')),
    );
  }
}

/** A problem at the name or value at its place. */
export function diagnosticOf(
  { line, column, field, message, remedy, severity }: Problem,
  text: string,
): vscode.Diagnostic {
  const token = /^("(?:[^"\\]|\\.)*"|[^\s,:{}[\]]+|\S)/.exec(text.slice(column - 1))?.[0] ?? '';
  const range = new vscode.Range(line - 1, column - 1, line - 1, column - 1 + token.length);
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(range, `${message} ${remedy}`.trim(), level);
  diagnostic.source = problemSource;
  if (field !== '') diagnostic.code = field;
  return diagnostic;
}
