/**
 * Guards over running runs: messages in the Problems panel at the setting concerned, and, if the user chose so, a pause
 * with a question.
 */
import * as vscode from 'vscode';
import type { FollowedRun, KnownRun, RunCatalog, RunDir, RunService } from '../runs/runs.ts';
import type { Failures } from './failures.ts';
import { GuardWatch, type GuardNews } from './guardWatch.ts';
import { guards, type Guard, type GuardFinding } from '../../runs/facts/guards/guardFinding.ts';

export interface GuardNeeds {
  catalog: RunCatalog;
  service: RunService;
  failures: Failures;
  log: vscode.LogOutputChannel;
}

const settingPlaces = () => import('./settingPlaces.ts');

interface Watch {
  run: FollowedRun;
  watch: GuardWatch;
  findings: readonly GuardFinding[];
  /** Where its findings are shown. */
  shown: { uri: vscode.Uri; diagnostics: readonly vscode.Diagnostic[] } | null;
}

export function registerGuards(needs: GuardNeeds): { dispose(): void } {
  return new Guards(needs);
}

class Guards {
  readonly #needs: GuardNeeds;
  readonly #collection = vscode.languages.createDiagnosticCollection('genenv.guards');
  readonly #subscriptions: { dispose(): unknown }[];
  /** Null while a run's journal is being opened. */
  readonly #watches = new Map<RunDir, Watch | null>();
  #closed = false;

  constructor(needs: GuardNeeds) {
    this.#needs = needs;
    const { catalog } = needs;
    this.#subscriptions = [
      this.#collection,
      catalog.onDidChangeRuns((dirs) => this.#look(dirs)),
      catalog.onDidChangeList(() => this.#look([...this.#watches.keys(), ...catalog.runs.map(({ dir }) => dir)])),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#moved(uri)),
    ];
    void catalog.ready.then(() => this.#look(catalog.runs.map(({ dir }) => dir)));
  }

  dispose(): void {
    this.#closed = true;
    for (const dir of this.#watches.keys()) this.#forget(dir);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Runs are watched from their start or resumption to their end; a paused run keeps its findings. */
  #look(dirs: readonly RunDir[]): void {
    for (const dir of new Set(dirs)) {
      const known = this.#needs.catalog.get(dir);
      if (known === undefined || known.head.state === 'finished' || known.head.state === 'stopped') this.#forget(dir);
      else if (known.writer !== null && !this.#watches.has(dir)) void this.#watch(known);
    }
  }

  async #watch({ dir }: KnownRun): Promise<void> {
    this.#watches.set(dir, null);
    try {
      const run = await this.#needs.catalog.follow(dir);
      if (this.#closed || !this.#watches.has(dir)) {
        run.dispose();
        return;
      }
      const watch = new GuardWatch(run, (news) => void this.#take(dir, news));
      this.#watches.set(dir, { run, watch, findings: [], shown: null });
      watch.look();
    } catch (error) {
      this.#forget(dir);
      this.#needs.log.error(`${dir}: its guards are off: ${String(error)}`);
    }
  }

  #forget(dir: RunDir): void {
    const watched = this.#watches.get(dir);
    this.#watches.delete(dir);
    watched?.watch.dispose();
    watched?.run.dispose();
    if (watched?.shown != null) this.#show(watched.shown.uri);
  }

  async #take(dir: RunDir, { findings, began }: GuardNews): Promise<void> {
    const watched = this.#watches.get(dir);
    if (watched == null) return;
    watched.findings = findings;
    for (const { guard, since, message } of began) {
      this.#needs.log.warn(`${dir}: guard ${guard}, since epoch ${since}: ${message}`);
    }
    await this.#place(dir, watched);
    const stopping = began.find(({ guard }) => pausing(watched.run).includes(guard));
    if (stopping !== undefined && this.#needs.service.active.has(dir)) await this.#pause(watched.run, stopping);
  }

  /** Puts a run's findings where their settings are written. */
  async #place(dir: RunDir, watched: Watch): Promise<void> {
    const before = watched.shown?.uri;
    const { placesOf } = await settingPlaces();
    const [places, name] = await Promise.all([placesOf(watched.run), nameOf(watched.run)]);
    if (this.#watches.get(dir) !== watched) return;
    watched.shown = {
      uri: places.uri,
      diagnostics: watched.findings.map((finding) => diagnosticOf(finding, name, places.rangeOf(finding.field))),
    };
    this.#show(places.uri);
    if (before !== undefined && before.toString() !== places.uri.toString()) this.#show(before);
  }

  /** Everything that all runs say of one file. */
  #show(uri: vscode.Uri): void {
    const all = [...this.#watches.values()].flatMap((watched) =>
      watched?.shown?.uri.toString() === uri.toString() ? watched.shown.diagnostics : [],
    );
    this.#collection.set(uri, all);
  }

  /** Saving may have moved the lines. */
  #moved(uri: vscode.Uri): void {
    for (const [dir, watched] of this.#watches) {
      if (watched?.shown?.uri.toString() === uri.toString() && watched.findings.length > 0) {
        void this.#place(dir, watched);
      }
    }
  }

  async #pause(run: FollowedRun, { message, remedy, field }: GuardFinding): Promise<void> {
    const { service, failures } = this.#needs;
    const { dir } = run;
    await failures.guard(vscode.l10n.t('The run was not paused'), () => service.pause(dir, 'boundary'));
    const [resume, calibration, change] = [
      vscode.l10n.t('Resume'),
      vscode.l10n.t('Open Calibration'),
      vscode.l10n.t('Change Setting'),
    ];
    const text = vscode.l10n.t('“{0}” was paused by a guard: {1} {2}', await nameOf(run), message, remedy);
    const chosen = await vscode.window.showWarningMessage(text, resume, calibration, change);
    if (chosen === calibration) await vscode.commands.executeCommand('genenv.openCalibration', { run: dir });
    if (chosen === change) await (await settingPlaces()).reveal(run, field);
    if (chosen === resume) {
      await this.#untilPaused(dir);
      await failures.guard(vscode.l10n.t('The run was not resumed'), () => service.resume(dir));
    }
  }

  /** The boundary may be seconds away: a run told to continue meanwhile resumes after the pause. */
  async #untilPaused(dir: RunDir): Promise<void> {
    const { service } = this.#needs;
    while (service.active.has(dir)) {
      await new Promise<void>((resolve) => {
        const subscription = service.onDidChangeActive(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
  }
}

/** Guards that pause runs of this experiment. */
function pausing(run: FollowedRun): Guard[] {
  const names = vscode.workspace
    .getConfiguration('genenv', vscode.Uri.file(run.dir))
    .get<readonly string[]>('guards.pause', []);
  return guards.filter((guard) => names.includes(guard));
}

function diagnosticOf({ guard, since, message, remedy }: GuardFinding, name: string, range: vscode.Range) {
  const text = vscode.l10n.t('{0} {1} (run “{2}”, since epoch {3})', message, remedy, name, since);
  const diagnostic = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = 'GenEnv';
  diagnostic.code = guard;
  return diagnostic;
}

const nameOf = async (run: FollowedRun): Promise<string> =>
  (await import('../../runs/store/runName.ts')).readRunName(run);
