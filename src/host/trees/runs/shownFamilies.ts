import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { RunDir } from '../../runs/runs.ts';
import type { OpenRuns } from '../openRuns.ts';
import { groupFamilies, type FamilyGroup } from './familyGroups.ts';
import { notedTasks, type NoteCounts } from './noteCounts.ts';
import { everything, reachesEpoch, showsFamily, type TreeFilter } from './treeFilter.ts';

type Groups = ReadonlyMap<FamilyGroup, readonly FamilyScore[]>;

/** The families of epochs that the tree's filter shows, by their position relative to the band. */
export class ShownFamilies {
  readonly #open: OpenRuns;
  readonly #notes: NoteCounts | null;
  /** The last grouping of an epoch's families: each of its nodes asks for it. */
  readonly #grouped = new WeakMap<readonly FamilyScore[], { filter: TreeFilter; groups: Groups }>();
  filter: TreeFilter = everything;

  constructor(open: OpenRuns, notes: NoteCounts | null) {
    this.#open = open;
    this.#notes = notes;
  }

  /** All scored families of an epoch. @throws RunError */
  async all(run: RunDir, epoch: number): Promise<readonly FamilyScore[]> {
    const open = await this.#open.open(run);
    return (open.facts.epochs.get(epoch)?.scored ?? null) === null ? [] : open.families(epoch);
  }

  /** Those that the filter shows. @throws RunError */
  async groups(run: RunDir, epoch: number): Promise<Groups> {
    const families = await this.all(run, epoch);
    const curriculum = (await this.#open.open(run)).facts.epochs.get(epoch)?.curriculum;
    if (curriculum === undefined || !reachesEpoch(this.filter, epoch)) return groupFamilies([], { alpha: 0, kMin: 0 });
    const noted = await this.notedTasks(run, epoch);
    const known = this.#grouped.get(families);
    if (noted === null && known?.filter === this.filter) return known.groups;
    const shown = families.filter(
      (family) =>
        showsFamily(this.filter, family, curriculum) &&
        (noted === null || family.tasks.some(({ id }) => noted.has(id))),
    );
    const groups = groupFamilies(shown, curriculum);
    // Notes may change at any time, so a grouping by notes is not kept.
    if (noted === null) this.#grouped.set(families, { filter: this.filter, groups });
    return groups;
  }

  /** Tasks with notes on an attempt of an epoch; null when the filter does not ask for them. @throws RunError */
  async notedTasks(run: RunDir, epoch: number): Promise<ReadonlySet<string> | null> {
    if (this.filter.families.noted === undefined || this.#notes === null) return null;
    return notedTasks(this.#notes, { run, epoch }, (await this.#open.open(run)).followed.state.late);
  }
}
