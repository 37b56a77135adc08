/** The host as the page asks it. */
import type * as z from 'zod';
import type { Channel } from '../../src/shared/rpc/channel.ts';
import {
  tasksRequests,
  type TaskDetail,
  type TaskField,
  type TaskRemark,
  type TaskRow,
  type TasksBulk,
  type TasksMatching,
  type TasksQuery,
} from '../../src/features/tasks/contract.ts';
import type { Opened } from './detail/lineage.ts';

export interface TasksHost {
  query: (query: TasksQuery, signal: AbortSignal) => Promise<z.infer<typeof tasksRequests.query.result>>;
  rows: (from: number, to: number) => Promise<TaskRow[]>;
  find: (id: string) => Promise<number | null>;
  detail: (id: string, signal: AbortSignal) => Promise<TaskDetail | null>;
  check: (id: string, field: TaskField, text: string, signal: AbortSignal) => Promise<TaskRemark[]>;
  edit: (id: string, field: TaskField, text: string) => Promise<TaskRemark[]>;
  bulk: (ids: string[] | TasksMatching, what: TasksBulk) => Promise<{ tasks: number }>;
  decide: (key: string | null, field: string | null, choice: 'mine' | 'theirs') => Promise<null>;
  reattempt: (id: string, attempts: number) => Promise<null>;
  stopReattempt: (id: string) => Promise<null>;
  open: (what: Opened) => Promise<null>;
  openAsText: (id: string) => Promise<null>;
  copy: (ids: string[], as: 'json' | 'markdown') => Promise<null>;
}

export function tasksHost(channel: Channel): TasksHost {
  const { query, rows, find, detail, check, edit, bulk, decide, reattempt, stopReattempt, open, openAsText, copy } =
    tasksRequests;
  return {
    query: (asked, signal) => channel.call(query, asked, signal),
    rows: (from, to) => channel.call(rows, { from, to }),
    find: (id) => channel.call(find, { id }),
    detail: (id, signal) => channel.call(detail, { id }, signal),
    check: (id, field, text, signal) => channel.call(check, { id, field, text }, signal),
    edit: (id, field, text) => channel.call(edit, { id, field, text }),
    bulk: (ids, what) => channel.call(bulk, { ids, what }),
    decide: (key, field, choice) => channel.call(decide, { key, field, choice }),
    reattempt: (id, attempts) => channel.call(reattempt, { id, attempts }),
    stopReattempt: (id) => channel.call(stopReattempt, { id }),
    open: (what) => channel.call(open, what),
    openAsText: (id) => channel.call(openAsText, { id }),
    copy: (ids, as) => channel.call(copy, { ids, as }),
  };
}
