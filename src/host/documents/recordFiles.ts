/**
 * Tasks and traces as files of their own schemes, so that the editor restores their tabs after a reload. An open
 * document is laid out again when its run grew, and keeps the cursor's place.
 */
import * as vscode from 'vscode';
import { RunError } from '../../runs/store/runError.ts';
import { plainPage, type LaidOut } from './layout/page.ts';

interface Shown {
  laidOut: LaidOut;
  bytes: Uint8Array;
  /** Grows with every other text. */
  changed: number;
}

/** It determines the encoding, whatever encoding the user's settings name for files. */
const byteOrderMark = '\uFEFF';

/** Reads and lays out a document. @throws RunError and others */
export type Read = (uri: vscode.Uri) => Promise<LaidOut>;

export class RecordFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #read: Read;
  readonly #shown = new Map<string, Promise<Shown>>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #laid = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;

  readonly onDidChangeFile = this.#changed.event;
  /** Documents were laid out again; their text may be the same. */
  readonly onDidLay = this.#laid.event;

  constructor(scheme: string, read: Read) {
    this.#read = read;
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, isReadonly: true }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())),
      this.#changed,
      this.#laid,
    );
  }

  /** A document's layout; null when its text has changed. */
  async layoutOf(document: vscode.TextDocument): Promise<LaidOut | null> {
    const { laidOut } = await this.#get(document.uri);
    return laidOut.text === document.getText() ? laidOut : null;
  }

  /** Lays open documents of a run out again. */
  async again(uris: readonly vscode.Uri[]): Promise<void> {
    for (const uri of uris) {
      const key = uri.toString();
      const before = await this.#get(uri);
      const laidOut = await this.#lay(uri);
      const same = laidOut.text === before.laidOut.text;
      const bytes = same ? before.bytes : bytesOf(laidOut);
      this.#shown.set(key, Promise.resolve({ laidOut, bytes, changed: before.changed + (same ? 0 : 1) }));
      if (!same) this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
    if (uris.length > 0) this.#laid.fire();
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, changed } = await this.#get(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: changed, size: bytes.byteLength };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#get(uri)).bytes;
  }

  /** Changes are reported when found. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #get(uri: vscode.Uri): Promise<Shown> {
    const key = uri.toString();
    const known = this.#shown.get(key);
    if (known !== undefined) return known;
    const reading = this.#first(uri);
    this.#shown.set(key, reading);
    return reading;
  }

  async #first(uri: vscode.Uri): Promise<Shown> {
    try {
      const laidOut = await this.#lay(uri);
      return { laidOut, bytes: bytesOf(laidOut), changed: 1 };
    } catch (error) {
      this.#shown.delete(uri.toString());
      throw error;
    }
  }

  async #lay(uri: vscode.Uri): Promise<LaidOut> {
    try {
      return await this.#read(uri);
    } catch (error) {
      // After a reload the tab is there before anything else could say why it cannot be filled.
      if (RunError.is(error)) return plainPage(error.message);
      throw error;
    }
  }
}

const bytesOf = ({ text }: LaidOut): Uint8Array => new TextEncoder().encode(`${byteOrderMark}${text}`);
