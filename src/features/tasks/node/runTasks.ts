/** The tasks of a run, given and recorded, with the facts of their attempts, scorings and edits. */
import type { RunState } from '../../../engine/state.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import { taskSchema, type Task } from '../../../shared/records/task.ts';
import { overlayAfter, type TaskOverlay } from '../../../shared/records/taskEdit.ts';
import { Breather } from '../../../runs/files/breather.ts';
import { editsOver } from '../../../runs/records/editTasks.ts';
import { notPooled } from '../../../runs/records/notPooled.ts';
import { recordVersion, taskFlags, traceFlags } from '../../../runs/index/recordKind.ts';
import type { RecordColumns } from '../../../runs/index/recordColumns.ts';
import { hashOf, type Hash } from '../../../runs/index/recordRow.ts';
import { parseJson, validate } from '../../../runs/files/parseLine.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { origins } from './taskColumns.ts';
import { TaskTable } from './taskTable.ts';
import { recordedBefore } from './runEdits.ts';
import type { TaskPart } from './taskValues.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { WeightScale } from '../../../shared/weightScale.ts';
import { InTurn } from '../../../shared/inTurn.ts';

/** A data pool of the run: only its tasks are shown. */
export type ShownPool = 'agent' | 'environment';

/** A run's facts besides its records. */
export interface RunOfTasks {
  reader: RunReader;
  /** Base, validation and offline tasks. */
  given: readonly Task[];
  /** Epochs whose families were scored, in order. */
  scoredEpochs: () => readonly number[];
  familiesOf: (epoch: number) => Promise<readonly FamilyScore[]>;
  /** λ of the weights of an epoch. */
  lambdaOf: (epoch: number) => number;
  state: () => Pick<RunState, 'edits' | 'seq' | 'dropped' | 'late' | 'poolTasks'>;
}

export class RunTasks {
  readonly table: TaskTable;
  readonly pool: ShownPool | null;
  /** (Σw)²/Σw² of the environment pool; null elsewhere. */
  effectiveSampleSize: number | null = null;
  /** Of the pool's tasks, those that people took out or edited. */
  leftOut = 0;
  readonly #run: RunOfTasks;
  readonly #given: readonly Task[];
  readonly #givenRows = new Map<string, number>();
  #overlays: ReadonlyMap<number, TaskOverlay> = new Map();
  /** Record content under saved edits. */
  #recorded: ReadonlyMap<number, TaskPart> = new Map();
  #tasks = 0;
  #traces = 0;
  /** The event as of which some attempts are in no pool; null: none is. */
  #outAsOf: string | null = null;
  readonly #epochs = new Set<number>();
  /** Σ and Σ of squares of a row's weights in D_env. */
  readonly #scale = new WeightScale();
  #weights = { sum: new Float64Array(0), squares: new Float64Array(0) };
  #members: Uint32Array | null = null;
  readonly #inTurn = new InTurn();

  private constructor(run: RunOfTasks, given: readonly Task[], table: TaskTable, pool: ShownPool | null) {
    this.#run = run;
    this.#given = given;
    this.table = table;
    this.pool = pool;
    for (const [row, { id }] of given.entries()) this.#givenRows.set(id, row);
  }

  /** @throws RunError */
  static async open(run: RunOfTasks, pool: ShownPool | null): Promise<RunTasks> {
    const { tasks } = await run.reader.rows();
    const given = run.given.filter(({ id }) => tasks.rowsOf(hashOf(id)).length === 0);
    const path = runPaths(run.reader.dir).tasks.records;
    const read = (text: string, line: number) => {
      const place = { path, line: line + 1 };
      const task = validate(parseJson(text, place), taskSchema, recordVersion, place);
      return { task, key: task.id, excluded: null, tags: [], damaged: null };
    };
    const opened = new RunTasks(run, given, new TaskTable(path, given, tasks, { read }), pool);
    await opened.grow();
    return opened;
  }

  /** Reads new records and edits. @returns rows with new attempts, or whose saved edits may differ @throws RunError */
  async grow(): Promise<Set<number>> {
    const { tasks, traces } = await this.#run.reader.rows();
    const { columns } = this.table;
    const breather = new Breather();
    const isFirst = this.#traces === 0;
    const attempted = new Set<number>();
    if (columns.count === 0) {
      columns.reserve(this.#given.length + tasks.count);
      for (const task of this.#given) columns.push(factsOf(task));
    }
    for (; this.#tasks < tasks.count; this.#tasks++) {
      if ((this.#tasks & 0x3fff) === 0) await breather.breathe();
      const row = this.#tasks;
      const flags = tasks.flags[row] ?? outOfRange();
      columns.push({
        epoch: tasks.epoch[row] ?? outOfRange(),
        origin: (flags >>> taskFlags.originShift) & 3,
        rejected: (flags & taskFlags.accepted) === 0,
        id: { low: tasks.idLow[row] ?? outOfRange(), high: tasks.idHigh[row] ?? outOfRange() },
        family: { low: tasks.familyLow[row] ?? outOfRange(), high: tasks.familyHigh[row] ?? outOfRange() },
        seed: { low: tasks.taskLow[row] ?? outOfRange(), high: tasks.taskHigh[row] ?? outOfRange() },
      });
    }
    const rowOf = this.#rowsByTask(tasks);
    const isPooled = await this.#pooling(traces, rowOf);
    for (; this.#traces < traces.count; this.#traces++) {
      if ((this.#traces & 0x3fff) === 0) await breather.breathe();
      const flags = traces.flags[this.#traces] ?? outOfRange();
      if (!isJudgedTraining(flags)) continue;
      const row = rowOf(traces, this.#traces);
      if (row === undefined) continue;
      if (!isFirst) attempted.add(row);
      columns.attempts[row] = (columns.attempts[row] ?? outOfRange()) + 1;
      if ((flags & traceFlags.success) !== 0) columns.successes[row] = (columns.successes[row] ?? outOfRange()) + 1;
      if (isPooled(this.#traces)) this.#addPooled(row);
    }
    const touched = await this.#takeEdits();
    // Known rewards stay unchanged.
    if (this.pool === 'environment' || this.#epochs.size > 0) await this.scores();
    await this.#gather();
    return new Set([...touched, ...attempted]);
  }

  members(): Uint32Array | null {
    return this.#members;
  }

  /** Rows with saved edits. */
  get savedRows(): Iterable<number> {
    return this.#overlays.keys();
  }

  /** The scores so far. @throws RunError */
  scores(): Promise<void> {
    return this.#inTurn.run(() => this.#score());
  }

  /** Saved edits over a row's record. */
  overlayOf(row: number): TaskPart {
    const overlay = this.#overlays.get(row);
    if (overlay === undefined) return {};
    const { fields, excluded, tags } = overlay;
    const { tools, ...content } = fields;
    return { ...content, ...('tools' in fields && { tools: tools ?? null }), excluded, tags };
  }

  /** The record's value of content that saved edits changed. */
  recordedOf(row: number): TaskPart {
    return this.#recorded.get(row) ?? {};
  }

  /** Null for an id that the run does not have. @throws RunError */
  async rowOf(id: string): Promise<number | null> {
    const given = this.#givenRows.get(id);
    if (given !== undefined) return given;
    const { tasks } = await this.#run.reader.rows();
    const rows = tasks.rowsOf(hashOf(id)).map((row) => row + this.#given.length);
    const known = rows.filter((row) => row < this.table.columns.count);
    if (known.length < 2) return known[0] ?? null;
    const read = await this.table.read(known);
    return known[read.findIndex(({ task }) => task.id === id)] ?? null;
  }

  async close(): Promise<void> {
    await this.table.close();
  }

  async #takeEdits(): Promise<Set<number>> {
    const { reader, state } = this.#run;
    const overlays = new Map<number, TaskOverlay>();
    const recorded = new Map<number, TaskPart>();
    for (const edit of await editsOver(reader, state())) {
      const row = await this.rowOf(edit.task);
      if (row === null) continue;
      overlays.set(row, overlayAfter(overlays.get(row), edit));
      if (edit.action === 'edit') recorded.set(row, recordedBefore(edit, recorded.get(row)));
    }
    const touched = new Set([...this.#overlays.keys(), ...overlays.keys()]);
    this.#overlays = overlays;
    this.#recorded = recorded;
    return touched;
  }

  /**
   * Whether the agent pool holds an attempt at training that was judged. Where the pools have grown, or groups that fell out or are
   * late may have become others, the attempts so far are counted anew.
   */
  async #pooling(traces: RecordColumns, rowOf: RowOf): Promise<(at: number) => boolean> {
    if (this.pool !== 'agent') return () => false;
    const state = this.#run.state();
    const isOut = notPooled(state, traces);
    const isPooled = (at: number): boolean =>
      ((traces.flags[at] ?? outOfRange()) & traceFlags.valid) !== 0 && !isOut(at);
    const asOf = `${state.poolTasks.size} ${state.dropped.size + state.late.size === 0 ? '' : state.seq}`;
    if (asOf === this.#outAsOf) return isPooled;
    this.#outAsOf = asOf;
    this.table.columns.weight.fill(NaN);
    const breather = new Breather();
    for (let at = 0; at < this.#traces; at++) {
      if ((at & 0x3fff) === 0) await breather.breathe();
      const row = isJudgedTraining(traces.flags[at] ?? outOfRange()) && isPooled(at) ? rowOf(traces, at) : undefined;
      if (row !== undefined) this.#addPooled(row);
    }
    return isPooled;
  }

  #addPooled(row: number): void {
    const { weight } = this.table.columns;
    const before = weight[row] ?? NaN;
    weight[row] = Number.isNaN(before) ? 1 : before + 1;
  }

  /** The row of the task that a trace attempted. */
  #rowsByTask(tasks: RecordColumns): RowOf {
    const given = new Map([...this.#givenRows].map(([id, row]) => [keyOf(hashOf(id)), row]));
    return ({ taskLow, taskHigh }, at) => {
      const task = { low: taskLow[at] ?? outOfRange(), high: taskHigh[at] ?? outOfRange() };
      const [recorded] = tasks.rowsOf(task);
      return recorded === undefined ? given.get(keyOf(task)) : recorded + this.#given.length;
    };
  }

  async #score(): Promise<void> {
    const { columns } = this.table;
    const breather = new Breather();
    for (const epoch of this.#run.scoredEpochs()) {
      if (this.#epochs.has(epoch)) continue;
      const lambda = this.#run.lambdaOf(epoch);
      const { tasks } = await this.#run.reader.rows();
      for (const family of await this.#run.familiesOf(epoch)) {
        await breather.breathe();
        for (const { id, environmentReward, weight } of family.tasks) {
          const [recorded] = tasks.rowsOf(hashOf(id));
          const row = recorded === undefined ? this.#givenRows.get(id) : recorded + this.#given.length;
          if (row === undefined || row >= columns.count) continue;
          columns.reward[row] = environmentReward ?? NaN;
          if (
            this.pool === 'environment' &&
            weight > 0 &&
            environmentReward !== null &&
            family.origin === 'generated'
          ) {
            this.#weigh(row, lambda * environmentReward);
          }
        }
      }
      this.#epochs.add(epoch);
    }
  }

  #weigh(row: number, exponent: number): void {
    const room = this.table.columns.epoch.length;
    if (this.#weights.sum.length < room) {
      const { sum, squares } = this.#weights;
      this.#weights = { sum: new Float64Array(room), squares: new Float64Array(room) };
      this.#weights.sum.set(sum);
      this.#weights.squares.set(squares);
    }
    this.#shrink(this.#scale.shrinks(exponent));
    const weight = this.#scale.of(exponent);
    this.#weights.sum[row] = (this.#weights.sum[row] ?? outOfRange()) + weight;
    this.#weights.squares[row] = (this.#weights.squares[row] ?? outOfRange()) + weight ** 2;
  }

  #shrink(by: number): void {
    if (by === 1) return;
    const { sum, squares } = this.#weights;
    // A task with a weight stays in the pool, however small that becomes.
    for (let row = 0; row < sum.length; row++) {
      const weight = sum[row] ?? outOfRange();
      if (weight > 0) sum[row] = Math.max(Number.MIN_VALUE, weight * by);
      squares[row] = (squares[row] ?? outOfRange()) * by ** 2;
    }
  }

  /** The rows of the pool, and their weights. */
  async #gather(): Promise<void> {
    if (this.pool === null) return;
    const { columns } = this.table;
    const breather = new Breather();
    const rows: number[] = [];
    this.leftOut = 0;
    let [sum, squares] = [0, 0];
    for (let row = 0; row < columns.count; row++) {
      if ((row & 0x3fff) === 0) await breather.breathe();
      const weight = this.#weights.sum[row] ?? 0;
      const isIn =
        this.pool === 'environment'
          ? weight > 0
          : columns.origin[row] === origins.indexOf('base') || !Number.isNaN(columns.weight[row] ?? NaN);
      if (!isIn) continue;
      const overlay = this.#overlays.get(row);
      const isEdited = this.pool === 'environment' && Object.keys(overlay?.fields ?? {}).length > 0;
      if (isEdited || (overlay?.excluded ?? null) !== null) {
        this.leftOut += 1;
        continue;
      }
      rows.push(row);
      sum += weight;
      squares += this.#weights.squares[row] ?? 0;
    }
    if (this.pool === 'environment') {
      for (const row of rows) columns.weight[row] = (this.#weights.sum[row] ?? 0) / sum;
      this.effectiveSampleSize = squares === 0 ? 0 : sum ** 2 / squares;
    } else for (const row of rows) if (Number.isNaN(columns.weight[row] ?? NaN)) columns.weight[row] = 0;
    this.#members = Uint32Array.from(rows);
  }
}

type RowOf = (traces: RecordColumns, at: number) => number | undefined;

const isJudgedTraining = (flags: number): boolean =>
  ((flags >>> traceFlags.purposeShift) & 3) === 0 && (flags & traceFlags.unjudged) === 0;

const keyOf = ({ low, high }: Hash): string => `${high}.${low}`;

const factsOf = (task: Task) => ({
  epoch: task.epoch,
  origin: origins.indexOf(task.origin),
  rejected: task.status === 'rejected',
  id: hashOf(task.id),
  family: hashOf(task.family),
  seed: hashOf(task.seed ?? ''),
});
