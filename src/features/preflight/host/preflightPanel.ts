/** The checklist's panel: shows a session, and passes on the user's actions. */
import type * as vscode from 'vscode';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { again, cancel, open, show, start, type Finding, type PreflightView } from '../contract.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';

export interface PanelEvents {
  onStart(): void;
  onAgain(): void;
  onCancel(): void;
  onOpenPlace(place: Pick<Finding, 'file' | 'line' | 'column'>): void;
  onClosed(): void;
}

export interface PanelNeeds {
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
}

export class PreflightPanel {
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: Channel;
  #view: PreflightView;

  constructor(panel: vscode.WebviewPanel, view: PreflightView, events: PanelEvents, { extensionUri, log }: PanelNeeds) {
    this.#panel = panel;
    this.#view = view;
    panel.iconPath = pageIcon(extensionUri);
    this.#channel = mountPage(panel.webview, {
      extensionUri,
      name: 'preflight',
      title: panel.title,
      log,
      onOpen: () => this.show(this.#view),
    });
    this.#channel.on(start, () => events.onStart());
    this.#channel.on(again, () => events.onAgain());
    this.#channel.on(cancel, () => events.onCancel());
    this.#channel.on(open, (place) => events.onOpenPlace(place));
    panel.onDidDispose(() => {
      this.#channel.dispose();
      events.onClosed();
    });
  }

  show(view: PreflightView): void {
    this.#view = view;
    this.#channel.emit(show, view);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  close(): void {
    this.#panel.dispose();
  }
}
