/** The part of a source that a query shows, in order. */
import * as z from 'zod';
import type { TasksMatching, TasksQuery } from '../contract.ts';
import { Breather } from '../../../runs/files/breather.ts';
import { compileQuery, rateOf, type Need, type QueryProblem, type RowQuery, type TextTerm } from './rowFilter.ts';
import { orderedBy, ranksOf } from './rowOrder.ts';
import type { TaskColumns } from './taskColumns.ts';
import type { TaskPart } from './taskValues.ts';
import { withoutGeneration } from './withoutGeneration.ts';
import { InTurn } from '../../../shared/inTurn.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** The source of a view. */
export interface ViewSource {
  readonly columns: TaskColumns;
  /** Rows before this one are tasks that the source was given: they come after those that it wrote. */
  readonly firstLine: number;
  /** The rows there are, in ascending order; all of them when null. */
  members(): Uint32Array | null;
  /** Resolves when it is known of every row. @throws RunError; the signal's reason */
  learn(need: Need, signal: AbortSignal): Promise<void>;
  texts(rows: Iterable<number>): AsyncIterable<{ row: number; text: string }>;
  /** The edits of a row. */
  partOf(row: number): TaskPart;
}

/** How far the reading of records for a text has come, in rows. */
export type FilterProgress = (done: number, total: number) => void;

const orderNeeds: Partial<Record<TasksQuery['order'], Need>> = {
  id: 'scan',
  length: 'scan',
  reward: 'scores',
  weight: 'scores',
  flags: 'flags',
};

const searchedSchema = z.object({
  prompt: z.array(z.object({ content: z.string() })).catch([]),
  plan: z.string().catch(''),
  gold: z.string().nullable().catch(null),
  // Most tasks have none: to fall back on `catch` would make an error for each of them.
  tools: z
    .array(z.object({ name: z.string(), description: z.string() }))
    .optional()
    .catch([]),
});

const everything: TasksQuery = { text: '', order: 'written', descending: false };

export class TaskView {
  readonly #source: ViewSource;
  #query: TasksQuery = everything;
  #matching: Uint32Array;
  /** In ascending order; never written to. */
  #everyRow = new Uint32Array(0);
  /** Places of rows in `#matching` + 1, computed on first use. */
  #places: Uint32Array | null = null;
  /** One query at a time: a later one waits for the earlier. */
  readonly #inTurn = new InTurn();
  #ranks: { count: number; ranks: Float64Array } | null = null;

  constructor(source: ViewSource) {
    this.#source = source;
    this.#matching = written(this.#all(), source.firstLine, false);
  }

  get query(): TasksQuery {
    return this.#query;
  }

  /** Rows that match, in order. */
  get matching(): Uint32Array {
    return this.#matching;
  }

  /** A row's position among the matches; null when it does not match. */
  placeOf(row: number): number | null {
    if (this.#places === null) {
      this.#places = new Uint32Array(this.#source.columns.count);
      for (let place = 0; place < this.#matching.length; place++)
        this.#places[this.#matching[place] ?? outOfRange()] = place + 1;
    }
    const place = this.#places[row] ?? 0;
    return place === 0 ? null : place - 1;
  }

  /**
   * Shows a query's matches. An invalid one leaves the earlier matches.
   * @throws RunError; the signal's reason
   */
  show(query: TasksQuery, signal: AbortSignal, told: FilterProgress): Promise<QueryProblem | null> {
    return this.#inTurn.run(() => this.#show(query, signal, told));
  }

  /**
   * All matches, once queries that were asked before are answered.
   * @returns null where these are not the matches of this filter any more, or not so many
   */
  async stillMatching({ all, count }: TasksMatching): Promise<Uint32Array | null> {
    await this.#inTurn.ended();
    return this.#query.text === all && this.#matching.length === count ? this.#matching : null;
  }

  /** Shows the same query over the source's current content. @throws as `show` does */
  async again(signal: AbortSignal): Promise<void> {
    await this.#inTurn.run(() => this.#show(this.#query, signal, () => undefined));
  }

  async #show(query: TasksQuery, signal: AbortSignal, told: FilterProgress): Promise<QueryProblem | null> {
    signal.throwIfAborted();
    const compiled = compileQuery(query.text, this.#source.columns);
    if ('problem' in compiled) return compiled.problem;
    const needs = new Set(compiled.needs);
    const orderNeed = orderNeeds[query.order];
    if (orderNeed !== undefined) needs.add(orderNeed);
    for (const need of needs) await this.#source.learn(need, signal);
    const found = await this.#search(await this.#filter(compiled, signal), compiled.texts, signal, told);
    const ordered = await this.#order(found, query);
    signal.throwIfAborted();
    this.#query = query;
    this.#matching = ordered;
    this.#places = null;
    return null;
  }

  #all(): Uint32Array {
    const members = this.#source.members();
    if (members !== null) return members;
    const { count } = this.#source.columns;
    if (this.#everyRow.length !== count) {
      this.#everyRow = new Uint32Array(count);
      for (let row = 0; row < count; row++) this.#everyRow[row] = row;
    }
    return this.#everyRow;
  }

  async #filter({ tests }: RowQuery, signal: AbortSignal): Promise<Uint32Array> {
    const breather = new Breather();
    let rows = this.#all();
    for (const test of tests) {
      const kept = new Uint32Array(rows.length);
      let count = 0;
      for (let i = 0; i < rows.length; i++) {
        if ((i & 0x3fff) === 0) {
          await breather.breathe();
          signal.throwIfAborted();
        }
        const row = rows[i] ?? outOfRange();
        if (test(row)) kept[count++] = row;
      }
      rows = kept.subarray(0, count);
    }
    return rows;
  }

  /** Reads the records of the rows for the texts of a query. */
  async #search(
    rows: Uint32Array,
    texts: readonly TextTerm[],
    signal: AbortSignal,
    told: FilterProgress,
  ): Promise<Uint32Array> {
    if (texts.length === 0) return rows;
    const breather = new Breather();
    const kept = new Uint32Array(rows.length);
    let [count, done] = [0, 0];
    for await (const { row, text } of this.#source.texts(rows)) {
      signal.throwIfAborted();
      if (holds(text, this.#source.partOf(row), texts)) kept[count++] = row;
      done += 1;
      if ((done & 1023) === 0) told(done, rows.length);
      await breather.breathe();
    }
    told(rows.length, rows.length);
    // Records come in the order of their rows.
    return kept.subarray(0, count);
  }

  async #order(rows: Uint32Array, { order, descending }: TasksQuery): Promise<Uint32Array> {
    const { columns } = this.#source;
    switch (order) {
      case 'written':
        return written(rows, this.#source.firstLine, descending);
      case 'id':
        return orderedBy(rows, await this.#idRanks(), descending);
      case 'successRate': {
        const breather = new Breather();
        const rates = new Float64Array(columns.count);
        for (let row = 0; row < rates.length; row++) {
          if ((row & 0x3fff) === 0) await breather.breathe();
          rates[row] = rateOf(columns, row);
        }
        return orderedBy(rows, rates, descending);
      }
      case 'flags':
        return orderedBy(rows, columns.flags.subarray(0, columns.count).map(bitCount), descending);
      default:
        return orderedBy(rows, columns[order], descending);
    }
  }

  async #idRanks(): Promise<Float64Array> {
    const { ids, count } = this.#source.columns;
    if (this.#ranks?.count !== count) this.#ranks = { count, ranks: await ranksOf(ids, count) };
    return this.#ranks.ranks;
  }
}

/** Rows in ascending order as they were written, those that were given last. */
function written(rows: Uint32Array, firstLine: number, descending: boolean): Uint32Array {
  const own = rows.findIndex((row) => row >= firstLine);
  const split = own === -1 ? rows.length : own;
  const ordered = new Uint32Array(rows.length);
  const [lines, given] = [rows.subarray(split), rows.subarray(0, split)];
  ordered.set(descending ? lines.slice().reverse() : lines);
  ordered.set(descending ? given.slice().reverse() : given, lines.length);
  return ordered;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Whether a record, as people left it, has these texts. */
function holds(json: string, part: TaskPart, texts: readonly TextTerm[]): boolean {
  const parsed = searchedSchema.safeParse(withoutGeneration(json));
  const recorded = parsed.data ?? { prompt: [{ content: json }], plan: '', gold: null, tools: [] };
  const { prompt = recorded.prompt, gold = recorded.gold, tools = recorded.tools } = part;
  const said = [
    ...prompt.map(({ content }) => content),
    gold ?? '',
    ...(tools ?? []).flatMap(({ name, description }) => [name, description]),
    recorded.plan,
  ];
  const task = said.join('\n').toLowerCase();
  const plan = recorded.plan.toLowerCase();
  return texts.every(({ text, within, negated }) => (within === 'plan' ? plan : task).includes(text) !== negated);
}
