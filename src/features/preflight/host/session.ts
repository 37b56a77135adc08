/** The checks of one experiment file as they stand: made, made again, cancelled. Knows nothing of the editor. */
import type { Cleared } from '../node/preflight.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { checkIds, type Check, type Finding, type PreflightView } from '../contract.ts';

/** The results of one pass of checks. */
export type Checks = AsyncIterable<Check | Cleared>;

export interface SessionOptions {
  uri: string;
  file: string;
  /** Reads the current experiment, and checks it. */
  check(signal: AbortSignal): Checks;
  /** Something changed. */
  onChange(view: PreflightView): void;
  /** A check ended. */
  onCheck(check: Check): void;
}

export class PreflightSession {
  readonly #options: SessionOptions;
  #view: PreflightView;
  #experiment: Experiment | null = null;
  #running: AbortController | null = null;

  /** Nothing is known before `check`. */
  constructor(options: SessionOptions) {
    this.#options = options;
    const { uri, file } = options;
    this.#view = { uri, file, status: 'stale', checks: waiting() };
  }

  get view(): PreflightView {
    return this.#view;
  }

  /** The experiment to start: as last checked, when nothing failed. */
  get cleared(): Experiment | null {
    return this.#view.status === 'ready' ? this.#experiment : null;
  }

  /** Whether every check passed, without a warning. */
  get flawless(): boolean {
    return this.#view.status === 'ready' && this.#view.checks.every(({ state }) => state === 'passed');
  }

  /** Runs all checks; running ones are cancelled. Resolves when they are done or cancelled themselves. */
  async check(): Promise<void> {
    this.#running?.abort();
    const own = new AbortController();
    this.#running = own;
    this.#experiment = null;
    this.#set({ status: 'checking', checks: waiting() });
    try {
      for await (const update of this.#options.check(own.signal)) {
        if (own.signal.aborted) return;
        if ('work' in update) this.#finish(update);
        else this.#take(update);
      }
    } catch (error) {
      if (this.#running === own) this.cancel();
      throw error;
    } finally {
      if (this.#running === own) this.#running = null;
    }
  }

  /** Gives up the checks that are running. */
  cancel(): void {
    if (this.#running === null) return;
    this.#running.abort();
    this.#running = null;
    const checks = this.#view.checks.map((check): Check => (check.state === 'running' ? idle(check.id) : check));
    this.#set({ status: 'stopped', checks });
  }

  /** A run of this experiment is being started. */
  starting(): void {
    this.#set({ status: 'starting' });
  }

  /** It could not be started, or was, and may be once more. */
  ready(): void {
    this.#set({ status: 'ready' });
  }

  /** The finding that a page points at; undefined for one that is none of ours. */
  finding(place: Pick<Finding, 'file' | 'line' | 'column'>): Finding | undefined {
    return this.#view.checks
      .flatMap(({ findings }) => findings)
      .find(({ file, line, column }) => file === place.file && line === place.line && column === place.column);
  }

  #take(check: Check): void {
    this.#set({ checks: this.#view.checks.map((known) => (known.id === check.id ? check : known)) });
    if (check.state !== 'running') this.#options.onCheck(check);
  }

  #finish({ experiment }: Cleared): void {
    this.#experiment = experiment;
    const failed = this.#view.checks.some(({ state }) => state === 'failed');
    this.#set({ status: failed || experiment === null ? 'blocked' : 'ready' });
  }

  #set(change: Partial<PreflightView>): void {
    this.#view = { ...this.#view, ...change };
    this.#options.onChange(this.#view);
  }
}

const idle = (id: Check['id']): Check => ({ id, state: 'waiting', message: '', findings: [] });
const waiting = (): Check[] => checkIds.map(idle);
