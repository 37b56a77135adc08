/** The rows of one reading of a source, by the ids that the page knows them by. They last from reading to reading. */
import * as l10n from '@vscode/l10n';
import { lineMark } from '../contract.ts';
import type { EditedTasks, NowTask } from './editedTasks.ts';

export class ShownRows<Opened extends { readonly tasks: EditedTasks }> {
  readonly opened: Opened;
  readonly #rows = new Map<string, number>();
  readonly #ids = new Map<number, string>();
  /** Ids of tasks without one of their own whose lines were saved since they got them, by their keys of now. */
  readonly #kept: ReadonlyMap<string, string>;
  /** The reverse. */
  readonly #keys: ReadonlyMap<string, string>;

  /** @param before the rows of the reading before */
  constructor(opened: Opened, before?: ShownRows<Opened>) {
    this.opened = opened;
    this.#kept = before?.keptNow() ?? new Map();
    this.#keys = new Map([...this.#kept].map(([key, id]) => [id, key]));
  }

  /** The page's id of a row: two rows with one key get different ones. */
  name({ row, key }: Pick<NowTask, 'row' | 'key'>): string {
    const known = this.#ids.get(row);
    if (known !== undefined) return known;
    const wanted = this.#kept.get(key) ?? key;
    const isTaken = this.#rows.has(wanted) || (this.#keys.get(wanted) ?? key) !== key;
    const id = isTaken ? `${wanted} #${row + 1}` : wanted;
    this.#rows.set(id, row);
    this.#ids.set(row, id);
    return id;
  }

  /** Ids that the page has of these rows; of all when null. */
  namesIn(rows: ReadonlySet<number> | null): string[] {
    return [...this.#ids].flatMap(([row, id]) => (rows === null || rows.has(row) ? [id] : []));
  }

  /** Where a task stands, also one whose id is of an earlier reading; null where it is gone. @throws RunError */
  async find(id: string, signal?: AbortSignal): Promise<number | null> {
    return this.#rows.get(id) ?? this.opened.tasks.source.rowOf(this.#keys.get(id) ?? id, signal);
  }

  /** @throws RunError, Error where it is gone */
  async row(id: string): Promise<number> {
    const row = await this.find(id);
    if (row === null) throw new Error(goneText(id));
    return row;
  }

  /** @throws as `row` does */
  rows(ids: readonly string[]): Promise<number[]> {
    return Promise.all(ids.map((id) => this.row(id)));
  }

  /** @throws as `row` does */
  async task(id: string): Promise<NowTask> {
    const [now] = await this.opened.tasks.at([await this.row(id)]);
    if (now === undefined) throw new Error(goneText(id));
    return now;
  }

  /** A task, not a damaged line. @throws as `row` does */
  async sound(id: string): Promise<NowTask> {
    const now = await this.task(id);
    if (now.damaged !== null) throw new Error(l10n.t('A damaged line is not a task: open the file as text to fix it.'));
    return now;
  }

  /** For the next reading: ids that differ from the keys of their lines. */
  keptNow(): Map<string, string> {
    const { lines } = this.opened.tasks.columns;
    const kept = new Map(this.#kept);
    for (const [row, id] of this.#ids) {
      const key = lines.get(row);
      if (key === undefined || key === id || id === `${key} #${row + 1}`) continue;
      const former = this.#keys.get(id);
      if (former !== undefined) kept.delete(former);
      kept.set(key, id);
    }
    return kept;
  }
}

const goneText = (id: string): string =>
  id.startsWith(lineMark)
    ? l10n.t('The task is not here any more: something else changed the file.')
    : l10n.t('There is no task “{0}” here.', id);
