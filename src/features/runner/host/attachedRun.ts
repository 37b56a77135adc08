/**
 * A run that a runner executes, shown and steered by this window: its journal gives its events, the runner its state.
 */
import type { ActiveRun, FollowedRun, RunDir } from '../../../host/runs/runs.ts';
import type { Clock } from '../../../engine/ports.ts';
import { outlook } from '../../../runs/facts/timeline/outlook.ts';
import { inForce } from '../../../runs/journal/experimentNow.ts';
import type { Place } from '../contract.ts';
import { defined } from '../../../shared/defined.ts';

export class AttachedRun implements ActiveRun {
  readonly dir: RunDir;
  readonly #followed: FollowedRun;
  #place: Place | null = null;
  readonly #clock: Clock;
  readonly #since: number;
  readonly said: ActiveRun['said'];

  /** @param said asks its runner */
  constructor(followed: FollowedRun, clock: Clock, said: ActiveRun['said']) {
    this.dir = followed.dir;
    this.#followed = followed;
    this.#clock = clock;
    this.#since = clock.now();
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
    return inForce(this.#followed.manifest, this.state);
  }

  get state(): ActiveRun['state'] {
    return this.#followed.state;
  }

  get secondsLeft(): number | null {
    const since = this.#place?.epochSince ?? this.#since;
    const time = { since, now: this.#clock.now(), silent: this.silences.length > 0 };
    return outlook(this.state, this.experiment, time).secondsLeft;
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

  get silences(): ActiveRun['silences'] {
    return this.#place?.silences ?? [];
  }

  dispose(): void {
    this.#followed.dispose();
  }
}
