/** A person's programs (rewards, domains) that have cases, and each case at its line, as the Test Explorer lists them. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { codeOf } from '../../shared/systemError.ts';
import { InputError } from '../../launch/inputs/inputError.ts';
import { currentText } from '../currentText.ts';
import { onReturn } from '../files/onReturn.ts';
import { findWorked } from './casesPlace.ts';

/** Milliseconds without a change after which a file is read. */
const pause = 200;

/** A kind of cases and their subject. */
export interface CaseKind<Line extends { line: number }> {
  /** Globs of case files, and of their subjects. */
  casesPattern: string;
  programPattern: string;
  isCases: (uri: vscode.Uri) => boolean;
  /** Possible subjects of a case file: one a language. */
  programsOf: (cases: vscode.Uri) => vscode.Uri[];
  /** Beside the program. */
  casesOf: (program: vscode.Uri) => vscode.Uri;
  /** Lines of a file by a name that stays with each when others move. */
  linesOf: (text: string) => Iterable<[string, Line]>;
  /** A line's label, and why it holds no case; '' where it does. */
  told: (line: Line) => { label: string; fault: string };
}

/** A program and its cases, by their items. */
interface Listed<Line> {
  program: vscode.Uri;
  /** Null until requested. */
  lines: ReadonlyMap<vscode.TestItem, Line> | null;
}

export class CaseItems<Line extends { line: number }> implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #kind: CaseKind<Line>;
  readonly #listed = new WeakMap<vscode.TestItem, Listed<Line>>();
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #subscriptions: vscode.Disposable;

  constructor(controller: vscode.TestController, kind: CaseKind<Line>) {
    this.#controller = controller;
    this.#kind = kind;
    controller.resolveHandler = async (item) => {
      if (item !== undefined) await this.read(item);
    };
    controller.refreshHandler = () => this.#refresh();
    const cases = vscode.workspace.createFileSystemWatcher(kind.casesPattern, false, false, true);
    const programs = vscode.workspace.createFileSystemWatcher(kind.programPattern, false, true, true);
    // For a folder deleted with its content, only the folder is reported.
    const gone = vscode.workspace.createFileSystemWatcher('**', true, true, false);
    const soon = (uri: vscode.Uri): void => this.#soon(uri);
    this.#subscriptions = vscode.Disposable.from(
      ...[cases, cases.onDidCreate(soon), cases.onDidChange(soon)],
      ...[programs, programs.onDidCreate(soon)],
      ...[gone, gone.onDidDelete((uri) => this.#gone(uri))],
      vscode.workspace.onDidOpenTextDocument(({ uri }) => soon(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => soon(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => soon(uri)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => soon(uri)),
      onReturn(() => void this.#refresh()),
    );
  }

  /** Of a program; null for other items. */
  programOf(item: vscode.TestItem): vscode.Uri | null {
    return this.#listed.get(item)?.program ?? null;
  }

  /** A program item's last known content, each case by its item. */
  linesOf(item: vscode.TestItem): ReadonlyMap<vscode.TestItem, Line> {
    return this.#listed.get(item)?.lines ?? new Map();
  }

  /** Lists the programs of a file of cases, as far as both are there. */
  async list(cases: vscode.Uri): Promise<void> {
    const there = await exists(cases);
    const open = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === cases.toString());
    for (const program of this.#kind.programsOf(cases)) {
      const id = program.toString();
      if (!there || !(await exists(program))) {
        this.#controller.items.delete(id);
        continue;
      }
      const known = this.#controller.items.get(id);
      const item = known ?? this.#add(program);
      // A file in front has its marks at once; of the others only their names are needed.
      if (open || this.#listed.get(item)?.lines !== null) await this.read(item);
    }
  }

  /** Lists what is there by now. */
  async #refresh(): Promise<void> {
    const { casesPattern, casesOf } = this.#kind;
    const listed = [...this.#controller.items].flatMap(([, item]) => this.programOf(item) ?? []);
    const files = [...listed.map(casesOf), ...(await findWorked(casesPattern))];
    for (const cases of new Map(files.map((uri) => [uri.toString(), uri])).values())
      if (this.#kind.isCases(cases)) await this.list(cases);
  }

  /** Reads the cases of a program’s item, as they are in the editor. The item of a file that is not UTF-8 says so. */
  async read(item: vscode.TestItem): Promise<void> {
    const listed = this.#listed.get(item);
    if (listed === undefined) return;
    const cases = this.#kind.casesOf(listed.program);
    const read = await textOf(cases);
    const text = typeof read === 'string' ? read : '';
    item.error = typeof read === 'string' ? undefined : read.message;
    const lengths = text.split('\n').map(({ length }) => length);
    const found = new Map<vscode.TestItem, Line>();
    for (const [id, line] of this.#kind.linesOf(text)) {
      const known = item.children.get(id);
      const child = known ?? this.#controller.createTestItem(id, '', cases);
      const { label, fault } = this.#kind.told(line);
      child.label = fault === '' ? label : vscode.l10n.t('Line {0} holds no case', line.line);
      child.error = fault === '' ? undefined : fault;
      child.range = new vscode.Range(line.line - 1, 0, line.line - 1, lengths[line.line - 1] ?? 0);
      found.set(child, line);
    }
    listed.lines = found;
    item.children.replace([...found.keys()]);
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#subscriptions.dispose();
  }

  #add(program: vscode.Uri): vscode.TestItem {
    const item = this.#controller.createTestItem(program.toString(), basename(program.path), program);
    item.description = vscode.workspace.asRelativePath(vscode.Uri.joinPath(program, '..'));
    item.canResolveChildren = true;
    this.#listed.set(item, { program, lines: null });
    this.#controller.items.add(item);
    return item;
  }

  /** @param uri of a file, or of a folder with all that was in it */
  #gone({ path }: vscode.Uri): void {
    for (const [, item] of this.#controller.items) {
      const program = this.programOf(item);
      if (program === null) continue;
      const lay = [program, this.#kind.casesOf(program)].some(
        (uri) => uri.path === path || uri.path.startsWith(`${path}/`),
      );
      if (lay) this.#soon(program);
    }
  }

  /** @param uri of cases, or of a program that came or went */
  #soon(uri: vscode.Uri): void {
    const { isCases, casesOf } = this.#kind;
    const cases = isCases(uri) ? uri : casesOf(uri);
    if (!isCases(cases)) return;
    const key = cases.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(
      key,
      setTimeout(() => {
        this.#waiting.delete(key);
        void this.list(cases);
      }, pause),
    );
  }
}

/** '' when it is gone; what is wrong with one that is not UTF-8. */
async function textOf(uri: vscode.Uri): Promise<string | InputError> {
  try {
    return await currentText(uri);
  } catch (error) {
    if (error instanceof InputError) return error;
    if (codeOf(error) !== 'FileNotFound') throw error;
    return '';
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'FileNotFound') throw error;
    return false;
  }
}
