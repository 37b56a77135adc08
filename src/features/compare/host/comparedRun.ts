/** One run of a comparison, followed live. */
import { validationTasks } from '../../../engine/byDomain.ts';
import { domainOf } from '../../../launch/domains/openDomain.ts';
import { CompareFold } from '../core/compareFold.ts';
import { settingTexts } from '../core/settingTexts.ts';
import type { ValidationTask } from '../core/sharedTasks.ts';
import { lineageOf } from '../../../runs/journal/lineage.ts';
import { severalDomains } from '../../../shared/experiment/tasks/domains.ts';
import type { ComparedRun } from '../contract.ts';
import type { FollowedRun, RunCatalog } from '../../../host/runs/runs.ts';

/** The growth of a run since the last request. */
export type Growth = Pick<ComparedRun, 'dir' | 'state' | 'epochs' | 'validations' | 'settings'>;

type Lineage = Awaited<ReturnType<typeof lineageOf>>;

const nothing = { epochs: 0, validations: 0, changes: 0, state: '' };

export class RunInComparison {
  readonly followed: FollowedRun;
  readonly #lineage: Lineage;
  readonly #catalog: Pick<RunCatalog, 'get'>;
  readonly #fold = new CompareFold();
  readonly #subscription: { dispose(): unknown };
  #told = nothing;
  #tasks: Promise<readonly ValidationTask[]> | null = null;

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

  outcomes(epoch: number): string | undefined {
    return this.#fold.outcomes(epoch);
  }

  /** The tasks it is validated on, in their order. @throws InputError when its inputs are damaged */
  validationTasks(): Promise<readonly ValidationTask[]> {
    this.#tasks ??= this.#readTasks();
    return this.#tasks;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.followed.dispose();
  }

  async #readTasks(): Promise<ValidationTask[]> {
    const { experiment } = this.followed.manifest;
    const { domain } = await domainOf(this.followed);
    const several = severalDomains(experiment);
    const tasks = validationTasks(domain.seeds('validation'), several, experiment.validation.tasks);
    return tasks.map((task) => ({ id: task.id, key: domain.fingerprint(task) }));
  }

  #state(): ComparedRun['state'] {
    return this.#catalog.get(this.dir)?.head.state ?? 'gone';
  }
}
