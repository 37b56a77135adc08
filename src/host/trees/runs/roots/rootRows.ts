/**
 * The first level of the Runs tree: runs, and a row for each study, which stands where the first of its runs would; a queued one
 * without any stands above all.
 * The order is worked out once until it may be another one: a window may hold 10⁴ runs, whose heads change several
 * times a second.
 */
import { dirname } from 'node:path';
import type { RunHead } from '../../../../runs/store/runHead.ts';
import type { QueuedStudy } from '../../../runs/queuedStudies.ts';
import type { QueuePlace } from '../../../runs/queuePlace.ts';
import type { KnownRun, RunCatalog, RunDir } from '../../../runs/runs.ts';
import type { RunNode, RunsNode, StudyNode } from '../node.ts';
import type { Nodes } from '../nodes.ts';
import { filtersRuns, narrowsRuns, showsRun, type TreeFilter } from '../treeFilter.ts';
import { orderRuns, type RunOrder } from './runOrder.ts';

interface Listing {
  rows: readonly (RunNode | StudyNode)[];
  /** Runs in sight of each study, by its row's id, in order. */
  members: ReadonlyMap<string, readonly RunNode[]>;
  /** Runs in sight, with the row that each stands below. */
  places: ReadonlyMap<RunDir, StudyNode | null>;
  /** Runs of each study outside of the archive, by its row's id. */
  sizes: ReadonlyMap<string, number>;
  /** Names of the studies in the queue. */
  queued: string;
}

/** How a study's runs are. */
export interface StudySight {
  states: ReadonlyMap<RunHead['state'], number>;
  /** Those that the filter shows, and all outside of the archive. */
  shown: number;
  all: number;
}

export class RootRows {
  readonly #catalog: Pick<RunCatalog, 'runs' | 'problems' | 'get'>;
  readonly #nodes: Pick<Nodes, 'run' | 'problem'>;
  readonly #filter: () => TreeFilter;
  readonly #queued: () => readonly QueuedStudy[];
  /** The same place is always the same object, as the editor requires. */
  readonly #studies = new Map<string, StudyNode>();
  /** The states of each study's runs, by its row's id, as they were drawn last. */
  readonly #told = new Map<string, string>();
  #listing: Listing | null = null;
  #order: RunOrder = 'started';

  constructor(
    catalog: Pick<RunCatalog, 'runs' | 'problems' | 'get'>,
    nodes: Pick<Nodes, 'run' | 'problem'>,
    filter: () => TreeFilter,
    queued: () => readonly QueuedStudy[] = () => [],
  ) {
    this.#catalog = catalog;
    this.#nodes = nodes;
    this.#filter = filter;
    this.#queued = queued;
  }

  get order(): RunOrder {
    return this.#order;
  }

  set order(order: RunOrder) {
    this.#order = order;
    this.forget();
  }

  /** Runs came or went, or the filter is another one. */
  forget(): void {
    this.#listing = null;
  }

  /** Whether other studies are in the queue than when the rows were last made: they are made anew. */
  queueChanged(): boolean {
    if (this.#listing === null || this.#listing.queued === this.#queuedNames) return false;
    this.forget();
    return true;
  }

  /** Of a study that runs or waits. */
  placeOf({ root, study }: StudyNode): QueuePlace | null {
    return this.#queued().find((one) => one.root === root && one.name === study)?.place ?? null;
  }

  all(): readonly RunsNode[] {
    const { rows } = this.#listed();
    if (narrowsRuns(this.#filter())) return rows;
    return [...rows, ...this.#catalog.problems.map(({ dir }) => this.#nodes.problem(dir))];
  }

  members({ id }: StudyNode): readonly RunNode[] {
    return this.#listed().members.get(id) ?? [];
  }

  /** Rows of studies. */
  studies(): readonly StudyNode[] {
    return this.#listed().rows.filter((row) => row.kind === 'study');
  }

  /** The row that a run stands below; null for one at the first level. */
  studyOf(run: RunDir): StudyNode | null {
    const known = this.#catalog.get(run);
    return known === undefined ? null : this.#studyRow(known);
  }

  sight(node: StudyNode): StudySight {
    const states = new Map<RunHead['state'], number>();
    const members = this.members(node);
    for (const { run } of members) {
      const state = this.#catalog.get(run)?.head.state;
      if (state !== undefined) states.set(state, (states.get(state) ?? 0) + 1);
    }
    return { states, shown: members.length, all: this.#listed().sizes.get(node.id) ?? members.length };
  }

  /** The rows of studies that say something else now that these runs changed; null where runs may stand elsewhere. */
  changedBy(runs: readonly RunDir[]): readonly StudyNode[] | null {
    // A state may bring a run into the filter or take it out, and a measurement may move it.
    if (this.#order !== 'started' || filtersRuns(this.#filter()) || runs.some((run) => this.#isMoved(run))) return null;
    const studies = new Set(runs.flatMap((run) => this.studyOf(run) ?? []));
    return [...studies].filter((node) => {
      const text = JSON.stringify([...this.sight(node).states]);
      if (this.#told.get(node.id) === text) return false;
      this.#told.set(node.id, text);
      return true;
    });
  }

  /** It was archived or taken out of the archive, or its study was not known when it appeared. */
  #isMoved(run: RunDir): boolean {
    const known = this.#catalog.get(run);
    if (known === undefined) return true;
    const place = showsRun(this.#filter(), known) ? this.#studyRow(known) : undefined;
    return this.#listed().places.get(run) !== place;
  }

  #listed(): Listing {
    return (this.#listing ??= this.#list());
  }

  get #queuedNames(): string {
    return JSON.stringify(this.#queued().map(({ root, name }) => [root, name]));
  }

  #list(): Listing {
    const members = new Map<string, RunNode[]>();
    const places = new Map<RunDir, StudyNode | null>();
    const sizes = new Map<string, number>();
    const rows: (RunNode | StudyNode)[] = [];
    for (const run of this.#catalog.runs) {
      const id = run.head.label.archived ? undefined : this.#studyRow(run)?.id;
      if (id !== undefined) sizes.set(id, (sizes.get(id) ?? 0) + 1);
    }
    const shown = this.#catalog.runs.filter((run) => showsRun(this.#filter(), run));
    for (const known of orderRuns(shown, this.#order)) {
      const node = this.#nodes.run(known.dir);
      const study = this.#studyRow(known);
      places.set(known.dir, study);
      const own = study === null ? undefined : members.get(study.id);
      if (study === null) rows.push(node);
      else if (own !== undefined) own.push(node);
      else {
        members.set(study.id, [node]);
        rows.push(study);
      }
    }
    // The first run of a queued study may be hours away. What a filter narrows down is runs.
    const bare = narrowsRuns(this.#filter())
      ? []
      : this.#queued()
          .map(({ root, name }) => this.#rowOf(root, name))
          .filter(({ id }) => !members.has(id));
    return { rows: [...new Set(bare), ...rows], members, places, sizes, queued: this.#queuedNames };
  }

  /** Studies of one name in two folders are two. */
  #studyRow({ dir, head }: Pick<KnownRun, 'dir' | 'head'>): StudyNode | null {
    const study = head.label.study?.name;
    return study === undefined ? null : this.#rowOf(dirname(dir), study);
  }

  #rowOf(root: string, study: string): StudyNode {
    const filtered = narrowsRuns(this.#filter());
    // Another id while runs are looked for: the editor keeps a row open or closed by it, and matches must be seen.
    const id = `${root}?${filtered ? 'found' : 'study'}=${study}`;
    const known = this.#studies.get(id);
    if (known !== undefined) return known;
    const node: StudyNode = { kind: 'study', id, parent: null, study, root, filtered };
    this.#studies.set(id, node);
    return node;
  }
}
