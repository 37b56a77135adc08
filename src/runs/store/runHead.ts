import * as z from 'zod';
import type { Clock } from '../../engine/ports.ts';
import {
  endingSchema,
  epochSummarySchema,
  eventSchema,
  journalVersion,
  type Ending,
  type EpochSummary,
  type JournalEvent,
} from '../../shared/journal/events.ts';
import { type SuccessRate } from '../../shared/journal/scores.ts';
import type { Experiment, Mode } from '../../shared/experiment/schema.ts';
import { ClusteredRates, clusteredSummary, isOld } from '../facts/clusteredRates.ts';
import { linesFromEnd } from '../files/jsonLines.ts';
import { liveHolder, type LeaseHolder } from '../lease/leaseFile.ts';
import { isJson, isLong } from '../files/longLine.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { parseJson, validate } from '../files/parseLine.ts';
import { readLabel, type RunLabel } from './runLabel.ts';
import { runName } from './runName.ts';
import { runPaths } from './runPaths.ts';
import { sessionEventSchema, sessionVersion, type SessionEvent } from '../journal/sessionEvent.ts';

export type RunState = 'running' | 'paused' | 'finished' | 'failed' | 'stopped' | 'interrupted';

/** A run's entry in lists; read only from the ends of its files. */
export interface RunHead {
  id: string;
  /** Its label, or its experiment's name. */
  name: string;
  /** Its experiment's name. */
  experiment: string;
  label: RunLabel;
  mode: Mode;
  /** Whose rollouts they are, where the run was imported. */
  imported: string | null;
  /** Where its policies live, as it was started. */
  endpoints: Experiment['endpoints'];
  state: RunState;
  /** Why it is over; null while it is not. */
  ending: Ending | null;
  /** Epochs finished so far. */
  epoch: number;
  /** The epoch under way, else the last finished one. */
  current: number;
  epochs: number;
  /** ISO 8601, UTC. */
  startedAt: string;
  /** Of the last finished epoch; null before there is one. */
  summary: EpochSummary | null;
}

/** A head, and the current writer. */
export interface RunSight {
  head: RunHead;
  /** The current writer. */
  holder: LeaseHolder | null;
  /** The last thing that happened on a machine; null while the run is written, when it is finished, or before anything did. */
  lastSession: SessionEvent | null;
}

const outlineSchema = z.looseObject({
  v: z.literal(journalVersion),
  type: z.string(),
  epoch: z.int().nonnegative().optional(),
});
const finishedRunSchema = z.looseObject({ v: z.literal(journalVersion), reason: endingSchema });
const finishedEpochSchema = z.looseObject({ v: z.literal(journalVersion), summary: epochSummarySchema });

interface Course {
  epoch: number;
  current: number;
  ending: Ending | null;
  summary: EpochSummary | null;
}

/** The last finished epoch, the one that began after it, and whether the run is done, from as little of the journal's end as that takes. */
async function readCourse(path: string): Promise<Course> {
  let ending: Ending | null = null;
  let last: EpochSummary | null = null;
  let scored: SuccessRate | null = null;
  let open: number | null = null;
  for await (const text of goodLinesFromEnd(path)) {
    const value = parseJson(text, { path });
    const event = validate(value, outlineSchema, journalVersion, { path });
    if (event.type === 'run.finished') {
      ending = validate(value, finishedRunSchema, journalVersion, { path }).reason;
    }
    if (last === null) {
      if (event.type === 'epoch.started') open ??= event.epoch ?? null;
      if (event.type !== 'epoch.finished') continue;
      last = validate(value, finishedEpochSchema, journalVersion, { path }).summary;
      if (!isOld(last.successRate)) break;
    } else if (event.epoch !== last.epoch) break;
    else if (event.type === 'families.scored') {
      scored = rateOf(validate(value, eventSchema, journalVersion, { path }));
      break;
    }
  }
  const epoch = last?.epoch ?? 0;
  const current = ending === null ? (open ?? epoch) : epoch;
  return { epoch, current, ending, summary: last && clusteredSummary(last, scored) };
}

/** An epoch's rate over its families, by the current method. */
function rateOf(event: JournalEvent): SuccessRate | null {
  const today = new ClusteredRates().of(event);
  return today.type === 'families.scored' ? today.successRate : null;
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
  // Before the journal: a writer that ends meanwhile has written its last lines by then, and was not interrupted.
  const before = await liveHolder(paths.lease, clock);
  const [{ epoch, current, ending, summary }, label] = await Promise.all([readCourse(paths.journal), readLabel(dir)]);
  const session = before !== null || ending !== null ? null : await readLastSession(paths.sessions);
  // A session without an end may be of a writer that began meanwhile.
  const begun = before === null && ending === null && stateAfter(session) === 'interrupted';
  const holder = begun ? await liveHolder(paths.lease, clock) : before;
  const lastSession = holder === null ? session : null;
  const head: RunHead = {
    id: manifest.id,
    name: runName(label, manifest),
    experiment: manifest.experiment.name,
    label,
    mode: manifest.experiment.mode,
    imported: manifest.imported?.format ?? null,
    endpoints: manifest.experiment.endpoints,
    state: holder !== null ? 'running' : ending === null ? stateAfter(lastSession) : 'finished',
    ending,
    epoch,
    current,
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
