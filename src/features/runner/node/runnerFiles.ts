/** Where a runner's files lie, and how they are read by everybody. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Log } from '../../../engine/ports.ts';
import { readError } from '../../../runs/files/fileErrors.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { lineBatches } from '../../../runs/files/jsonLines.ts';
import { liveHolder, type LeaseHolder } from '../../../runs/lease/leaseFile.ts';
import { isJson } from '../../../runs/files/longLine.ts';
import { Mailbox } from '../../../runs/mailbox.ts';
import { parseJson, validate } from '../../../runs/files/parseLine.ts';
import { runnerFolder } from '../../../runs/store/runStore.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { codeOf } from '../../../shared/systemError.ts';
import {
  liveSchema,
  queueEventSchema,
  queueVersion,
  runnerRequestSchema,
  type Live,
  type QueueEvent,
  type RunnerRequest,
} from '../contract.ts';
import { isQueueRequest, withRequests } from '../core/answer.ts';
import { queueOf, type Queue } from '../core/queue.ts';

export interface RunnerPaths {
  dir: string;
  lease: string;
  queue: string;
  inbox: string;
  live: string;
  log: string;
}

/** @param root the folder of the runs */
export function runnerPaths(root: string): RunnerPaths {
  const dir = join(root, runnerFolder);
  return {
    dir,
    lease: join(dir, 'lease'),
    queue: join(dir, 'queue.jsonl'),
    inbox: join(dir, 'inbox'),
    live: join(dir, 'live.json'),
    log: join(dir, 'runner.log'),
  };
}

export interface Surroundings {
  clock: Clock;
  log: Log;
}

export const runnerInbox = (root: string, { clock, log }: Surroundings): Mailbox<RunnerRequest> =>
  new Mailbox(
    runnerPaths(root).inbox,
    { schema: runnerRequestSchema, version: queueVersion },
    { clock, log, files: nodeFiles },
  );

/** The journal's events, a torn last line left out. @throws RunError `format`, `version`, `unreadable` */
export async function readQueueEvents(path: string): Promise<QueueEvent[]> {
  const events: QueueEvent[] = [];
  let held: { bytes: Buffer; number: number } | null = null;
  const parse = ({ bytes, number }: { bytes: Buffer; number: number }): QueueEvent => {
    const place = { path, line: number + 1 };
    return validate(parseJson(bytes.toString(), place), queueEventSchema, queueVersion, place);
  };
  for await (const batch of lineBatches(path)) {
    for (const line of batch) {
      if (held !== null) events.push(parse(held));
      held = line;
    }
  }
  if (held !== null && (await isJson(held.bytes))) events.push(parse(held));
  return events;
}

/** Who works on a folder's queue, and what is in it. */
export interface RunnerSight {
  /** Null while there is no runner. */
  holder: LeaseHolder | null;
  /** With what was asked since, taken or not. */
  queue: Queue;
  /** Null while there is no runner, or it has said nothing yet. */
  live: Live | null;
  /** Requests that no runner has taken yet. */
  asked: readonly RunnerRequest[];
}

/** @throws RunError `format`, `version`, `unreadable` */
export async function lookAtRunner(root: string, around: Surroundings): Promise<RunnerSight> {
  const paths = runnerPaths(root);
  // Before the journal: what was taken in between is in both, and a second answer changes nothing.
  const asked = (await runnerInbox(root, around).waiting()).map(({ request }) => request);
  const queue = withRequests(queueOf(await readQueueEvents(paths.queue)), asked.filter(isQueueRequest));
  const holder = await liveHolder(paths.lease, around.clock);
  return { holder, queue, live: holder === null ? null : await readLive(paths.live), asked };
}

async function readLive(path: string): Promise<Live | null> {
  try {
    return liveSchema.safeParse(parseOrUndefined(await readFile(path, 'utf8'))).data ?? null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}
