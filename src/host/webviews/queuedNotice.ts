/** Keeps a form informed of a study in the queue that its file belongs to. */
import * as vscode from 'vscode';
import type { QueuedStudies } from '../runs/queuedStudies.ts';
import { saveChanges } from '../files/saveChanges.ts';
import { requireTrust } from '../runs/steerError.ts';
import type { Channel } from '../../shared/rpc/channel.ts';
import { queueAnew, queuedChanged } from '../../shared/rpc/queuedNotice.ts';

export class QueuedNotice implements vscode.Disposable {
  readonly #uri: vscode.Uri;
  readonly #channel: Channel;
  readonly #studies: QueuedStudies;
  readonly #subscription: vscode.Disposable;

  /** @param isOpen whether the page is there to hear it */
  constructor(uri: vscode.Uri, channel: Channel, studies: QueuedStudies, isOpen: () => boolean) {
    this.#uri = uri;
    this.#channel = channel;
    this.#studies = studies;
    this.#subscription = studies.onDidChange(() => {
      if (isOpen()) this.send();
    });
    channel.handle(queueAnew, async () => {
      requireTrust();
      // The study is read from the disk: with what this form shows.
      await saveChanges(uri);
      const file = studies.of(uri.fsPath)?.file;
      if (file !== undefined) await vscode.commands.executeCommand('genenv.runStudy', vscode.Uri.file(file));
      return null;
    });
  }

  send(): void {
    const change = this.#studies.of(this.#uri.fsPath);
    this.#channel.emit(queuedChanged, change === null ? null : { text: change.text, waits: change.waits });
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
