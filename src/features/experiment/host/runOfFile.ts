/** The run under way that was started from one experiment file, followed live. */
import * as vscode from 'vscode';
import { readManifest } from '../../../runs/store/manifest.ts';
import { sourceOf } from '../../../runs/store/runPaths.ts';
import { valueAt } from '../../../shared/experiment/changeable.ts';
import type { FormRun } from '../contract.ts';
import type { FollowedRun, RunCatalog, RunDir, RunService } from '../../../host/runs/runs.ts';

/** How many runs back a file's own is looked for. */
const furthest = 200;

/** Manifests never change: the source of a run is read once for all callers. */
const sources = new Map<RunDir, string | null>();

export interface RunOfFileDeps {
  catalog: RunCatalog;
  service: RunService;
  log: Pick<vscode.LogOutputChannel, 'error'>;
}

export class RunOfFile {
  readonly #deps: RunOfFileDeps;
  readonly #path: string;
  readonly #changed = new vscode.EventEmitter<FormRun | null>();
  readonly #subscriptions: { dispose(): unknown }[];
  #followed: FollowedRun | null = null;
  #told = '';
  /** Requested changes that the run has not applied yet. */
  #asked: readonly string[] = [];
  #closed = false;
  #looking: Promise<void> | null = null;
  #again = false;

  readonly onDidChange = this.#changed.event;

  constructor(path: string, deps: RunOfFileDeps) {
    this.#path = path;
    this.#deps = deps;
    const { catalog } = deps;
    this.#subscriptions = [
      this.#changed,
      catalog.onDidChangeList(() => this.#look()),
      catalog.onDidChangeRuns(() => this.#look()),
    ];
    this.#look();
  }

  /** Requests other settings of the run from its next phase on. @throws ChangeError */
  async change(dir: RunDir, changes: readonly string[]): Promise<void> {
    await this.#deps.service.change(dir, changes);
    this.#asked = [...this.#asked, ...changes];
    this.#tell();
  }

  /** Sends it again, to a new page. */
  repeat(): void {
    this.#told = '';
    this.#tell();
  }

  dispose(): void {
    this.#closed = true;
    this.#followed?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Looks for the run again; one look at a time. */
  #look(): void {
    if (this.#looking !== null) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#looking = this.#find()
      .catch((error: unknown) => this.#deps.log.error(`${this.#path}: ${String(error)}`))
      .finally(() => {
        this.#looking = null;
        if (this.#again && !this.#closed) this.#look();
      });
  }

  async #find(): Promise<void> {
    await this.#deps.catalog.ready;
    const dir = await this.#newest();
    if (this.#followed?.dir !== dir) {
      this.#followed?.dispose();
      this.#followed = null;
      this.#asked = [];
      const followed = dir === null ? null : await this.#deps.catalog.follow(dir);
      if (this.#closed) {
        followed?.dispose();
        return;
      }
      this.#followed = followed;
      followed?.onDidAppend(() => this.#tell());
    }
    this.#tell();
  }

  /** The run that is being written; else the newest one that is paused. */
  async #newest(): Promise<RunDir | null> {
    let waiting: RunDir | null = null;
    let newest = true;
    for (const { dir, head } of this.#deps.catalog.runs.slice(0, furthest)) {
      if ((await this.#source(dir)) !== this.#path) continue;
      if (head.state === 'running') return dir;
      if (newest && (head.state === 'paused' || head.state === 'interrupted')) waiting = dir;
      newest = false;
    }
    return waiting;
  }

  async #source(dir: RunDir): Promise<string | null> {
    const known = sources.get(dir);
    if (known !== undefined) return known;
    try {
      const source = sourceOf(dir, await readManifest(dir));
      sources.set(dir, source);
      return source;
    } catch (error) {
      // The tree reports unreadable runs; here one is only ignored.
      this.#deps.log.error(`${dir}: ${String(error)}`);
      sources.set(dir, null);
      return null;
    }
  }

  #tell(): void {
    const run = this.#view();
    const text = JSON.stringify(run);
    if (text === this.#told || this.#closed) return;
    this.#told = text;
    this.#changed.fire(run);
  }

  #view(): FormRun | null {
    const followed = this.#followed;
    if (followed === null) return null;
    const { state, name } = this.#deps.catalog.get(followed.dir)?.head ?? { state: 'finished', name: '' };
    if (state !== 'running' && state !== 'paused' && state !== 'interrupted') return null;
    const { experiment } = followed;
    this.#asked = this.#asked.filter((change) => !holds(change, experiment));
    return {
      dir: followed.dir,
      name,
      epoch: followed.state.summaries.length,
      epochs: experiment.epochs,
      state,
      experiment,
      asked: [...this.#asked],
    };
  }
}

/** Whether an experiment has the value that a change, `field=value`, requested. */
function holds(change: string, experiment: FormRun['experiment']): boolean {
  const equals = change.indexOf('=');
  return JSON.stringify(valueAt(experiment, change.slice(0, equals))) === change.slice(equals + 1);
}
