import * as z from 'zod';
import type { Clock } from '../engine/ports.ts';
import { journalVersion } from '../shared/journal/events.ts';
import type { Mode } from '../shared/experiment/schema.ts';
import { linesFromEnd } from './jsonLines.ts';
import { liveHolder } from './leaseFile.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { parseJson, parseOrUndefined, validate } from './parseLine.ts';
import { runPaths, type RunPaths } from './runPaths.ts';
import { sessionEventSchema, sessionVersion } from './sessionEvent.ts';

export type RunState = 'running' | 'paused' | 'finished' | 'failed' | 'stopped' | 'interrupted';

/** What a list shows of a run; read from the ends of its files alone. */
export interface RunHead {
  id: string;
  name: string;
  mode: Mode;
  state: RunState;
  /** Epochs finished so far. */
  epoch: number;
  epochs: number;
  /** ISO 8601, UTC. */
  startedAt: string;
}

const outlineSchema = z.looseObject({
  v: z.literal(journalVersion),
  type: z.string(),
  epoch: z.int().nonnegative().optional(),
});

/** The last finished epoch and whether the run is done, from as little of the journal's end as that takes. */
async function readProgress(path: string): Promise<{ epoch: number; finished: boolean }> {
  let finished = false;
  for await (const text of goodLinesFromEnd(path)) {
    const event = validate(parseJson(text, { path }), outlineSchema, journalVersion, { path });
    if (event.type === 'run.finished') finished = true;
    if (event.type === 'epoch.finished') return { epoch: event.epoch ?? 0, finished };
    if (event.type === 'epoch.started') return { epoch: Math.max(0, (event.epoch ?? 1) - 1), finished };
  }
  return { epoch: 0, finished };
}

/** How the last session ended; `interrupted` when it did not say. */
async function readLastSession(path: string): Promise<RunState> {
  for await (const text of goodLinesFromEnd(path)) {
    const { type } = validate(parseJson(text, { path }), sessionEventSchema, sessionVersion, { path });
    return type === 'paused' || type === 'stopped' || type === 'failed' ? type : 'interrupted';
  }
  return 'interrupted';
}

/** Lines, last first, without a last one that a crashed writer spoiled. */
async function* goodLinesFromEnd(path: string): AsyncGenerator<string> {
  let last = true;
  for await (const { bytes } of linesFromEnd(path)) {
    const text = bytes.toString();
    if (!last || parseOrUndefined(text) !== undefined) yield text;
    last = false;
  }
}

async function stateOf(paths: RunPaths, finished: boolean, clock: Clock): Promise<RunState> {
  if ((await liveHolder(paths.lease, clock)) !== null) return 'running';
  return finished ? 'finished' : readLastSession(paths.sessions);
}

/** @throws RunError `format`, `version`, `unreadable` */
export async function headOf(dir: string, manifest: Manifest, clock: Clock): Promise<RunHead> {
  const paths = runPaths(dir);
  const { epoch, finished } = await readProgress(paths.journal);
  return {
    id: manifest.id,
    name: manifest.experiment.name,
    mode: manifest.experiment.mode,
    state: await stateOf(paths, finished, clock),
    epoch,
    epochs: manifest.experiment.epochs,
    startedAt: manifest.createdAt,
  };
}

/** @throws RunError `format`, `version`, `unreadable` */
export async function readHead(dir: string, clock: Clock): Promise<RunHead> {
  return headOf(dir, await readManifest(dir), clock);
}
