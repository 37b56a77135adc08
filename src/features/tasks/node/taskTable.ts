/** The tasks of one source, a file of the workspace or the records of a run: columns of all, records read by ranges. */
import type { FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import type { Task } from '../../../shared/records/task.ts';
import { Breather } from '../../../runs/files/breather.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';
import type { ReadTask } from './fileLine.ts';
import { textOfLine } from './lineText.ts';
import { LineReader, type LinePlaces } from './lineFile.ts';
import { TaskColumns } from './taskColumns.ts';
import { withoutGeneration } from './withoutGeneration.ts';

/** How a line of the source's file is read. */
export interface LineForm {
  /** Parses line `row` of the source, from 0. @throws RunError `format` for a run's damaged record */
  read: (text: string, line: number) => ReadTask;
  /** Takes the facts of a line that only a scan yields. */
  facts?: (task: ReadTask, row: number) => void;
}

/** How far reading through all of a source has come, in rows. */
export interface ScanProgress {
  done: number;
  total: number;
}

const namesSchema = z.object({
  id: z.string(),
  family: z.string(),
  seed: z.string().nullable(),
  domain: z.string().optional(),
  prompt: z.array(z.object({ content: z.string() })),
});

const idSchema = z.object({ id: z.string().min(1) });

/** A row's name for people, and its name in every reading. */
export interface RowName {
  id: string;
  key: string;
}

const asGiven = (task: Task): ReadTask => ({ task, key: task.id, excluded: null, tags: [], damaged: null });

/** Rows read together while all are read. */
const batch = 2048;

export class TaskTable {
  readonly columns = new TaskColumns();
  readonly #given: readonly Task[];
  readonly #places: LinePlaces;
  readonly #form: LineForm;
  #reader: LineReader;
  #scanned = 0;
  #scanning: Promise<void> | null = null;
  /** Called while all rows are read. */
  onProgress: ((progress: ScanProgress) => void) | null = null;

  /** @param given tasks in no file of the source: its first rows */
  constructor(path: string, given: readonly Task[], places: LinePlaces, form: LineForm) {
    this.#given = given;
    this.#places = places;
    this.#form = form;
    this.#reader = new LineReader(path);
  }

  /** The file's lines are the rows after the given tasks. */
  get firstLine(): number {
    return this.#given.length;
  }

  /** Whether ids, families, seeds and lengths of all rows are known. */
  get isScanned(): boolean {
    return this.#scanned >= this.columns.count;
  }

  /** The tasks of these rows, in their order. @throws RunError */
  async read(rows: readonly number[]): Promise<ReadTask[]> {
    const found = new Map<number, ReadTask>();
    const breather = new Breather();
    for await (const { row, text } of this.texts(rows)) {
      found.set(row, this.#form.read(text, this.#lineOf(row)));
      await breather.breathe();
    }
    return rows.flatMap((row) => {
      const given = this.#given[row];
      const read = given === undefined ? found.get(row) : asGiven(given);
      return read === undefined ? [] : [read];
    });
  }

  /** The JSON of rows, in the file's order. @throws RunError */
  async *texts(rows: Iterable<number>): AsyncGenerator<{ row: number; text: string }> {
    const lines: number[] = [];
    let isOrdered = true;
    let before = -1;
    const breather = new Breather();
    for (const row of rows) {
      if ((lines.length & 0xfff) === 0) await breather.breathe();
      const given = this.#given[row];
      if (given !== undefined) yield { row, text: JSON.stringify(given) };
      else if (row < this.columns.count) {
        isOrdered &&= row > before;
        before = row;
        lines.push(row - this.firstLine);
      }
    }
    // To order a million rows that are in order already would hold the thread.
    if (!isOrdered) lines.sort((a, b) => a - b);
    for await (const { row, bytes } of this.#reader.read(this.#places, lines)) {
      yield { row: row + this.firstLine, text: textOfLine(bytes) };
    }
  }

  /** The ids and keys of rows, the rest of them left unread. @throws RunError */
  async namesOf(rows: readonly number[]): Promise<Map<number, RowName>> {
    const names = new Map<number, RowName>();
    const unknown: number[] = [];
    const breather = new Breather();
    for (const row of rows) {
      const [id, key] = [this.columns.ids[row], this.columns.keyOf(row)];
      if (id === undefined || key === undefined) unknown.push(row);
      else names.set(row, { id, key });
    }
    for await (const { row, text } of this.texts(unknown)) {
      const id = idSchema.safeParse(withoutGeneration(text)).data?.id;
      if (id !== undefined) names.set(row, { id, key: id });
      else {
        const { task, key } = this.#form.read(text, this.#lineOf(row));
        names.set(row, { id: task.id, key });
      }
      await breather.breathe();
    }
    return names;
  }

  /** Reads all rows once, for facts that the columns cannot have otherwise. @throws RunError; the signal's reason */
  scan(signal?: AbortSignal): Promise<void> {
    if (this.isScanned) return Promise.resolve();
    // One scan serves all callers; one that cancels does not stop the others.
    this.#scanning ??= this.#scan().finally(() => (this.#scanning = null));
    return signal === undefined ? this.#scanning : Promise.race([this.#scanning, aborted(signal)]);
  }

  /** The file that lines are read from. @throws RunError */
  handle(): Promise<FileHandle> {
    return this.#reader.handle();
  }

  /** The file was replaced: lines are read from the new one. */
  async reopen(path: string): Promise<void> {
    await this.#reader.close();
    this.#reader = new LineReader(path);
  }

  async close(): Promise<void> {
    await this.#reader.close();
    // Closing the file ends pending reads.
    this.#scanned = Infinity;
  }

  /** Which line of the file a row is, from 0. */
  #lineOf(row: number): number {
    return row - this.firstLine;
  }

  async #scan(): Promise<void> {
    const breather = new Breather();
    const { count, ids, families, seeds } = this.columns;
    for (const names of [ids, families, seeds]) {
      // Grown by their elements, all three would be copied at once.
      names.length = Math.max(names.length, count);
      await breather.breathe();
    }
    while (this.#scanned < this.columns.count) {
      const from = this.#scanned;
      const rows = Array.from({ length: Math.min(batch, this.columns.count - from) }, (_, i) => from + i);
      for await (const { row, text } of this.texts(rows)) {
        this.#learn(row, text);
        await breather.breathe();
      }
      if (!Number.isFinite(this.#scanned)) return;
      this.#scanned = from + rows.length;
      this.onProgress?.({ done: this.#scanned, total: this.columns.count });
    }
  }

  #learn(row: number, text: string): void {
    const { columns } = this;
    const { facts } = this.#form;
    if (facts !== undefined) {
      const read = this.#form.read(text, this.#lineOf(row));
      facts(read, row);
      if (read.key === read.task.id) columns.lines.delete(row);
      else columns.lines.set(row, read.key);
      this.#name(row, read.task);
      const [id, family, seed] = [read.task.id, read.task.family, read.task.seed ?? ''].map(hashOf);
      if (id !== undefined) [columns.idLow[row], columns.idHigh[row]] = [id.low, id.high];
      if (family !== undefined) [columns.familyLow[row], columns.familyHigh[row]] = [family.low, family.high];
      if (seed !== undefined) [columns.seedLow[row], columns.seedHigh[row]] = [seed.low, seed.high];
      return;
    }
    const names = namesSchema.safeParse(withoutGeneration(text)).data;
    if (names !== undefined) this.#name(row, names);
  }

  #name(row: number, { id, family, seed, domain, prompt }: z.infer<typeof namesSchema>): void {
    const { columns } = this;
    if (domain === undefined) columns.domains.delete(row);
    else columns.domains.set(row, this.#seed(domain));
    columns.ids[row] = id;
    // Tasks of one family, and families of one seed, stand together: they share a text.
    columns.families[row] = family === columns.families[row - 1] ? (columns.families[row - 1] ?? family) : family;
    columns.seeds[row] = this.#seed(seed ?? '');
    columns.length[row] = prompt.reduce((sum, { content }) => sum + content.length, 0);
  }

  readonly #seeds = new Map<string, string>();
  /** Few seeds are varied by many tasks, and few domains have many. */
  #seed(seed: string): string {
    const known = this.#seeds.get(seed);
    if (known === undefined) this.#seeds.set(seed, seed);
    return known ?? seed;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      const reason: unknown = signal.reason;
      reject(reason instanceof Error ? reason : new Error('Cancelled.'));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
