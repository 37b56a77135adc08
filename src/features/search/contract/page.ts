/** Messages between the host and the page that lists a search's hits. */
import * as z from 'zod';
import { event, request } from '../../../shared/rpc/contract.ts';
import { searchMatchSchema } from './searchHit.ts';

const count = z.int().nonnegative();

/** One line of the list: a match, or a hit of a query without words. */
const searchRowSchema = z.strictObject({
  /** Of its hit. */
  kind: z.enum(['trace', 'task']),
  /** Id of the trace or task. */
  id: z.string(),
  epoch: count,
  /** Null for a task. */
  verdict: z.enum(['solved', 'failed', 'error']).nullable(),
  reward: z.number().nullable(),
  match: searchMatchSchema.pick({ turn: true, of: true, snippet: true }).nullable(),
  /** Number of matches of the record beyond those listed; in its last line. */
  more: count,
});
export type SearchRow = z.infer<typeof searchRowSchema>;

const searchStateSchema = z.strictObject({
  /** Grows with every search: rows of an older one are void. */
  search: count,
  /** Folder of the run; null before there was a search. */
  run: z.string().nullable(),
  runName: z.string(),
  text: z.string(),
  /** Lines so far. */
  rows: count,
  traces: count,
  tasks: count,
  /** 0…1 while it runs; null when it has ended. */
  share: z.number().nullable(),
  /** There are more than were looked for. */
  limited: z.boolean(),
  stopped: z.boolean(),
  failure: z.string().nullable(),
  /** Queries of this workspace, the newest first. */
  history: z.array(z.string()),
});
export type SearchPageState = z.infer<typeof searchStateSchema>;

/** The page's saved state; the host repeats the search after a reload. */
export const keptSearchSchema = z.looseObject({ run: z.string(), text: z.string() });

/** Host to page: with the page, and whenever it changed. */
export const searched = event('searched', searchStateSchema);
/** Page to host: begins another search of the same run. A query that cannot be read says where and why. */
export const search = request(
  'search',
  z.strictObject({ text: z.string() }),
  z.strictObject({ problem: z.strictObject({ at: count, message: z.string() }).nullable() }),
);
/** Page to host: stops; hits so far stay. */
export const stopSearch = request('stopSearch', z.null(), z.null());
/** Page to host: rows [from, to). */
export const searchRows = request('searchRows', z.strictObject({ from: count, to: count }), z.array(searchRowSchema));
/** Page to host: opens the record at the match. */
export const openRow = request('openRow', z.strictObject({ row: count }), z.null());
