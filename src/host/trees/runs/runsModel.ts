/**
 * The Runs tree without the editor: children, parents, pages, and which nodes an event changes. Nodes are kept by id,
 * so that the editor gets the same object again and keeps selection and expansion.
 */
import type { Disposable } from 'vscode';
import { countedFrom } from '../../../shared/journal/counted.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { KnownRun, RunCatalog, RunDir } from '../../runs/runs.ts';
import type { OpenRun } from '../openRun.ts';
import type { OpenRuns } from '../openRuns.ts';
import type { EpochFacts } from '../../../runs/facts/runFacts.ts';
import type { RunTarget } from '../target.ts';
import { compareIds, familyGroups, groupOf } from './familyGroups.ts';
import { figuresOf } from './domainFigures.ts';
import type { TaskMarks } from './leafItems.ts';
import { Nodes } from './nodes.ts';
import { notesOn, type NoteCounts } from './noteCounts.ts';
import { Pages } from './pages.ts';
import { placeOf } from './placeOf.ts';
import { ShownFamilies } from './shownFamilies.ts';
import type {
  AsideNode,
  DomainNode,
  EpochNode,
  FamilyNode,
  GroupNode,
  MixedNode,
  MoreNode,
  NoteNode,
  RunNode,
  RunsNode,
  StudyNode,
  TaskNode,
} from './node.ts';
import type { QueuedStudy } from '../../runs/queuedStudies.ts';
import type { QueuePlace } from '../../runs/queuePlace.ts';
import { RootRows, type StudySight } from './roots/rootRows.ts';
import type { RunOrder } from './roots/runOrder.ts';
import { filtersFamilies, filtersInDomain, reachesEpoch, showsDomain, type TreeFilter } from './treeFilter.ts';

/** Nodes to draw again with all that is below them; null: all of them. */
export type Changed = readonly RunsNode[] | null;

export class RunsModel implements Disposable {
  readonly #catalog: Pick<RunCatalog, 'runs' | 'problems' | 'ready' | 'get' | 'onDidChangeList' | 'onDidChangeRuns'>;
  readonly #open: OpenRuns;
  readonly #tell: (changed: Changed) => void;
  readonly #notes: NoteCounts | null;
  readonly #nodes = new Nodes();
  readonly #families: ShownFamilies;
  readonly #pages = new Pages();
  readonly #stop: () => void;
  readonly #rows: RootRows;

  constructor(
    catalog: Pick<RunCatalog, 'runs' | 'problems' | 'ready' | 'get' | 'onDidChangeList' | 'onDidChangeRuns'>,
    open: OpenRuns,
    tell: (changed: Changed) => void,
    notes: NoteCounts | null = null,
    queued: () => readonly QueuedStudy[] = () => [],
  ) {
    this.#catalog = catalog;
    this.#open = open;
    this.#tell = tell;
    this.#notes = notes;
    this.#families = new ShownFamilies(open, notes);
    this.#rows = new RootRows(catalog, this.#nodes, () => this.filter, queued);
    const list = catalog.onDidChangeList(() => {
      for (const run of this.#nodes.runs) if (!this.#isListed(run)) this.#nodes.forget(run);
      this.#tellAll();
    });
    const heads = catalog.onDidChangeRuns((runs) => {
      const studies = this.#rows.changedBy(runs);
      if (studies === null) this.#tellAll();
      else this.#tell([...studies, ...runs.map((run) => this.runNode(run))]);
    });
    const stopListening = open.listen(({ run, events }) => {
      const changed = events.length === 0 ? [this.runNode(run)] : this.#changedBy(run, events);
      if (changed.length > 0) this.#tell(changed);
    });
    const noted = notes?.onDidChange((run) => this.#tell([this.runNode(run)]));
    this.#stop = () => {
      noted?.dispose();
      list.dispose();
      heads.dispose();
      stopListening();
    };
  }

  get filter(): TreeFilter {
    return this.#families.filter;
  }

  set filter(filter: TreeFilter) {
    this.#families.filter = filter;
    this.#pages.clear();
    this.#tellAll();
  }

  get order(): RunOrder {
    return this.#rows.order;
  }

  set order(order: RunOrder) {
    this.#rows.order = order;
    this.#tell(null);
  }

  run(dir: RunDir): KnownRun | undefined {
    return this.#catalog.get(dir);
  }

  problem(dir: RunDir): Error | undefined {
    return this.#catalog.problems.find((problem) => problem.dir === dir)?.error;
  }

  /** The known facts of a node's epoch; undefined before its run was opened. @throws RunError */
  async factsOf({ run, epoch }: { run: RunDir; epoch: number }): Promise<EpochFacts | undefined> {
    return (await this.#open.open(run)).facts.epochs.get(epoch);
  }

  /** Notes on a trace, or on all attempts at a task that count in an epoch. @throws RunError */
  async notesOn(place: Parameters<typeof notesOn>[1]): Promise<number> {
    return notesOn(this.#notes, place, (await this.open(place.run)).followed.state.late);
  }

  /** Notes on a task's attempts, and whether people took it out of the pools. */
  async marksOn(node: { run: RunDir; epoch: number; task: string }): Promise<TaskMarks> {
    const { followed } = await this.open(node.run);
    const notes = await this.notesOn(node);
    if (followed.state.edits.length === 0) return { notes, excluded: null };
    const { overlaysIn } = await import('../../../engine/phases/edits.ts');
    return { notes, excluded: overlaysIn(followed.state, Infinity).get(node.task)?.excluded ?? null };
  }

  open(run: RunDir): Promise<OpenRun> {
    return this.#open.open(run);
  }

  /** Shows the next page of a node's children. */
  showMore(node: MoreNode): void {
    this.#pages.next(node);
    this.#tell([node.parent]);
  }

  async children(node?: RunsNode): Promise<readonly RunsNode[]> {
    if (node === undefined) {
      await this.#catalog.ready;
      return this.#rows.all();
    }
    switch (node.kind) {
      case 'study':
        return this.#rows.members(node);
      case 'run':
        return this.#orNote(node, () => this.#epochs(node));
      case 'epoch':
        return this.#orNote(node, () => this.#inEpoch(node));
      case 'domain':
        return this.#orNote(node, () => this.#groups(node));
      case 'group':
        return this.#orNote(node, () => this.#familyNodes(node));
      case 'family':
        return this.#tasks(node);
      case 'aside':
        return this.#orNote(node, () => this.#beside(node));
      case 'task':
      case 'mixed':
        return this.#orNote(node, () => this.#traces(node));
      default:
        return [];
    }
  }

  /** The families of a group that the filter shows. @throws RunError */
  async familiesIn({ run, epoch, domain, group }: Pick<GroupNode, 'run' | 'epoch' | 'domain' | 'group'>) {
    const families = (await this.#families.groups(run, epoch)).get(group) ?? [];
    return domain === null ? families : families.filter((family) => family.domain === domain);
  }

  /**
   * The node of a place, with every page above it expanded far enough to show it; undefined when there is no such
   * place.
   */
  async locate(target: RunTarget): Promise<RunsNode | undefined> {
    if (!this.#isListed(target.run)) return undefined;
    const runNode = this.runNode(target.run);
    const place = await placeOf(target, await this.open(target.run), this.#families);
    if (place.epoch === undefined) return runNode;
    const { facts } = await this.#open.open(target.run);
    if (!facts.epochs.has(place.epoch)) return undefined;
    const epochNode = this.#nodes.epoch(runNode, place.epoch);
    this.#turnTo(runNode, await this.#shownEpochs(runNode), (epoch) => epoch === place.epoch);
    if (place.family === undefined) return (await this.#locateMixed(epochNode, place)) ?? epochNode;
    const family = (await this.#families.all(target.run, place.epoch)).find(({ id }) => id === place.family);
    const curriculum = facts.epochs.get(place.epoch)?.curriculum;
    if (family === undefined || curriculum === undefined) return epochNode;
    const { domain } = family;
    const parent = domain === undefined ? epochNode : this.#nodes.domain(epochNode, domain);
    const groupNode = this.#nodes.group(parent, groupOf(family.successRate.p, curriculum));
    this.#turnTo(groupNode, await this.familiesIn(groupNode), ({ id }) => id === family.id);
    const familyNode = this.#nodes.family(groupNode, family);
    const task = family.tasks.find(({ id }) => id === place.task);
    if (task === undefined) return familyNode;
    this.#turnTo(familyNode, family.tasks, ({ id }) => id === task.id);
    const taskNode = this.#nodes.task(familyNode, task);
    if (place.trace === undefined) return taskNode;
    return this.#locateTrace(taskNode, place.trace);
  }

  /** A task that was mixed into an epoch's batch, or one of its attempts. */
  async #locateMixed(epochNode: EpochNode, { task, trace }: Pick<RunTarget, 'task' | 'trace'>) {
    if (task === undefined) return undefined;
    const names = await this.#domainNames(epochNode);
    const parents = names.length === 0 ? [epochNode] : names.map((name) => this.#nodes.domain(epochNode, name));
    for (const parent of parents) {
      const below = await this.#beside(this.#nodes.aside(parent, 'mixed'));
      const node = below.find((one) => one.kind === 'mixed' && one.task === task);
      if (node?.kind === 'mixed') return trace === undefined ? node : this.#locateTrace(node, trace);
    }
    return undefined;
  }

  async #locateTrace(parent: TaskNode | MixedNode, trace: string): Promise<RunsNode> {
    const traces = await this.#traces(parent);
    return traces.find((node) => node.kind === 'trace' && node.trace === trace) ?? parent;
  }

  runNode(run: RunDir): RunNode {
    return this.#nodes.run(run);
  }

  /** The row above a node; null at the first level. */
  parentOf(node: RunsNode): RunsNode | null {
    return node.kind === 'run' ? this.#rows.studyOf(node.run) : node.parent;
  }

  studies(): readonly StudyNode[] {
    return this.#rows.studies();
  }

  studySight(node: StudyNode): StudySight {
    return this.#rows.sight(node);
  }

  /** In the queue; null for a study that neither runs nor waits. */
  studyPlace(node: StudyNode): QueuePlace | null {
    return this.#rows.placeOf(node);
  }

  /** Studies came into the queue or left it, have another place, or files of them changed. */
  queueChanged(): void {
    if (this.#rows.queueChanged()) this.#tellAll();
    else this.#tell(this.studies());
  }

  /** The node of an epoch that was drawn before; undefined when it was not, and so need not be drawn again. */
  shownEpoch(run: RunDir, epoch: number): EpochNode | undefined {
    return this.#nodes.drawnEpoch(run, epoch);
  }

  dispose(): void {
    this.#stop();
  }

  // The places

  async #epochs(node: RunNode): Promise<readonly RunsNode[]> {
    const { failure } = await this.#open.open(node.run);
    if (failure !== null) return [note(node, 'unreadable', failure)];
    const epochs = await this.#shownEpochs(node);
    if (epochs.length === 0) return [note(node, filtersFamilies(this.filter) ? 'nothing matches' : 'no epochs')];
    return this.#pages.of(node, epochs, (epoch) => this.#nodes.epoch(node, epoch));
  }

  /** Newest first. */
  async #shownEpochs({ run }: RunNode): Promise<number[]> {
    const { facts } = await this.#open.open(run);
    const epochs = [...facts.epochs.keys()].sort((a, b) => b - a);
    if (!filtersFamilies(this.filter)) return epochs;
    const shown: number[] = [];
    for (const epoch of epochs) {
      if (!reachesEpoch(this.filter, epoch)) continue;
      const groups = await this.#families.groups(run, epoch);
      const some = [...groups.values()].some((families) => families.length > 0);
      if (some || (await this.#notedAside(this.#nodes.epoch(this.runNode(run), epoch))).length > 0) shown.push(epoch);
    }
    return shown;
  }

  /** Domains of an epoch; none where the run has one. */
  async #domainNames(node: EpochNode): Promise<string[]> {
    const facts = await this.factsOf(node);
    return (facts?.scored?.domains ?? []).map(({ domain }) => domain);
  }

  async #inEpoch(node: EpochNode): Promise<readonly RunsNode[]> {
    const names = await this.#domainNames(node);
    if (names.length === 0) return this.#groups(node);
    const domains = names
      .filter((name) => showsDomain(this.filter, name))
      .map((name) => this.#nodes.domain(node, name));
    const filtered = filtersInDomain(this.filter);
    const below = filtered ? await Promise.all(domains.map((domain) => this.#groups(domain))) : [];
    const shown = domains.filter((_, i) => !filtered || below[i]?.some(({ kind }) => kind !== 'note') === true);
    return shown.length === 0 ? [note(node, 'nothing matches')] : shown;
  }

  async #groups(node: EpochNode | DomainNode): Promise<readonly RunsNode[]> {
    const { run, epoch } = node;
    const domain = node.kind === 'domain' ? node.domain : null;
    const filtered = domain === null ? filtersFamilies(this.filter) : filtersInDomain(this.filter);
    const families = await Promise.all(familyGroups.map((group) => this.familiesIn({ run, epoch, domain, group })));
    // The three sides of the band always stand there, so that their counts can be compared from epoch to epoch.
    const shown = familyGroups.filter(
      (group, i) => (families[i]?.length ?? 0) > 0 || (!filtered && group !== 'not measured'),
    );
    const asides = filtered ? await this.#notedAside(node) : await this.#asides(node);
    if (shown.length + asides.length === 0) return [note(node, 'nothing matches')];
    return [...shown.map((group) => this.#nodes.group(node, group)), ...asides];
  }

  /** An epoch's nodes besides its families, if any. */
  async #asides(node: EpochNode | DomainNode): Promise<AsideNode[]> {
    const { generated, scored } = figuresOf(await this.factsOf(node), node);
    const rejected = Object.keys(generated?.rejected ?? {}).length > 0;
    return [
      ...((scored?.baseSuccessRate.attempts ?? 0) > 0 ? [this.#nodes.aside(node, 'mixed')] : []),
      ...(rejected ? [this.#nodes.aside(node, 'rejected')] : []),
    ];
  }

  /** Base tasks have notes too: they are shown when only noted ones are requested. */
  async #notedAside(node: EpochNode | DomainNode): Promise<AsideNode[]> {
    const { families } = this.filter;
    const asked = Object.entries(families).flatMap(([name, part]) => (part === undefined ? [] : [name]));
    if (families.noted === undefined || asked.some((name) => !['noted', 'run', 'domain'].includes(name))) return [];
    const aside = this.#nodes.aside(node, 'mixed');
    return (await this.#beside(aside)).length > 0 ? [aside] : [];
  }

  async #beside(node: AsideNode): Promise<readonly RunsNode[]> {
    const { reader, state } = (await this.#open.open(node.run)).followed;
    if (node.aside === 'rejected') {
      const texts = await reader.rejectedIn(node.epoch);
      const own = texts.filter((text) => isIn(node, text));
      const shown = own.toSorted((a, b) => (a.cause ?? '').localeCompare(b.cause ?? '') || compareIds(a.id, b.id));
      return this.#pages.of(node, shown, (text) => this.#nodes.rejected(node, text));
    }
    const families = await this.#families.all(node.run, node.epoch);
    const ids = families.map(({ id }) => id);
    const all = (await reader.mixedIn(node.epoch, ids, state)).sort((a, b) => compareIds(a.id, b.id));
    const noted = await this.#families.notedTasks(node.run, node.epoch);
    const tasks = all.filter((task) => isIn(node, task) && (noted === null || noted.has(task.id)));
    return this.#pages.of(node, tasks, (task) => this.#nodes.mixed(node, task));
  }

  async #familyNodes(node: GroupNode): Promise<readonly RunsNode[]> {
    const families = await this.familiesIn(node);
    if (families.length === 0) return [note(node, 'no families')];
    return this.#pages.of(node, families, (family) => this.#nodes.family(node, family));
  }

  #tasks(node: FamilyNode): readonly RunsNode[] {
    return this.#pages.of(node, node.score.tasks, (task) => this.#nodes.task(node, task));
  }

  async #traces(node: TaskNode | MixedNode): Promise<readonly RunsNode[]> {
    const { reader, state } = (await this.#open.open(node.run)).followed;
    const made = countedFrom(state.late, node);
    const attempts = (await Promise.all(made.map((epoch) => reader.attemptsAt(node.task, epoch)))).flat();
    const traces = attempts.filter(({ purpose }) => purpose === 'train').sort((a, b) => (a.id < b.id ? -1 : 1));
    return traces.length === 0 ? [note(node, 'no attempts')] : traces.map((trace) => this.#nodes.trace(node, trace));
  }

  /** An error below a node is shown there, and the rest of the tree stays. */
  async #orNote(node: NoteNode['parent'], read: () => Promise<readonly RunsNode[]>): Promise<readonly RunsNode[]> {
    try {
      return await read();
    } catch (error) {
      return [note(node, 'unreadable', error instanceof Error ? error : new Error(String(error)))];
    }
  }

  /** Runs come, go or move. */
  #tellAll(): void {
    this.#rows.forget();
    this.#tell(null);
  }

  #turnTo<T>(parent: RunsNode, all: readonly T[], wanted: (one: T) => boolean): void {
    if (this.#pages.turnTo(parent, all, wanted)) this.#tell([parent]);
  }

  #isListed(run: RunDir): boolean {
    return this.#catalog.get(run) !== undefined || this.problem(run) !== undefined;
  }

  #changedBy(run: RunDir, events: readonly JournalEvent[]): RunsNode[] {
    const runNode = this.runNode(run);
    // A new epoch is one more child of its run; other events change only that epoch. An edit may concern a task of any
    // epoch.
    if (events.some(({ type }) => ['epoch.started', 'run.finished', 'tasks.edited'].includes(type))) return [runNode];
    const epochs = new Set(events.flatMap((event) => ('epoch' in event ? [event.epoch] : [])));
    return [...epochs].map((epoch) => this.#nodes.epoch(runNode, epoch));
  }
}

const isIn = ({ domain }: AsideNode, task: { domain?: string | undefined }): boolean =>
  domain === null || task.domain === domain;

function note(parent: NoteNode['parent'], what: NoteNode['note'], error: Error | null = null): NoteNode {
  return { kind: 'note', id: `${parent.id}/note`, parent, run: parent.run, note: what, error };
}
