/** The page of one task's attempts: fed as they come, asked to open and to compare them. */
import * as vscode from 'vscode';
import type { Channel } from '../../../shared/rpc/channel.ts';
import {
  difference,
  openTask,
  openTrace,
  shown,
  showEpoch,
  underWay,
  type ShownTask,
  type ShownUnderWay,
} from '../contract.ts';
import { showDifference } from '../../../host/documents/attemptCommands.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { entitle, nameInTitles } from '../../../host/webviews/runTitle.ts';
import type { RunCatalog, RunService } from '../../../host/runs/runs.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import type { SaidSoFar } from '../../../shared/records/saidSoFar.ts';
import { shownTask, shownUnderWay } from './shownTask.ts';

/** How often attempts under way are looked at while the page is visible, in milliseconds. */
const watchEvery = 1000;
/** Looks in a row without an answer before the page says that there is none: a runner may just be beginning. */
const patience = 3;

const noneUnderWay: ShownUnderWay = { attempts: 0, first: [], elsewhere: false };

export interface AttemptsPlace {
  run: string;
  task: string;
  /** The last in which it was attempted when null. */
  epoch: number | null;
}

export interface AttemptsPanelNeeds {
  extensionUri: vscode.Uri;
  open: OpenRuns;
  catalog: Pick<RunCatalog, 'get' | 'onDidChangeRuns' | 'onDidChangeList'>;
  service: Pick<RunService, 'active'>;
  log: Pick<vscode.LogOutputChannel, 'error'>;
}

export class AttemptsPanel {
  readonly panel: vscode.WebviewPanel;
  readonly #needs: AttemptsPanelNeeds;
  readonly #channel: Channel;
  #watching: NodeJS.Timeout | null = null;
  /** Looks in a row without an answer. */
  #unanswered = 0;
  #looking = false;
  #place: AttemptsPlace;
  #closed = false;
  /** Null until it was read. */
  #task: ShownTask | null = null;
  #underWay = noneUnderWay;

  constructor(panel: vscode.WebviewPanel, place: AttemptsPlace, needs: AttemptsPanelNeeds) {
    this.panel = panel;
    this.#place = place;
    this.#needs = needs;
    entitle(panel, [place.run], needs.catalog, (run) => vscode.l10n.t('Attempts: {0} · {1}', place.task, run));
    panel.iconPath = pageIcon(needs.extensionUri);
    this.#channel = mountPage(panel.webview, {
      extensionUri: needs.extensionUri,
      name: 'attempts',
      title: panel.title,
      log: needs.log,
      onOpen: () => this.#tell(),
    });
    this.#answer();
    this.#watch();
    panel.onDidChangeViewState(() => this.#watch());
  }

  get place(): AttemptsPlace {
    return this.#place;
  }

  /** Reads the attempts again and shows them if they are others. @throws RunError, InputError */
  async again(): Promise<void> {
    const { run, task, epoch } = this.#place;
    const read = await shownTask(await this.#needs.open.open(run), task, epoch);
    if (this.#closed || JSON.stringify(read) === JSON.stringify(this.#task)) return;
    this.#task = read;
    this.#tell();
  }

  dispose(): void {
    this.#closed = true;
    if (this.#watching !== null) clearInterval(this.#watching);
    this.#channel.dispose();
  }

  /** Shows what is said in attempts that are not recorded yet: only while the page is visible is anything asked. */
  #watch(): void {
    if (this.#closed || this.panel.visible === (this.#watching !== null)) return;
    if (this.#watching === null) {
      this.#watching = setInterval(() => void this.#look(), watchEvery);
      void this.#look();
      return;
    }
    clearInterval(this.#watching);
    this.#watching = null;
    // The page is made anew when it is visible again.
    this.#underWay = noneUnderWay;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const said = await this.#said();
      if (this.#closed || this.#watching === null) return;
      const now = said === 'elsewhere' ? { ...noneUnderWay, elsewhere: true } : this.#shown(said);
      if (JSON.stringify(now) === JSON.stringify(this.#underWay)) return;
      this.#underWay = now;
      this.#channel.emit(underWay, now);
    } catch (error) {
      this.#needs.log.error(`Attempts under way: ${messageOf(error)}`);
    } finally {
      this.#looking = false;
    }
  }

  #shown(said: SaidSoFar | null): ShownUnderWay {
    return said === null ? noneUnderWay : { ...shownUnderWay(said), elsewhere: false };
  }

  async #said(): Promise<SaidSoFar | 'elsewhere' | null> {
    const { run, task } = this.#place;
    const said = (await this.#needs.service.active.get(run)?.said(task)) ?? null;
    const head = this.#needs.catalog.get(run)?.head;
    const isUnderWay = head?.state === 'running' && this.#task !== null && this.#task.epoch > head.epoch;
    this.#unanswered = said === null && isUnderWay ? this.#unanswered + 1 : 0;
    return this.#unanswered >= patience ? 'elsewhere' : said;
  }

  #tell(): void {
    if (this.#task === null) return;
    this.#channel.emit(shown, this.#task);
    this.#channel.emit(underWay, this.#underWay);
  }

  #answer(): void {
    const { run, task } = this.#place;
    this.#channel.handle(openTrace, async ({ trace }) => {
      await vscode.commands.executeCommand('genenv.openTrace', { run, trace: this.#known(trace) });
      return null;
    });
    this.#channel.handle(openTask, async () => {
      await vscode.commands.executeCommand('genenv.openTask', { run, task, epoch: this.#task?.epoch });
      return null;
    });
    this.#channel.handle(difference, async ({ first, second }) => {
      const name = nameInTitles(run, this.#needs.catalog);
      await showDifference({ run, name }, this.#known(first), this.#known(second));
      return null;
    });
    this.#channel.handle(showEpoch, async ({ epoch }) => {
      this.#place = { ...this.#place, epoch };
      await this.again();
      return null;
    });
  }

  /** Only attempts of this page: requests of the page are checked. */
  #known(trace: string): string {
    if (this.#task?.attempts.some(({ id }) => id === trace) === true) return trace;
    throw new Error(vscode.l10n.t('This attempt is not on the page.'));
  }
}
