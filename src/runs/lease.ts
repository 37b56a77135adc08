import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Clock } from '../engine/ports.ts';
import { codeOf, readError, writeError } from './fileErrors.ts';
import type { FileOperations } from './fileOperations.ts';
import { RunError } from './runError.ts';

/** How often a live writer says so. */
export const heartbeatMs = 5_000;
/** A writer on another host that was silent for this long is dead. Clocks of the hosts must agree better than this. */
export const silenceMs = 60_000;

const leaseSchema = z.object({
  v: z.literal(1),
  host: z.string(),
  pid: z.int(),
  /** When the process started, as its host counts; tells a reused pid from the writer. Null where it cannot be had. */
  born: z.string().nullable(),
  /** Unique to this taking of the lease. */
  nonce: z.string(),
  /** Milliseconds since the epoch. */
  heartbeat: z.number(),
});
/** Who writes a run now. */
export type LeaseHolder = z.infer<typeof leaseSchema>;

/**
 * The file is padded to this length: a full disk can then take the words that say so into the space that shortening
 * the lease gives back.
 */
const paddedBytes = 8192;

const render = (holder: LeaseHolder): string => `${JSON.stringify(holder)}\n`.padEnd(paddedBytes, ' ');

/** Field 22 of /proc/PID/stat with the boot it counts from; null where there is none. */
function bornOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const ticks = fields[19];
    return ticks === undefined ? null : `${boot}/${ticks}`;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR', 'ESRCH'].includes(codeOf(error))) return null;
    throw error;
  }
}

function isAlive(holder: LeaseHolder, now: number): boolean {
  if (holder.host !== hostname()) return now - holder.heartbeat < silenceMs;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is there, but someone else's.
    if (codeOf(error) !== 'EPERM') return false;
  }
  const born = bornOf(holder.pid);
  return holder.born === null || born === null || holder.born === born;
}

/** `unclear` is a lease that is being written at this moment, or was when its writer died. */
type Found = { state: 'none' } | { state: 'unclear' } | { state: 'live' | 'dead'; holder: LeaseHolder };

async function examine(path: string, clock: Clock): Promise<Found> {
  let text: string;
  let changed: number;
  try {
    text = await readFile(path, 'utf8');
    changed = (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return { state: 'none' };
    throw readError(error, path);
  }
  const parsed = leaseSchema.safeParse(attempt(text));
  if (parsed.success) return { state: isAlive(parsed.data, clock.now()) ? 'live' : 'dead', holder: parsed.data };
  const nobody = { v: 1, host: '', pid: 0, born: null, nonce: 'unreadable', heartbeat: changed } as const;
  return Date.now() - changed < heartbeatMs ? { state: 'unclear' } : { state: 'dead', holder: nobody };
}

function attempt(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Who writes the run of this lease file now; null when nobody does. */
export async function liveHolder(path: string, clock: Clock): Promise<LeaseHolder | null> {
  const found = await examine(path, clock);
  return found.state === 'live' ? found.holder : null;
}

/** Says who writes. */
export function describeHolder(holder: LeaseHolder): string {
  const where = holder.host === hostname() ? 'on this machine' : `on ${holder.host}`;
  return `process ${holder.pid} ${where}, last heard of at ${new Date(holder.heartbeat).toISOString()}`;
}

/** The right to write a run, held by one process at a time and kept alive by a heartbeat. */
export class Lease {
  readonly #path: string;
  readonly #files: FileOperations;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #holder: LeaseHolder;
  #lost: RunError | null = null;
  #beating: Promise<void> = Promise.resolve();

  private constructor(path: string, files: FileOperations, clock: Clock, holder: LeaseHolder) {
    this.#path = path;
    this.#files = files;
    this.#clock = clock;
    this.#holder = holder;
    this.#timer = setInterval(() => {
      this.#beating = this.#beat();
    }, heartbeatMs);
    this.#timer.unref();
  }

  /** @throws RunError `in-use` when a live process holds it, `disk-full`, `unwritable` */
  static async take(path: string, files: FileOperations, clock: Clock): Promise<Lease> {
    return new Lease(path, files, clock, await seize(path, files, clock));
  }

  /**
   * Must be asked before each write.
   * @throws RunError `in-use` when this process was silent for so long that another host may have taken over, and has
   */
  async confirm(): Promise<void> {
    if (this.#lost === null && this.#clock.now() - this.#holder.heartbeat >= silenceMs) await this.#beat();
    if (this.#lost !== null) throw this.#lost;
  }

  /** Gives its padding back to a full disk. */
  async shrink(): Promise<void> {
    const file = await this.#files.openForWriting(this.#path);
    try {
      await file.truncate(Buffer.byteLength(render(this.#holder).trimEnd()));
    } finally {
      await file.close();
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const found = await examine(this.#path, this.#clock);
    if (found.state !== 'live' || found.holder.nonce !== this.#holder.nonce) return;
    try {
      await this.#files.remove(this.#path);
    } catch (error) {
      throw writeError(error, this.#path);
    }
  }

  /** A heartbeat that cannot be written is no reason to stop: the next write will meet the same disk and say so. */
  async #beat(): Promise<void> {
    const found = await examine(this.#path, this.#clock);
    if (found.state === 'unclear') return;
    if (found.state === 'none' || found.holder.nonce !== this.#holder.nonce) {
      clearInterval(this.#timer);
      this.#lost = inUse(this.#path, found.state === 'none' ? null : found.holder);
      return;
    }
    const holder = { ...this.#holder, heartbeat: this.#clock.now() };
    try {
      const file = await this.#files.openForWriting(this.#path);
      try {
        await file.write(Buffer.from(render(holder)), 0);
      } finally {
        await file.close();
      }
      this.#holder = holder;
    } catch (error) {
      writeError(error, this.#path);
    }
  }
}

function inUse(path: string, holder: LeaseHolder | null): RunError {
  return new RunError('in-use', {
    path,
    what:
      holder === null ? 'the lease of this run was removed' : `this run is being written by ${describeHolder(holder)}`,
    remedy: 'Wait for it or stop it there; a writer that died is noticed and replaced by itself.',
  });
}

async function seize(path: string, files: FileOperations, clock: Clock): Promise<LeaseHolder> {
  const mine = (): LeaseHolder => ({
    v: 1,
    host: hostname(),
    pid: process.pid,
    born: bornOf(process.pid),
    nonce: randomUUID(),
    heartbeat: clock.now(),
  });
  for (;;) {
    const holder = mine();
    try {
      await files.createExclusive(path, render(holder));
      return holder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw writeError(error, path);
    }
    const found = await examine(path, clock);
    if (found.state === 'none') continue;
    if (found.state === 'unclear') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    if (found.state === 'live') throw inUse(path, found.holder);
    const taken = await replaceDead(path, files, clock, found.holder, mine());
    if (taken !== null) return taken;
  }
}

/**
 * Two processes may find the same dead lease. The right to replace it is itself a lease, named after the dead one's
 * nonce; whoever gets it looks again, because the other may already have been and gone.
 */
async function replaceDead(
  path: string,
  files: FileOperations,
  clock: Clock,
  dead: LeaseHolder,
  mine: LeaseHolder,
): Promise<LeaseHolder | null> {
  const guard = `${path}-after-${dead.nonce.slice(0, 8)}`;
  await seize(guard, files, clock);
  try {
    const again = await examine(path, clock);
    if (again.state !== 'dead' || again.holder.nonce !== dead.nonce) return null;
    await files.replace(path, render(mine));
    return mine;
  } catch (error) {
    throw writeError(error, path);
  } finally {
    await files.remove(guard);
  }
}
