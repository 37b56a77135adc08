/** The paths of a runner's files, and how all processes read them. */
import { readFile, stat } from 'node:fs/promises';
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
import { isHeldAfter, queueOf, withoutRunner, type Queue } from '../core/queue.ts';

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

/** The worker of a folder's queue, and its content. */
export interface RunnerSight {
  /** Null while there is no runner. */
  holder: LeaseHolder | null;
  /** With all requests since, taken or not. */
  queue: Queue;
  /** Nothing more starts until that is taken back. */
  held: boolean;
  /** The last runner ended as it should: by request, or because nothing was left to do. */
  closed: boolean;
  /** Null while there is no runner, or it has reported nothing yet. */
  live: Live | null;
  /** Requests that no runner has taken yet. */
  asked: readonly RunnerRequest[];
}

/** The state of a queue's journal. */
type Journaled = Pick<RunnerSight, 'queue' | 'held' | 'closed'>;

/** A queue's journal for repeated reads: read again when it has changed. */
export class QueueReading {
  readonly #path: string;
  #stamp = '';
  #journaled: Journaled = { queue: [], held: false, closed: true };

  constructor(root: string) {
    this.#path = runnerPaths(root).queue;
  }

  /** @throws RunError `format`, `version`, `unreadable` */
  async now(): Promise<Journaled> {
    const stamp = await stampOf(this.#path);
    if (stamp === this.#stamp) return this.#journaled;
    const events = await readQueueEvents(this.#path);
    const closed = events.findLast(({ type }) => type === 'opened' || type === 'closed')?.type !== 'opened';
    this.#journaled = { queue: queueOf(events), held: isHeldAfter(events), closed };
    this.#stamp = stamp;
    return this.#journaled;
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw readError(error, path);
  }
}

/** @throws RunError `format`, `version`, `unreadable` */
export async function lookAtRunner(
  root: string,
  around: Surroundings,
  reading = new QueueReading(root),
): Promise<RunnerSight> {
  const paths = runnerPaths(root);
  const { requests, holder, journaled } = await atOneMoment(root, around, reading);
  const asked = requests.map(({ request }) => request);
  const holds = asked.findLast(({ type }) => type === 'hold' || type === 'release');
  const held = holds === undefined ? journaled.held : holds.type === 'hold';
  const now = holder === null ? withoutRunner(journaled.queue) : journaled.queue;
  const queue = withRequests(now, asked.filter(isQueueRequest));
  const live = holder === null ? null : await readLive(paths.live);
  return { holder, queue, held, closed: journaled.closed, live, asked };
}

/** Readings of an inbox, journal and lease that keep changing. */
const readings = 4;

/**
 * Three files that the runner changes one after the other: read again while the inbox or the lease is another one after
 * the journal than before. A request in the inbox and in the journal would count twice; a runner that ended between
 * would seem to have died.
 */
async function atOneMoment(root: string, around: Surroundings, reading: QueueReading) {
  const inbox = runnerInbox(root, around);
  const { lease } = runnerPaths(root);
  const look = async () => ({ requests: await inbox.waiting(), holder: await liveHolder(lease, around.clock) });
  const mark = ({ requests, holder }: Awaited<ReturnType<typeof look>>): string =>
    [holder?.nonce ?? '', ...requests.map(({ id }) => id)].join(' ');
  let before = await look();
  for (let left = readings; ; left--) {
    const journaled = await reading.now();
    const after = left > 1 ? await look() : before;
    if (mark(before) === mark(after)) return { ...before, journaled };
    before = after;
  }
}

async function readLive(path: string): Promise<Live | null> {
  try {
    return liveSchema.safeParse(parseOrUndefined(await readFile(path, 'utf8'))).data ?? null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}
