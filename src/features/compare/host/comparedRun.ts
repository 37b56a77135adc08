/** One run of a comparison, followed live. */
import { taskTries } from '../../../engine/math/paired/taskTries.ts';
import type { LocalDomain } from '../../../engine/ports.ts';
import { domainOf } from '../../../launch/domains/openDomain.ts';
import { CompareFold } from '../core/compareFold.ts';
import type { HowMeasured } from '../core/measuredDifferently.ts';
import { settingTexts } from '../core/settingTexts.ts';
import type { Validated } from '../core/sharedTasks.ts';
import { lineageOf, type Lineage } from '../../../runs/journal/lineage.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { ComparedRun } from '../contract.ts';
import { howMeasured } from '../node/howMeasured.ts';
import { validatedTasks } from '../node/validatedTasks.ts';
import type { FollowedRun, RunCatalog } from '../../../host/runs/runs.ts';

/** The growth of a run since the last request. */
export type Growth = Pick<ComparedRun, 'dir' | 'state' | 'epochs' | 'validations' | 'settings'>;

const nothing = { epochs: 0, validations: 0, changes: 0, state: '' };

export class RunInComparison {
  readonly followed: FollowedRun;
  readonly #lineage: Lineage;
  readonly #catalog: Pick<RunCatalog, 'get'>;
  readonly #fold = new CompareFold();
  readonly #subscription: { dispose(): unknown };
  #told = nothing;
  /** By how many tasks are held out at most. */
  readonly #domains = new Map<number, Promise<LocalDomain>>();

  private constructor(followed: FollowedRun, lineage: Lineage, catalog: Pick<RunCatalog, 'get'>, onChange: () => void) {
    this.followed = followed;
    this.#lineage = lineage;
    this.#catalog = catalog;
    for (const event of followed.facts.light) this.#fold.add(event);
    this.#subscription = followed.onDidAppend((events) => {
      for (const event of events) this.#fold.add(event);
      onChange();
    });
  }

  /** @throws RunError */
  static async open(
    catalog: Pick<RunCatalog, 'get' | 'follow'>,
    dir: string,
    onChange: () => void,
  ): Promise<RunInComparison> {
    const followed = await catalog.follow(dir);
    return new RunInComparison(followed, await lineageOf(dir, followed.manifest), catalog, onChange);
  }

  get dir(): string {
    return this.followed.dir;
  }

  /** Everything; `growth` then continues from here. */
  whole(): ComparedRun {
    const { id, experiment } = this.followed.manifest;
    this.#told = nothing;
    return {
      ...this.#take(),
      ...{ id, name: this.#catalog.get(this.dir)?.head.name ?? experiment.name, epochsPlanned: experiment.epochs },
    };
  }

  /** Null when nothing came. */
  growth(): Growth | null {
    const { epochs, validations, changes } = this.#fold;
    const told = this.#told;
    const same =
      epochs.length === told.epochs &&
      validations.length === told.validations &&
      changes.length === told.changes &&
      this.#state() === told.state;
    return same ? null : this.#take();
  }

  #take(): Growth {
    const { epochs, validations, changes } = this.#fold;
    const told = this.#told;
    const state = this.#state();
    this.#told = { epochs: epochs.length, validations: validations.length, changes: changes.length, state };
    return {
      ...{ dir: this.dir, state },
      epochs: epochs.slice(told.epochs),
      validations: validations.slice(told.validations),
      settings: settingTexts(this.#lineage, changes),
    };
  }

  howMeasured(epoch: number): Promise<HowMeasured> {
    return howMeasured(this.dir, this.#lineage, epoch);
  }

  /** @throws InputError when its inputs are damaged */
  async validated(epoch: number): Promise<Validated | 'not-validated' | 'unknown-tasks' | 'unknown-attempts'> {
    const measured = this.#fold.measured(epoch);
    if (measured === undefined) return 'not-validated';
    const tries = taskTries(measured);
    if (tries === null) return 'unknown-attempts';
    const run = { experiment: this.followed.manifest.experiment, lineage: this.#lineage };
    const tasks = await validatedTasks(run, { epoch, tasks: tries.length }, (experiment) => this.#domain(experiment));
    return tasks === null ? 'unknown-tasks' : { tasks, tries };
  }

  dispose(): void {
    this.#subscription.dispose();
    this.followed.dispose();
  }

  #domain(experiment: Experiment): Promise<LocalDomain> {
    const { tasks } = experiment.validation;
    const { dir, manifest } = this.followed;
    const domain =
      this.#domains.get(tasks) ?? domainOf({ dir, manifest: { ...manifest, experiment } }).then((one) => one.domain);
    this.#domains.set(tasks, domain);
    return domain;
  }

  #state(): ComparedRun['state'] {
    return this.#catalog.get(this.dir)?.head.state ?? 'gone';
  }
}
