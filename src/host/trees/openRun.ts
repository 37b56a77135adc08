/** A run whose nodes are open: followed, its epochs folded, its families read when they are asked for. */
import type { Disposable } from 'vscode';
import type { RunError } from '../../runs/runError.ts';
import type { FamilyScore, JournalEvent } from '../../shared/journal/events.ts';
import type { FollowedRun } from '../runs/runs.ts';
import { RunFacts } from './runFacts.ts';

/** Families of so many are kept in memory for one run; the epoch asked for last always is. */
const familiesHeld = 20_000;

export class OpenRun implements Disposable {
  readonly followed: FollowedRun;
  readonly facts: RunFacts;
  readonly #families = new Map<number, Promise<readonly FamilyScore[]>>();
  readonly #sizes = new Map<number, number>();
  readonly #subscriptions: Disposable[];
  #failure: RunError | null = null;

  private constructor(followed: FollowedRun, facts: RunFacts, subscriptions: Disposable[]) {
    this.followed = followed;
    this.facts = facts;
    this.#subscriptions = subscriptions;
  }

  /**
   * @param told what was appended since, after `facts` took it; nothing when the journal could not be read on
   * @throws RunError
   */
  static async open(followed: FollowedRun, told: (events: readonly JournalEvent[]) => void): Promise<OpenRun> {
    const facts = new RunFacts();
    let early: JournalEvent[] | null = [];
    const subscriptions: Disposable[] = [];
    const run = new OpenRun(followed, facts, subscriptions);
    subscriptions.push(
      followed.onDidAppend((events) => {
        if (early !== null) {
          early.push(...events);
          return;
        }
        run.#take(events);
        told(events);
      }),
      followed.onDidFail((error) => {
        run.#failure = error;
        told([]);
      }),
    );
    try {
      for await (const event of followed.replay()) facts.add(event);
    } catch (error) {
      run.dispose();
      throw error;
    }
    // The journal grew while it was read: what was told meanwhile may be in it already or not.
    run.#take(early);
    early = null;
    return run;
  }

  /** Why the run could not be read on; null while it can. */
  get failure(): RunError | null {
    return this.#failure;
  }

  /** The families of a scored epoch. @throws RunError */
  families(epoch: number): Promise<readonly FamilyScore[]> {
    const held = this.followed.state.scores.get(epoch);
    if (held !== undefined) return Promise.resolve(held);
    const known = this.#families.get(epoch);
    if (known !== undefined) return known;
    const reading = this.#read(epoch);
    this.#families.set(epoch, reading);
    return reading;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.followed.dispose();
  }

  async #read(epoch: number): Promise<readonly FamilyScore[]> {
    try {
      const families = await this.followed.familiesOf(epoch);
      this.#sizes.set(epoch, families.length);
      this.#forget(epoch);
      return families;
    } catch (error) {
      this.#families.delete(epoch);
      throw error;
    }
  }

  #forget(newest: number): void {
    let held = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [epoch, size] of this.#sizes) {
      if (held <= familiesHeld || epoch === newest) return;
      this.#families.delete(epoch);
      this.#sizes.delete(epoch);
      held -= size;
    }
  }

  #take(events: readonly JournalEvent[]): void {
    for (const event of events) this.facts.add(event);
  }
}
