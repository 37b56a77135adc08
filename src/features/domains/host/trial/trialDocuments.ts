/** Trials of domains that are open, as they came out: another one of the same file takes the place of the one before. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { foldsOf, symbolsOf } from '../../../../host/documents/layout/outline.ts';
import type { LaidOut } from '../../../../host/documents/layout/page.ts';
import { recordUri } from '../../../../host/documents/layout/place.ts';
import { HeldDocuments } from '../../../../host/heldDocuments.ts';

const scheme = 'genenv-trial';

/** The kind of trial. */
export type TrialKind = 'written' | 'posed';

export class TrialDocuments implements vscode.Disposable {
  readonly #held = new HeldDocuments<LaidOut>(scheme, () => vscode.l10n.t('This trial is gone: try the domain again.'));
  readonly #registration = vscode.Disposable.from(
    this.#held.registration,
    vscode.languages.registerDocumentSymbolProvider(
      { scheme },
      { provideDocumentSymbols: ({ uri }) => this.#of(uri, symbolsOf) },
    ),
    vscode.languages.registerFoldingRangeProvider(
      { scheme },
      { provideFoldingRanges: ({ uri }) => this.#of(uri, foldsOf) },
    ),
  );

  show(domain: vscode.Uri, kind: TrialKind, laid: LaidOut): Promise<void> {
    const titles: Record<TrialKind, string> = {
      written: vscode.l10n.t('Tasks by {0}', basename(domain.path)),
      posed: vscode.l10n.t('Attempts by {0}', basename(domain.path)),
    };
    return this.#held.show(recordUri(scheme, { run: domain.fsPath, id: kind }, titles[kind]), laid);
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #of<T>(uri: vscode.Uri, read: (laid: LaidOut) => T[]): T[] {
    const laid = this.#held.of(uri);
    return laid === undefined ? [] : read(laid);
  }
}
