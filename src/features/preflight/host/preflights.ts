/** Checks before a run: a checklist for each experiment file, and the question whether to start that commands ask. */
import * as vscode from 'vscode';
import type { Check } from '../contract.ts';
import { checkTitles, keptSchema } from '../contract.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { StartRequest } from '../../../host/runs/runs.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { openPlace } from './openPlace.ts';
import { PreflightPanel, type PanelNeeds } from './preflightPanel.ts';
import { PreflightSession, type Checks } from './session.ts';

export interface PreflightNeeds extends PanelNeeds {
  /** Of the panels. */
  viewType: string;
  /** Checks an experiment file's current text. */
  check(file: vscode.Uri, signal: AbortSignal): Checks;
  /** Starts a run from a checklist without a waiting caller. */
  start(request: StartRequest): Promise<unknown>;
  failures: Pick<Failures, 'tell'>;
}

/** Checks that take longer, in milliseconds, are shown as they go; shorter ones only when they found something. */
const glance = 1500;

interface Entry {
  file: vscode.Uri;
  session: PreflightSession;
  panel: PreflightPanel | null;
  /** The caller that waits for the start. */
  answer: ((request: StartRequest | null) => void) | null;
}

export class Preflights implements vscode.Disposable {
  readonly #needs: PreflightNeeds;
  readonly #entries = new Map<string, Entry>();

  constructor(needs: PreflightNeeds) {
    this.#needs = needs;
  }

  /**
   * Checks an experiment before its start. Resolves with the checked experiment, or with null when the user closed the
   * checklist. Starts without a click when everything passed and `genenv.startWhenChecksPass` is on.
   *
   * @param throughWarnings starts despite warnings, too, and tells them
   */
  async run(file: vscode.Uri, throughWarnings = false): Promise<StartRequest | null> {
    requireTrust();
    const entry = this.#entryFor(file);
    entry.answer?.(null);
    const { promise, resolve } = Promise.withResolvers<StartRequest | null>();
    entry.answer = resolve;
    const unasked = vscode.workspace.getConfiguration('genenv', file).get<boolean>('startWhenChecksPass', true);
    if (!unasked) this.#reveal(entry);
    const slow = setTimeout(() => this.#reveal(entry), glance);
    const title = vscode.l10n.t('Checking {0}…', entry.session.view.file);
    try {
      const location = vscode.ProgressLocation.Window;
      await vscode.window.withProgress({ location, title }, () => entry.session.check());
    } catch (error) {
      this.#close(entry);
      throw error;
    } finally {
      clearTimeout(slow);
    }
    // Closed, or requested again, in the meantime.
    if (entry.answer !== resolve) return promise;
    if (unasked && (entry.session.flawless || (throughWarnings && entry.session.cleared !== null))) {
      this.#start(entry);
      if (!entry.session.flawless) this.#tellWarnings(entry);
    } else this.#reveal(entry);
    return promise;
  }

  /** Shows the checklist of an experiment and makes its checks. */
  show(file: vscode.Uri): void {
    const entry = this.#entryFor(file);
    this.#reveal(entry);
    this.#check(entry);
  }

  /** A window was reloaded: the checklist comes back, and says that it knows nothing any more. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptSchema.safeParse(state);
    const entry = kept.success ? this.#entryFor(vscode.Uri.parse(kept.data.uri, true)) : null;
    if (entry?.panel === null) entry.panel = this.#mount(entry, panel);
    else panel.dispose();
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const { session, answer } of this.#entries.values()) {
      session.cancel();
      answer?.(null);
    }
    this.#entries.clear();
  }

  #entryFor(file: vscode.Uri): Entry {
    const uri = file.toString();
    const known = this.#entries.get(uri);
    if (known !== undefined) return known;
    const session = new PreflightSession({
      uri,
      file: vscode.workspace.asRelativePath(file),
      check: (signal) => this.#needs.check(file, signal),
      onChange: (view) => this.#entries.get(uri)?.panel?.show(view),
      onCheck: (check) => this.#log(file, check),
    });
    const entry: Entry = { file, session, panel: null, answer: null };
    this.#entries.set(uri, entry);
    return entry;
  }

  #reveal(entry: Entry): void {
    if (entry.panel === null) entry.panel = this.#mount(entry, this.#newPanel(entry.session.view.file));
    else entry.panel.reveal();
  }

  #newPanel(name: string): vscode.WebviewPanel {
    const title = vscode.l10n.t('Check: {0}', name);
    return vscode.window.createWebviewPanel(this.#needs.viewType, title, vscode.ViewColumn.Active, {});
  }

  #mount(entry: Entry, panel: vscode.WebviewPanel): PreflightPanel {
    const events = {
      onStart: () => this.#start(entry),
      onAgain: () => this.#check(entry),
      onCancel: () => entry.session.cancel(),
      onOpenPlace: (place: Parameters<PreflightSession['finding']>[0]) => {
        const finding = entry.session.finding(place);
        if (finding !== undefined)
          openPlace(finding).catch((error: unknown) => this.#tell(vscode.l10n.t('The file was not opened'), error));
      },
      onClosed: () => {
        entry.panel = null;
        this.#close(entry);
      },
    };
    return new PreflightPanel(panel, entry.session.view, events, this.#needs);
  }

  #check(entry: Entry): void {
    const check = async (): Promise<void> => {
      requireTrust();
      await entry.session.check();
    };
    check().catch((error: unknown) => this.#tell(vscode.l10n.t('The experiment was not checked'), error));
  }

  #start(entry: Entry): void {
    const experiment = entry.session.cleared;
    if (experiment === null) return;
    const request: StartRequest = { experiment, file: entry.file };
    if (entry.answer !== null) {
      entry.answer(request);
      entry.answer = null;
      this.#close(entry);
      return;
    }
    entry.session.starting();
    this.#needs.start(request).then(
      () => this.#close(entry),
      (error: unknown) => {
        entry.session.ready();
        this.#tell(vscode.l10n.t('The run was not started'), error);
      },
    );
  }

  #close(entry: Entry): void {
    this.#entries.delete(entry.session.view.uri);
    entry.session.cancel();
    entry.answer?.(null);
    entry.answer = null;
    const { panel } = entry;
    entry.panel = null;
    panel?.close();
  }

  #tellWarnings({ session }: Entry): void {
    const warned = session.view.checks.filter(({ state }) => state === 'warned');
    const texts = warned.flatMap(({ message, findings }) =>
      findings.length === 0 ? [message] : findings.map(({ message, remedy }) => `${message} ${remedy}`),
    );
    void vscode.window.showWarningMessage(`${session.view.file}: ${texts.join(' ')}`);
  }

  #tell(what: string, error: unknown): void {
    void this.#needs.failures.tell(what, error);
  }

  #log(file: vscode.Uri, { id, state, message, findings }: Check): void {
    const line = `${vscode.workspace.asRelativePath(file)}: ${checkTitles[id]} ${state}. ${message}`;
    this.#needs.log[state === 'failed' || state === 'warned' ? 'warn' : 'info'](line);
    for (const finding of findings) this.#needs.log.warn(`  ${finding.message} ${finding.remedy}`);
  }
}
