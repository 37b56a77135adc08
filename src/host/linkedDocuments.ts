/** Read-only pages on a run, one a run and scheme, with links to the attempts that they name. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { linksOf } from './documents/layout/links.ts';
import type { LaidOut } from './documents/layout/page.ts';
import { recordUri } from './documents/layout/place.ts';
import { HeldDocuments } from './heldDocuments.ts';
import type { RunDir } from './runs/runs.ts';

export class LinkedDocuments implements vscode.DocumentLinkProvider, vscode.Disposable {
  readonly #scheme: string;
  readonly #held: HeldDocuments<LaidOut>;
  readonly #registration: vscode.Disposable;

  /** @param gone a page's text after its content was dropped */
  constructor(scheme: string, gone: () => string) {
    this.#scheme = scheme;
    this.#held = new HeldDocuments<LaidOut>(scheme, gone);
    this.#registration = vscode.Disposable.from(
      this.#held.registration,
      vscode.languages.registerDocumentLinkProvider({ scheme }, this),
    );
  }

  /** The page of a run that is open is replaced. @param title the tab's */
  show(run: RunDir, title: string, laid: LaidOut): Promise<void> {
    return this.#held.show(recordUri(this.#scheme, { run, id: basename(run) }, title), laid);
  }

  provideDocumentLinks({ uri }: vscode.TextDocument): vscode.DocumentLink[] {
    const laid = this.#held.of(uri);
    return laid === undefined ? [] : linksOf(laid, uri);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
