/** The host's side of the task editor, over a million tasks in this process. */
import { bisectLeft } from 'd3';
import * as z from 'zod';
import { parseOrUndefined } from '../../../src/shared/json.ts';
import { messageSchema } from '../../../src/shared/records/message.ts';
import type { Channel } from '../../../src/shared/rpc/channel.ts';
import { lies, intervalOf, parseQuery, type Term } from '../../../src/features/search/contract/query.ts';
import {
  tasksEvents,
  tasksRequests,
  type TaskConflict,
  type TaskDamage,
  type TaskDetail,
  type TaskField,
  type TaskRow,
  type TasksQuery,
  type TasksReattempt,
  type TasksSource,
} from '../../../src/features/tasks/contract.ts';
import { detailOf, remarksOf, rowOf, type Overlay } from './taskModel.ts';

const numbers = Uint32Array.from({ length: 1_000_000 }, (_, at) => at);

type Edits = ReadonlyMap<number, Overlay>;
type Remarks = TaskDetail['remarks'];

export class ScriptedTasks {
  source: TasksSource;
  readonly asked: string[] = [];
  /** Rows [from, to) that were asked for. */
  readonly ranges: [number, number][] = [];
  /** Rows that are no task. */
  readonly damaged = new Map<number, { row: TaskRow; damage: TaskDamage }>();
  /** Tasks that were changed here and on the disk. */
  conflicts: TaskConflict[] = [];
  /** The error of the next one of these requests. */
  readonly failing = new Map<'rows' | 'edit' | 'detail' | 'bulk', Error>();
  #edits: Edits = new Map();
  #undone: Edits[] = [];
  #matching: Uint32Array;
  #query: TasksQuery = { text: '', order: 'written', descending: false };
  #channel: Channel | null = null;

  constructor(source: Partial<TasksSource> = {}) {
    this.source = {
      ...{ kind: 'run', name: 'embedded demo', run: '/runs/one', pool: null, tasks: 1_000_000, damaged: 0 },
      ...{ trusted: true, live: false, attempts: { group: 4, why: null } },
      ...source,
    };
    this.#matching = this.#find(this.#query.text);
  }

  get edits(): number {
    return this.#undone.length;
  }

  /** The page is there, for the first time or again. */
  opened(channel: Channel): void {
    if (this.#channel === null) this.#answer(channel);
    this.#channel = channel;
    channel.emit(tasksEvents.opened, this.source);
  }

  row(at: number): TaskRow {
    const damaged = this.damaged.get(at);
    if (damaged !== undefined) return damaged.row;
    const row = rowOf(at, this.#edits.get(at));
    return this.source.pool === null ? row : { ...row, weight: 1 / (2 + (at % 9)) };
  }

  /** As Ctrl+Z in the editor. */
  undo(): void {
    this.#edits = this.#undone.pop() ?? new Map();
    this.#tell([...Array(60).keys()].map((at) => this.row(at).id));
  }

  reattempted(state: Partial<TasksReattempt> & { task: string }): void {
    this.#channel?.emit(tasksEvents.reattempt, {
      ...{ version: 'agent@3', before: { successes: 0, attempts: 0 }, after: { successes: 0, attempts: 0 } },
      ...{ done: 0, total: 8, state: 'running', message: null, answers: [] },
      ...state,
    });
  }

  /** As when the file was written by something else, or a decision was taken. */
  tellConflicts(): void {
    const undecided = this.conflicts.filter(({ fields }) => fields.some(({ choice }) => choice === null)).length;
    this.#channel?.emit(tasksEvents.conflicts, { shown: this.conflicts, count: this.conflicts.length, undecided });
  }

  /** As when something else wrote the file with the first of them only. */
  leaveOut(after: number): void {
    const gone = Array.from(numbers.slice(after, this.source.tasks), (at) => this.row(at).id);
    this.source = { ...this.source, tasks: after };
    this.#matching = this.#find(this.#query.text);
    this.#tell(gone);
  }

  #answer(channel: Channel): void {
    const note = (what: unknown): null => {
      this.asked.push(JSON.stringify(what));
      return null;
    };
    const fail = (what: 'rows' | 'edit' | 'detail' | 'bulk'): void => {
      const error = this.failing.get(what);
      this.failing.delete(what);
      if (error !== undefined) throw error;
    };
    channel.handle(tasksRequests.query, (query) => {
      note(query);
      const read = parseQuery(query.text);
      if ('problem' in read) return { matching: this.#matching.length, problem: read.problem };
      const unknown = read.terms.find((term) => term.kind === 'field' && !known.has(term.field));
      if (unknown !== undefined) {
        const problem = { at: unknown.at, message: 'No field is called so. Did you mean “status”?' };
        return { matching: this.#matching.length, problem };
      }
      this.#query = query;
      this.#matching = this.#find(query.text);
      return { matching: this.#matching.length, problem: null };
    });
    channel.handle(tasksRequests.rows, ({ from, to }) => {
      fail('rows');
      this.ranges.push([from, to]);
      return Array.from(this.#places(from, to), (at) => this.row(at));
    });
    channel.handle(tasksRequests.find, ({ id }) => {
      const place = bisectLeft(this.#matching, this.#at(id));
      if (this.#matching[place] !== this.#at(id)) return null;
      return this.#query.descending ? this.#matching.length - 1 - place : place;
    });
    channel.handle(tasksRequests.detail, ({ id }) => {
      fail('detail');
      return this.#at(id) < this.source.tasks ? this.#detail(id) : null;
    });
    channel.handle(tasksRequests.check, ({ field, text }) => {
      note(['check', field]);
      return readField(field, text).remarks;
    });
    channel.handle(tasksRequests.edit, ({ id, field, text }) => {
      fail('edit');
      note(['edit', id, field]);
      const { value, remarks } = readField(field, text);
      if (value !== undefined) {
        const at = this.#at(id);
        const overlay = this.#edits.get(at);
        this.#change(new Map([[at, { ...overlay, draft: { ...overlay?.draft, ...value } }]]));
      }
      return remarks;
    });
    channel.handle(tasksRequests.bulk, ({ ids, what }) => {
      fail('bulk');
      note(['bulk', Array.isArray(ids) ? ids.length : ids, what]);
      const places = Array.isArray(ids) ? ids.map((id) => this.#at(id)) : [...this.#matching];
      const changes = new Map<number, Overlay>();
      for (const at of places) {
        const overlay = this.#edits.get(at) ?? {};
        if (what.action === 'exclude') changes.set(at, { ...overlay, excluded: true });
        if (what.action === 'restore') changes.set(at, { ...overlay, excluded: false });
        if (what.action === 'tag') changes.set(at, { ...overlay, tags: [...(overlay.tags ?? []), ...what.add] });
      }
      if (changes.size > 0) this.#change(changes);
      return { tasks: places.length };
    });
    channel.handle(tasksRequests.decide, ({ key, field, choice }) => {
      this.conflicts = this.conflicts.map((one) => {
        const fields = one.fields.map((own) => {
          const meant =
            (key === null ? own.choice === null : one.key === key) && (field === null || own.name === field);
          return meant ? { ...own, choice } : own;
        });
        return { ...one, fields };
      });
      this.tellConflicts();
      return note(['decide', key, field, choice]);
    });
    channel.handle(tasksRequests.reattempt, ({ id, attempts }) => note(['reattempt', id, attempts]));
    channel.handle(tasksRequests.stopReattempt, ({ id }) => note(['stop', id]));
    channel.handle(tasksRequests.open, (what) => note(['open', what]));
    channel.handle(tasksRequests.openAsText, ({ id }) => note(['openAsText', id]));
    channel.handle(tasksRequests.copy, ({ ids, as }) => note(['copy', ids, as]));
  }

  #change(changes: Edits): void {
    this.#undone.push(this.#edits);
    this.#edits = new Map([...this.#edits, ...changes]);
    this.#tell([...changes.keys()].slice(0, 100).map((at) => this.row(at).id));
  }

  #tell(details: string[]): void {
    const { tasks, damaged } = this.source;
    this.#channel?.emit(tasksEvents.changed, { tasks, damaged, matching: this.#matching.length, details });
  }

  #detail(id: string): TaskDetail {
    const at = this.#at(id);
    const { damage = null } = this.damaged.get(at) ?? {};
    return { ...detailOf(at, this.#edits.get(at)), row: this.row(at), damage };
  }

  /** Ids repeat after a while; the first has it. */
  #at(id: string): number {
    for (const [at, { row }] of this.damaged) if (row.id === id) return at;
    const [, epoch = 0, family = 0, variation = 0] = (/^e(\d+)\.f(\d+)\.v(\d)$/.exec(id) ?? []).map(Number);
    return (epoch - 1) * 4000 + family * 4 + variation;
  }

  #places(from: number, to: number): Uint32Array {
    if (!this.#query.descending) return this.#matching.slice(from, to);
    const last = this.#matching.length;
    return this.#matching.slice(Math.max(0, last - to), last - from).reverse();
  }

  #find(text: string): Uint32Array {
    const read = parseQuery(text);
    const terms = 'terms' in read ? read.terms : [];
    const all = numbers.slice(0, this.source.tasks);
    return terms.length === 0 ? all : all.filter((at) => terms.every((term) => fits(this.row(at), term)));
  }
}

const known = new Set(['p', 'flag', 'status', 'id', 'tag', 'family', 'epoch']);

function fits(row: TaskRow, term: Term): boolean {
  const is = term.kind === 'text' ? row.title.toLowerCase().includes(term.text.toLowerCase()) : fieldFits(row, term);
  return is !== term.negated;
}

function fieldFits(row: TaskRow, { field, comparison, value }: Extract<Term, { kind: 'field' }>): boolean {
  const { successes, attempts } = row.rate;
  const number = field === 'p' ? (attempts === 0 ? null : successes / attempts) : field === 'epoch' ? row.epoch : null;
  const interval = intervalOf(comparison, value);
  if (number !== null && interval !== null) return lies(number, interval);
  return { flag: row.flags, tag: row.tags, status: [row.status], id: [row.id], family: [row.family] }[field]?.some(
    (one) => one === value,
  )
    ? true
    : false;
}

const shapes = {
  prompt: z.array(messageSchema),
  evaluation: z.looseObject({ kind: z.string() }),
  tools: z.array(
    z.strictObject({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
  ),
};

/** A text as its field's value; undefined when it cannot be read. */
function readField(field: TaskField, text: string): { value?: Partial<TaskDetail['draft']>; remarks: Remarks } {
  if (field === 'gold') return { value: { gold: text === '' ? null : text }, remarks: remarksOf(field, text) ?? [] };
  if (field === 'tools' && text === '') return { value: {}, remarks: [] };
  const parsed = shapes[field].safeParse(parseOrUndefined(text));
  if (parsed.success) return { value: { [field]: parsed.data }, remarks: [] };
  const message = `This is no ${field} yet.`;
  return { remarks: [{ field, severity: 'error', message, remedy: 'Write it as JSON.' }] };
}
