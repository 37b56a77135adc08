/**
 * A run that a runner executes, shown and steered by this window: its journal gives its events, the runner its state.
 */
import type { ActiveRun, FollowedRun, RunDir } from '../../../host/runs/runs.ts';
import type { Place } from '../contract.ts';
import { defined } from '../../../shared/defined.ts';

export class AttachedRun implements ActiveRun {
  readonly dir: RunDir;
  readonly #followed: FollowedRun;
  #place: Place | null = null;
  readonly #since: number;
  readonly said: ActiveRun['said'];

  /** @param now milliseconds; said asks its runner */
  constructor(followed: FollowedRun, now: number, said: ActiveRun['said']) {
    this.dir = followed.dir;
    this.#followed = followed;
    this.#since = now;
    this.said = said;
  }

  /** @returns whether that is another place than before */
  moveTo(place: Place | null): boolean {
    const same = JSON.stringify(place) === JSON.stringify(this.#place);
    this.#place = place;
    return !same;
  }

  get followed(): FollowedRun {
    return this.#followed;
  }

  get experiment(): ActiveRun['experiment'] {
    return this.#followed.manifest.experiment;
  }

  get state(): ActiveRun['state'] {
    return this.#followed.state;
  }

  get epochSince(): number {
    return this.#place?.epochSince ?? this.#since;
  }

  get phases(): ActiveRun['phases'] {
    return (this.#place?.phases ?? []).map(({ successes, job, ...progress }) => ({
      ...progress,
      ...defined({ successes, job }),
    }));
  }

  get pausing(): ActiveRun['pausing'] {
    return this.#place?.pausing === true ? 'now' : 'no';
  }

  get loads(): ActiveRun['loads'] {
    return this.#place?.loads ?? [];
  }

  dispose(): void {
    this.#followed.dispose();
  }
}
