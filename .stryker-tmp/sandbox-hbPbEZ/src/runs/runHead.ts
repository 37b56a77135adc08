import * as z from 'zod';
import type { Clock } from '../engine/ports.ts';
import { epochSummarySchema, journalVersion, type EpochSummary } from '../shared/journal/events.ts';
import type { Experiment, Mode } from '../shared/experiment/schema.ts';
import { linesFromEnd } from './jsonLines.ts';
import { liveHolder, type LeaseHolder } from './leaseFile.ts';
import { isJson, isLong } from './longLine.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { parseJson, validate } from './parseLine.ts';
import { runPaths } from './runPaths.ts';
import { sessionEventSchema, sessionVersion, type SessionEvent } from './sessionEvent.ts';

export type RunState = 'running' | 'paused' | 'finished' | 'failed' | 'stopped' | 'interrupted';

/** What a list shows of a run; read from the ends of its files alone. */
export interface RunHead {
  id: string;
  name: string;
  mode: Mode;
  /** Whose rollouts they are, where the run was imported. */
  imported: string | null;
  /** Where its policies live, as it was started. */
  endpoints: Experiment['endpoints'];
  state: RunState;
  /** Epochs finished so far. */
  epoch: number;
  epochs: number;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** Of the last finished epoch; null before there is one. */
  summary: EpochSummary | null;
}

/** A head, and what tells who carries the run on. */
export interface RunSight {
  head: RunHead;
  /** Who writes it now. */
  holder: LeaseHolder | null;
  /** The last thing that happened on a machine; null while the run is written, when it is finished, or before anything did. */
  lastSession: SessionEvent | null;
}

const outlineSchema = z.looseObject({
  v: z.literal(journalVersion),
  type: z.string(),
  epoch: z.int().nonnegative().optional(),
});
const finishedEpochSchema = z.looseObject({ v: z.literal(journalVersion), summary: epochSummarySchema });

interface Course {
  epoch: number;
  finished: boolean;
  summary: EpochSummary | null;
}

/** The last finished epoch and whether the run is done, from as little of the journal's end as that takes. */
async function readCourse(path: string): Promise<Course> {
  let finished = false;
  for await (const text of goodLinesFromEnd(path)) {
    const value = parseJson(text, { path });
    const event = validate(value, outlineSchema, journalVersion, { path });
    if (event.type === 'run.finished') finished = true;
    if (event.type !== 'epoch.finished') continue;
    const { summary } = validate(value, finishedEpochSchema, journalVersion, { path });
    return { epoch: event.epoch ?? 0, finished, summary };
  }
  return { epoch: 0, finished, summary: null };
}

async function readLastSession(path: string): Promise<SessionEvent | null> {
  for await (const text of goodLinesFromEnd(path)) {
    return validate(parseJson(text, { path }), sessionEventSchema, sessionVersion, { path });
  }
  return null;
}

/** Lines, last first, without a last one that a crashed writer spoiled. */
async function* goodLinesFromEnd(path: string): AsyncGenerator<string> {
  let last = true;
  for await (const { bytes } of linesFromEnd(path)) {
    // Long ones are families: a head is read several times a second while a run goes, and holds nothing of them.
    if (!isLong(bytes) && (!last || (await isJson(bytes)))) yield bytes.toString();
    last = false;
  }
}

/** How the last session ended; `interrupted` when it did not say. */
function stateAfter(session: SessionEvent | null): RunState {
  const type = session?.type;
  return type === 'paused' || type === 'stopped' || type === 'failed' ? type : 'interrupted';
}

/** @throws RunError `format`, `version`, `unreadable` */
export async function lookAt(dir: string, manifest: Manifest, clock: Clock): Promise<RunSight> {
  const paths = runPaths(dir);
  const { epoch, finished, summary } = await readCourse(paths.journal);
  const holder = await liveHolder(paths.lease, clock);
  const lastSession = holder !== null || finished ? null : await readLastSession(paths.sessions);
  const head: RunHead = {
    id: manifest.id,
    name: manifest.experiment.name,
    mode: manifest.experiment.mode,
    imported: manifest.imported?.format ?? null,
    endpoints: manifest.experiment.endpoints,
    state: holder !== null ? 'running' : finished ? 'finished' : stateAfter(lastSession),
    epoch,
    epochs: manifest.experiment.epochs,
    startedAt: manifest.createdAt,
    summary,
  };
  return { head, holder, lastSession };
}

/** @throws RunError `format`, `version`, `unreadable` */
export async function headOf(dir: string, manifest: Manifest, clock: Clock): Promise<RunHead> {
  return (await lookAt(dir, manifest, clock)).head;
}

/** @throws RunError `format`, `version`, `unreadable` */
export async function readHead(dir: string, clock: Clock): Promise<RunHead> {
  return headOf(dir, await readManifest(dir), clock);
}
