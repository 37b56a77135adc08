/** The data of one run from its first line: sends changes in small parts. */
import * as vscode from 'vscode';
import { RunError } from '../../../runs/store/runError.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { FollowedRun } from '../../../host/runs/runs.ts';
import { CalibrationFold } from './calibrationFold.ts';
import { RewardRows } from './rewardRows.ts';

/** Milliseconds between two messages to the page. */
const pause = 100;
/** Milliseconds between two looks at the index of traces. */
const rewardsPause = 2000;

export class CalibrationFeed implements vscode.Disposable {
  readonly fold: CalibrationFold;
  /** The journal has been read to its end once. */
  complete = false;
  readonly #followed: FollowedRun;
  readonly #rewards: RewardRows;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #failed = new vscode.EventEmitter<RunError>();
  readonly #subscriptions: { dispose(): unknown }[];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #rewardsDue = 0;
  #readingRewards = false;
  #disposed = false;

  /** `fold.take()` has something; throttled. */
  readonly onDidChange = this.#changed.event;
  readonly onDidFail = this.#failed.event;

  constructor(followed: FollowedRun) {
    this.#followed = followed;
    this.fold = new CalibrationFold(followed.facts.charts);
    this.#rewards = new RewardRows(followed.reader);
    this.#subscriptions = [
      this.#changed,
      this.#failed,
      followed.onDidAppend((events) => this.#append(events)),
      followed.onDidFail((error) => this.#failed.fire(error)),
    ];
  }

  /** Resolves when the journal's end was reached once. */
  async start(): Promise<void> {
    try {
      await this.#followed.whole;
    } catch (error) {
      // The followed run reports it, like every failure.
      if (RunError.is(error)) return;
      throw error;
    }
    this.complete = true;
    this.#soon();
    await this.#readRewards();
  }

  dispose(): void {
    this.#disposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #append(events: readonly JournalEvent[]): void {
    for (const event of events) this.fold.note(event);
    this.#soon();
    if (this.complete && events.some(({ type }) => type === 'rollouts.finished')) void this.#readRewards();
  }

  #soon(): void {
    if (this.#disposed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#changed.fire();
    }, pause);
  }

  /** One reading at a time, never two within the pause: a run with fast epochs must not be read constantly. */
  async #readRewards(): Promise<void> {
    this.#rewardsDue += 1;
    if (this.#readingRewards) return;
    this.#readingRewards = true;
    try {
      while (this.#rewardsDue > 0 && !this.#disposed) {
        this.#rewardsDue = 0;
        const attempted = (epoch: number): boolean =>
          (this.#followed.facts.charts.epochs.row(epoch)?.rollouts ?? 0) > 0;
        for await (const row of this.#rewards.update(attempted)) {
          this.fold.addReward(row);
          this.#soon();
        }
        await new Promise((resolve) => setTimeout(resolve, rewardsPause).unref());
      }
    } catch (error) {
      if (!RunError.is(error)) throw error;
      if (!this.#disposed) this.#failed.fire(error);
    } finally {
      this.#readingRewards = false;
    }
  }
}
