/** A search over the traces of a run, and over the prompts of its tasks. */
import { readNotes } from '../../../runs/records/notesFile.ts';
import { readLabels } from '../../../runs/records/labelsFile.ts';
import { runPaths, type RunPaths } from '../../../runs/store/runPaths.ts';
import { taskKind, traceKind } from '../../../runs/index/recordKind.ts';
import { verdictOf, type PersonLabel } from '../../../shared/records/label.ts';
import { allSaid } from '../../../shared/records/conversations.ts';
import type { SearchHit, SearchSummary } from '../contract/searchHit.ts';
import type { Condition, TraceQuery } from '../contract/traceQuery.ts';
import { wildcard } from '../contract/wildcard.ts';
import { AskedPrompts } from './askedPrompts.ts';
import { WantedTexts } from './matches.ts';
import { playsThatFit } from './playsFit.ts';
import { RecordFile } from './recordFile.ts';
import {
  searchedTaskSchema,
  searchedTraceSchema,
  taskFits,
  traceFits,
  type SearchedTask,
  type SearchedTrace,
} from './recordFits.ts';
import { taskRowFits, traceRowFits } from './rowsFit.ts';
import { searchRecords, type Wanted } from './searchRecords.ts';
import { textIndexOf } from './textIndexes.ts';
import type { RunContext } from '../../../runs/store/runContext.ts';

export interface SearchOptions {
  signal: AbortSignal;
  /** Of traces, and of tasks; the search stops there. */
  limit: number;
  /** Called with the processed share of the records, 0…1. */
  onProgress?: (share: number) => void;
}

/** Tasks are fewer and looked at last. */
const shareOfTraces = 0.9;

/**
 * Hits as they are found: attempts of people, traces from the newest on, then tasks. Later appends are not seen; a cancelled search ends
 * early.
 * @throws RunError
 */
export async function* searchRun(
  dir: string,
  query: TraceQuery,
  context: RunContext,
  { signal, limit, onProgress = () => undefined }: SearchOptions,
): AsyncGenerator<SearchHit[], SearchSummary> {
  const paths = runPaths(dir);
  const summary: SearchSummary = { traces: 0, tasks: 0, limited: false };
  const marked = await marksFor(query, paths);
  const wantedTasks = tasksFor(query);
  const asked = wantedTasks === null ? null : new AskedPrompts(query, limit);
  const wantedTraces = tracesFor(query, marked, asked);
  const tracesShare = wantedTasks === null ? 1 : shareOfTraces;

  async function* part<R, H extends SearchHit>(
    file: RecordFile<{ id: string; epoch: number }>,
    wanted: Wanted<R, H>,
    counted: 'traces' | 'tasks',
    [from, to]: readonly [number, number],
  ): AsyncGenerator<H[]> {
    const searching = {
      signal,
      onProgress: (done: number, total: number) => onProgress(from + (to - from) * (done / total)),
    };
    for await (const hits of searchRecords(file, textIndexOf(file.paths.index), wanted, searching)) {
      const room = limit - summary[counted];
      summary[counted] += Math.min(room, hits.length);
      if (room > 0) yield hits.slice(0, room);
      if (hits.length <= room) continue;
      summary.limited = true;
      return;
    }
  }

  const people = (await playsThatFit(paths.plays, query, marked)).flatMap((trace) => wantedTraces.hit(trace) ?? []);
  summary.traces = Math.min(limit, people.length);
  summary.limited = people.length > limit;
  if (people.length > 0) yield people.slice(0, limit);
  if (summary.limited) return summary;
  const traces = await RecordFile.open(traceKind, paths.traces, paths.lease, context);
  try {
    yield* part(traces, wantedTraces, 'traces', [0, tracesShare]);
  } finally {
    await traces.close();
  }
  if (wantedTasks === null || signal.aborted) return summary;
  const tasks = await RecordFile.open(taskKind, paths.tasks, paths.lease, context);
  try {
    for await (const hits of part(tasks, wantedTasks, 'tasks', [tracesShare, 1])) {
      for (const { task } of hits) asked?.forget(task);
      yield hits;
    }
  } finally {
    await tasks.close();
  }
  const read = asked?.hits ?? [];
  const room = limit - summary.tasks;
  if (read.length > room) summary.limited = true;
  summary.tasks += Math.min(room, read.length);
  if (room > 0 && read.length > 0) yield read.slice(0, room);
  return summary;
}

type Marked = ReadonlyMap<Condition, ReadonlySet<string>>;

/** Ids of the traces with a note or label that fits, for each condition on them. */
async function marksFor({ conditions }: TraceQuery, paths: RunPaths): Promise<Marked> {
  const marked = new Map<Condition, ReadonlySet<string>>();
  for (const condition of conditions) {
    if (condition.kind === 'label') marked.set(condition, await labelled(paths.attemptLabels, condition.label));
    if (condition.kind !== 'note') continue;
    const { threads } = await readNotes(paths.notes);
    const words = condition.words?.toLowerCase() ?? '';
    const fitting = threads.filter(({ notes }) => notes.some(({ text }) => text.toLowerCase().includes(words)));
    marked.set(condition, new Set(fitting.map(({ trace }) => trace)));
  }
  return marked;
}

/** Ids of the traces that people gave this verdict or label; any when it is null. */
async function labelled(path: string, label: string | null): Promise<ReadonlySet<string>> {
  const wanted = label === null ? null : wildcard(label);
  const { attempts } = await readLabels(path);
  const fits = (people: readonly PersonLabel[]): boolean =>
    wanted === null || [verdictOf(people) ?? [], people.flatMap(({ labels }) => labels)].flat().some(wanted);
  return new Set([...attempts].flatMap(([trace, people]) => (fits(people) ? [trace] : [])));
}

/** @param asked looks at the prompts of traces that fit; null where no task can fit */
function tracesFor(query: TraceQuery, marked: Marked, asked: AskedPrompts | null): Wanted<SearchedTrace, SearchHit> {
  const fits = traceFits(query, marked);
  const texts = new WantedTexts(query);
  const named = query.conditions.flatMap((one) => (one.negated || one.kind !== 'tool' ? [] : [one.tool]));
  const versions = query.conditions.flatMap((one) =>
    one.negated || one.kind !== 'name' || one.of !== 'version' ? [] : one.pattern.split('*'),
  );
  return {
    rowFits: traceRowFits(query, marked),
    words: [...wordsOf(query), ...named, ...versions],
    schema: searchedTraceSchema,
    hit: (trace) => {
      if (!fits(trace)) return null;
      asked?.look(trace);
      const found = texts.find(allSaid(trace));
      if (found === null) return null;
      const { id, task, family, epoch, purpose, version, verdict } = trace;
      const judged = verdict.error !== undefined ? 'error' : verdict.success ? 'solved' : 'failed';
      return {
        ...{ kind: 'trace', trace: id, task, family, epoch, purpose, version, ...found },
        ...{ verdict: judged, reward: verdict.reward },
      };
    },
  };
}

/** Null when no task can fit. */
function tasksFor(query: TraceQuery): Wanted<SearchedTask, SearchHit> | null {
  const rowFits = taskRowFits(query);
  if (rowFits === null) return null;
  const fits = taskFits(query);
  const texts = new WantedTexts(query);
  return {
    ...{ rowFits, words: wordsOf(query), schema: searchedTaskSchema },
    hit: (task) => {
      const found = fits(task) ? texts.find(task.prompt) : null;
      return found === null ? null : { kind: 'task', task: task.id, family: task.family, epoch: task.epoch, ...found };
    },
  };
}

const wordsOf = ({ texts }: TraceQuery): string[] => texts.flatMap(({ text, negated }) => (negated ? [] : [text]));
