/** A study's page: read from its folder, again whenever that changes. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { watchFiles } from '../../../host/files/watchFiles.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { openStudyForm } from '../../../host/files/studyFiles.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { loadResults } from '../node/loadResults.ts';
import { folderOf, openStudy } from '../node/openStudy.ts';
import {
  exportStudyReport,
  openStudyFile,
  openStudyRuns,
  readAgain,
  studyNamed,
  studyShown,
} from '../contract/page.ts';

export interface StudyNeeds {
  folders: RunFolders;
  failures: Failures;
  log: vscode.LogOutputChannel;
}

/** Milliseconds in which further changes count as one. */
const pause = 500;

export class StudyPanel {
  readonly panel: vscode.WebviewPanel;
  readonly file: vscode.Uri;
  readonly #needs: StudyNeeds;
  readonly #channel: Channel;
  readonly #subscriptions: { dispose(): unknown }[];
  #timer: NodeJS.Timeout | null = null;

  constructor(panel: vscode.WebviewPanel, file: vscode.Uri, needs: StudyNeeds & { extensionUri: vscode.Uri }) {
    this.panel = panel;
    this.file = file;
    this.#needs = needs;
    panel.iconPath = pageIcon(needs.extensionUri);
    this.#channel = mountPage(panel.webview, {
      extensionUri: needs.extensionUri,
      name: 'study',
      title: panel.title,
      log: needs.log,
      onOpen: () => {
        this.#channel.emit(studyNamed, { study: file.toString() });
        void needs.failures.guard(notRead(), () => this.read());
      },
    });
    this.#channel.handle(readAgain, async () => {
      await this.read();
      return null;
    });
    this.#channel.handle(openStudyFile, async () => {
      await openStudyForm(file);
      return null;
    });
    this.#channel.handle(exportStudyReport, async () => {
      await vscode.commands.executeCommand('genenv.exportStudyReport', file);
      return null;
    });
    this.#channel.handle(openStudyRuns, async () => {
      const study = await openStudy(dirname(file.fsPath), file.fsPath);
      await vscode.commands.executeCommand('genenv.openRunTable', { study: study.study.name });
      return null;
    });
    const folder = basename(folderOf(file.fsPath));
    const places = [basename(file.fsPath), `${folder}/*`];
    this.#subscriptions = [
      ...places.map((place) => watchFiles(new vscode.RelativePattern(dirname(file.fsPath), place), () => this.#soon())),
      { dispose: () => this.#channel.dispose() },
    ];
  }

  /** @throws InputError for faults of the study */
  async read(): Promise<void> {
    const store = await this.#needs.folders.of(this.file).store();
    const study = await openStudy(dirname(this.file.fsPath), this.file.fsPath);
    this.#channel.emit(studyShown, await loadResults(study, store));
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #soon(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.panel.visible) void this.read().catch((error: unknown) => this.#needs.log.warn(String(error)));
    }, pause);
  }
}

const notRead = (): string => vscode.l10n.t('The study could not be read');
