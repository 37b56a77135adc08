/** One run executed by this window: `launch` with its display and controls. */
import type { Clock, Progress } from '../../engine/ports.ts';
import { emptyState, type RunState } from '../../engine/state.ts';
import { EndAsked } from '../../engine/errors.ts';
import { UnderWay } from '../../engine/ports/underWay.ts';
import { launch, type Landing, type Launch } from '../../launch/launch.ts';
import { machineTime } from '../../endpoints/time.ts';
import { Schedulers } from '../../launch/policies/schedulers.ts';
import { phasesWith } from '../../launch/phases.ts';
import { outlook } from '../../runs/facts/timeline/outlook.ts';
import { withChanges } from '../../shared/experiment/changeable.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { saidSoFar, type SaidSoFar } from '../../shared/records/saidSoFar.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { inReadersLanguage } from '../../launch/language.ts';
import type { ActiveRun, RunDir } from './runs.ts';

/** The options of an execution; the rest of `Launch` is set here. */
export type ExecutionOptions = Pick<Launch, 'store' | 'start' | 'dist' | 'clock' | 'keys' | 'log' | 'traces'> & {
  /** As the run knows it: the file's, or the manifest's. */
  experiment: Experiment;
  onEvent: (event: JournalEvent) => void;
  onProgress: () => void;
};

export class Execution implements ActiveRun {
  dir: RunDir = '';
  state: RunState = emptyState;
  phases: readonly Progress[] = [];
  pausing: ActiveRun['pausing'] = 'no';
  readonly #started: Experiment;
  /** Resolves when the run has no writer any more; never rejects. */
  readonly landed: Promise<Landing>;
  readonly #clock: Clock;
  #epochSince: number;
  readonly #underWay = new UnderWay();
  readonly #schedulers = new Schedulers(machineTime);
  readonly #now = new AbortController();
  readonly #boundary = new AbortController();

  /** @throws RunError, InputError when the run cannot be made or opened */
  static async begin(options: ExecutionOptions): Promise<Execution> {
    const { promise, resolve, reject } = Promise.withResolvers<Execution>();
    const execution: Execution = new Execution(
      options,
      () => resolve(execution),
      (error) => reject(error),
    );
    return promise;
  }

  private constructor(options: ExecutionOptions, opened: () => void, refused: (error: unknown) => void) {
    const { experiment, onEvent, onProgress, ...rest } = options;
    this.#started = experiment;
    this.#clock = options.clock;
    this.#epochSince = options.clock.now();
    this.landed = launch({
      ...rest,
      schedulers: this.#schedulers,
      onRun: (_id, dir, state) => {
        this.dir = dir;
        this.state = state;
        opened();
      },
      onEvent: inReadersLanguage((event, state) => {
        if (event.type === 'epoch.started') this.#epochSince = options.clock.now();
        this.state = state;
        this.phases = [];
        onEvent(event);
      }),
      onProgress: inReadersLanguage((progress) => {
        this.phases = phasesWith(this.phases, progress);
        onProgress();
      }),
      underWay: this.#underWay,
      sharedProcess: true,
      signal: this.#now.signal,
      boundary: this.#boundary.signal,
    }).catch((error: unknown) => {
      refused(error);
      // Opened, it can only be the closing of its files that failed.
      return { id: '', state: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
    });
  }

  get experiment(): Experiment {
    return withChanges(this.#started, this.state.changes) ?? this.#started;
  }

  get secondsLeft(): number | null {
    const time = { since: this.#epochSince, now: this.#clock.now(), silent: this.silences.length > 0 };
    return outlook(this.state, this.experiment, time).secondsLeft;
  }

  get loads(): ActiveRun['loads'] {
    return this.#schedulers.loads;
  }

  get silences(): ActiveRun['silences'] {
    return this.#schedulers.silences.now;
  }

  said(task: string): Promise<SaidSoFar> {
    return Promise.resolve(saidSoFar(this.#underWay.at(task)));
  }

  /** Ends it for now, at once or at the next phase boundary. */
  pause(when: 'now' | 'boundary'): void {
    if (this.pausing !== 'now') this.pausing = when;
    if (when === 'boundary') this.#boundary.abort();
    else this.#now.abort();
  }

  /** Ends it at once, saying how. */
  end(how: EndAsked['how'], reason: string): void {
    this.pausing = 'now';
    this.#now.abort(new EndAsked(how, reason));
  }
}
