/** A run with expanded nodes: followed, its families read on demand. */
import type { Disposable } from 'vscode';
import type { RunError } from '../../runs/store/runError.ts';
import type { RunFacts } from '../../runs/facts/runFacts.ts';
import type { FamilyScore, JournalEvent } from '../../shared/journal/events.ts';
import type { FollowedRun } from '../runs/runs.ts';

/** Maximum number of families in memory for one run; the last requested epoch always stays. */
const familiesHeld = 20_000;

export class OpenRun implements Disposable {
  readonly followed: FollowedRun;
  readonly #families = new Map<number, Promise<readonly FamilyScore[]>>();
  readonly #sizes = new Map<number, number>();
  readonly #subscriptions: readonly Disposable[];
  #failure: RunError | null = null;

  /** @param told gets the appended events, after `facts` took them; none when the journal could not be read further */
  constructor(followed: FollowedRun, told: (events: readonly JournalEvent[]) => void) {
    this.followed = followed;
    this.#subscriptions = [
      followed.onDidAppend(told),
      followed.onDidFail((error) => {
        this.#failure = error;
        told([]);
      }),
    ];
  }

  get facts(): RunFacts {
    return this.followed.facts;
  }

  /** Why the run could not be read on; null while it can. */
  get failure(): RunError | null {
    return this.#failure;
  }

  /** The families of a scored epoch. @throws RunError */
  families(epoch: number): Promise<readonly FamilyScore[]> {
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
}
