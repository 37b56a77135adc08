/** Reads one run and keeps reading it: folds what was journaled, tells what changed, a little at a time. */
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { RunError } from '../../runs/runError.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { FollowedRun } from '../runs/runs.ts';
import { CalibrationFold } from './calibrationFold.ts';
import { RewardRows } from './rewardRows.ts';

/** Milliseconds of work between two turns of the host's event loop, and between two messages to the page. */
const slice = 12;
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
  /** What was appended while the journal is read for the first time. */
  #held: (readonly JournalEvent[])[] | null = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #rewardsDue = 0;
  #readingRewards = false;
  #disposed = false;

  /** `fold.take()` has something; throttled. */
  readonly onDidChange = this.#changed.event;
  readonly onDidFail = this.#failed.event;

  constructor(followed: FollowedRun) {
    this.#followed = followed;
    this.fold = new CalibrationFold(followed.manifest.experiment.curriculum);
    this.#rewards = new RewardRows(followed.reader);
    this.#subscriptions = [
      this.#changed,
      this.#failed,
      followed.onDidAppend((events) => this.#append(events)),
      followed.onDidFail((error) => this.#failed.fire(error)),
    ];
  }

  /** Reads what there is. */
  async start(): Promise<void> {
    try {
      await this.#replay();
    } catch (error) {
      if (!RunError.is(error)) throw error;
      if (!this.#disposed) this.#failed.fire(error);
    }
  }

  dispose(): void {
    this.#disposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #replay(): Promise<void> {
    let began = performance.now();
    for await (const event of this.#followed.replay()) {
      if (this.#disposed) return;
      this.fold.add(event);
      if (performance.now() - began < slice) continue;
      this.#soon();
      await setImmediate();
      began = performance.now();
    }
    const held = this.#held ?? [];
    this.#held = null;
    this.complete = true;
    for (const events of held) this.#append(events);
    this.#soon();
    await this.#readRewards();
  }

  #append(events: readonly JournalEvent[]): void {
    if (this.#held !== null) {
      this.#held.push(events);
      return;
    }
    for (const event of events) this.fold.add(event);
    this.#soon();
    if (events.some(({ type }) => type === 'rollouts.finished')) void this.#readRewards();
  }

  #soon(): void {
    if (this.#disposed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#changed.fire();
    }, pause);
  }

  /** One look at a time, never two within the pause: a run with fast epochs must not be read all the time. */
  async #readRewards(): Promise<void> {
    this.#rewardsDue += 1;
    if (this.#readingRewards) return;
    this.#readingRewards = true;
    try {
      while (this.#rewardsDue > 0 && !this.#disposed) {
        this.#rewardsDue = 0;
        const attempted = (epoch: number): boolean => (this.fold.epochs.row(epoch)?.rollouts ?? 0) > 0;
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
