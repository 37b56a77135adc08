/** The page on which a person attempts a task. */
import * as vscode from 'vscode';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { entitle } from '../../../host/webviews/runTitle.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { playTraceId, type Play } from '../../../shared/records/play.ts';
import { act, call, draft, send, shown } from '../contract.ts';
import type { OpenPlay } from '../node/play.ts';
import { PlaySession, type SessionNeeds } from './playSession.ts';

export interface PanelNeeds extends Omit<SessionNeeds, 'changed' | 'log'> {
  extensionUri: vscode.Uri;
  catalog: Pick<RunCatalog, 'get' | 'onDidChangeRuns' | 'onDidChangeList'>;
  log: vscode.LogOutputChannel;
  failures: Failures;
  ended: (run: string, play: Play) => void;
}

export class PlayPanel {
  readonly panel: vscode.WebviewPanel;
  readonly play: Play;
  readonly #run: RunReader;
  readonly #channel: Channel;
  readonly #session: PlaySession;
  readonly #done: Promise<void>;

  /** @param run is closed with the page */
  constructor(panel: vscode.WebviewPanel, run: RunReader, open: OpenPlay, needs: PanelNeeds) {
    this.panel = panel;
    this.play = open.play;
    this.#run = run;
    panel.iconPath = pageIcon(needs.extensionUri);
    const { extensionUri, catalog, log, failures, ended, ...tools } = needs;
    entitle(panel, [run.dir], catalog, (name) => vscode.l10n.t('Play: {0} · {1}', open.play.task, name));
    this.#session = new PlaySession(run, open, {
      ...{ ...tools, log },
      changed: (view) => this.#channel.emit(shown, view),
    });
    this.#channel = mountPage(panel.webview, {
      ...{ extensionUri, name: 'play', title: panel.title, log },
      onOpen: () => this.#channel.emit(shown, this.#session.view),
    });
    this.#answer(failures);
    this.#done = this.#session.run().then((play) => {
      if (play?.trace != null) ended(run.dir, play);
    });
  }

  async dispose(): Promise<void> {
    await this.#session.leave();
    await this.#done;
    this.#channel.dispose();
    await this.#run.close();
  }

  #answer(failures: Failures): void {
    const target = { run: this.#run.dir, task: this.play.task };
    const trace = { run: this.#run.dir, trace: playTraceId(this.play) };
    this.#channel.on(draft, ({ text }) => {
      void failures.guard(vscode.l10n.t('The turn was not kept'), () => this.#session.draft(text));
    });
    this.#channel.handle(send, ({ text }) => {
      this.#session.send(text);
      return Promise.resolve(null);
    });
    this.#channel.handle(call, ({ tool, fields, draft: said }) =>
      Promise.resolve({ text: this.#session.call(tool, fields, said) }),
    );
    this.#channel.handle(act, async ({ what }) => {
      if (what === 'task') await vscode.commands.executeCommand('genenv.openTask', target);
      else if (what === 'again') await vscode.commands.executeCommand('genenv.playTask', { ...target, anew: true });
      else if (what === 'pool') await vscode.commands.executeCommand('genenv.addToAgentPool', trace);
      else await vscode.commands.executeCommand(what === 'open' ? 'genenv.openTrace' : 'genenv.compareAttempt', trace);
      return null;
    });
  }
}
