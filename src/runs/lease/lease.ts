import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as machineSleep } from 'node:timers/promises';
import type { Clock, Log } from '../../engine/ports.ts';
import { codeOf } from '../../shared/systemError.ts';
import { writeError } from '../files/fileErrors.ts';
import { namesIn } from '../files/namesIn.ts';
import type { FileOperations } from '../files/fileOperations.ts';
import {
  describeHolder,
  examineLease,
  heartbeatMs,
  renderHolder,
  silenceMs,
  type FoundLease,
  type LeaseHolder,
} from './leaseFile.ts';
import { placeNow } from './processPlace.ts';
import { RunError } from '../store/runError.ts';

/** Size limit of a holder in the padded file, in bytes. */
const holderBytes = 1024;

/** The lease's access to clock, process and log. */
export interface LeaseContext {
  clock: Clock;
  log: Log;
  files: FileOperations;
  /** Resolves after so many milliseconds, independent of the clock; the machine's timer when absent. */
  sleep?: ((milliseconds: number) => Promise<void>) | undefined;
}

/**
 * The right to write a run, held by one process at a time and kept alive by a heartbeat. A holder on this host is
 * replaced once its process has ended; any other, and one that lives without a heartbeat, only after an observed
 * silence, since clocks of two hosts may differ by hours, and machines sleep. A replaced holder finds out by `confirm`, which precedes every write.
 */
export class Lease {
  #path: string;
  readonly #context: LeaseContext;
  readonly #timer: NodeJS.Timeout;
  #holder: LeaseHolder;
  #lost: RunError | null = null;
  /** Heartbeats and moves, one after another. */
  #beating: Promise<void> = Promise.resolve();
  #busy = false;

  private constructor(path: string, context: LeaseContext, holder: LeaseHolder) {
    this.#path = path;
    this.#context = context;
    this.#holder = holder;
    this.#timer = setInterval(() => {
      if (!this.#busy) this.#beatNext();
    }, heartbeatMs);
    this.#timer.unref();
  }

  /** @throws RunError `in-use` when a live process holds it, `disk-full`, `unwritable` */
  static async take(path: string, context: LeaseContext): Promise<Lease> {
    return new Lease(path, context, await seize(path, context));
  }

  /**
   * Must be asked before each write.
   * @throws RunError `in-use` when another process has the lease, `unwritable` when it cannot be read
   */
  async confirm(): Promise<void> {
    // After a long sleep another host may be about to take over: beat first, to show that this one is alive.
    if (Math.abs(this.#context.clock.now() - this.#holder.heartbeat) >= 2 * heartbeatMs && !this.#busy)
      this.#beatNext();
    await this.#beating;
    if (this.#lost === null && !(await this.#isOwn())) await this.#lose();
    if (this.#lost !== null) throw this.#lost;
  }

  /** Its folder gets another name by `rename`, which says whether it did. */
  async move(path: string, rename: () => Promise<boolean>): Promise<boolean> {
    const moving = this.#beating.then(async () => {
      const moved = await rename();
      if (moved) this.#path = path;
      return moved;
    });
    this.#beating = moving.then(
      () => undefined,
      () => undefined,
    );
    return moving;
  }

  /** Gives its padding back to a full disk. */
  async shrink(): Promise<void> {
    const file = await this.#context.files.openForWriting(this.#path);
    try {
      await file.truncate(Buffer.byteLength(renderHolder(this.#holder).trimEnd()));
    } finally {
      await file.close();
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    const path = (await this.#isOwn()) ? this.#path : await this.#moved();
    if (path === null) return;
    try {
      await this.#context.files.remove(path);
    } catch (error) {
      throw writeError(error, path);
    }
  }

  /** Its file where the folder around it was renamed; null where there is none beside the old name. */
  async #moved(): Promise<string | null> {
    const folder = dirname(this.#path);
    const around = dirname(folder);
    const names = await namesIn(around);
    if (names.includes(basename(folder))) return null;
    for (const name of names) {
      const path = join(around, name, basename(this.#path));
      if (await this.#isOwn(path)) return path;
    }
    return null;
  }

  #beatNext(): void {
    this.#busy = true;
    this.#beating = this.#beating.then(async () => {
      await this.#beat();
      this.#busy = false;
    });
  }

  /** @throws RunError `unwritable` */
  async #isOwn(path = this.#path): Promise<boolean> {
    try {
      // Opened anew: a network file system then asks its server instead of its cache.
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(holderBytes), 0, holderBytes, 0);
        return buffer.toString('latin1', 0, bytesRead).includes(this.#holder.nonce);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
      throw writeError(error, path);
    }
  }

  async #lose(): Promise<void> {
    clearInterval(this.#timer);
    const found = await examineLease(this.#path, this.#context.clock);
    this.#lost = inUse(this.#path, 'holder' in found ? found.holder : null);
  }

  /** Never throws: a failed heartbeat is logged, and the next append reports the same disk error. */
  async #beat(): Promise<void> {
    const { clock, files, log } = this.#context;
    try {
      if (!(await this.#isOwn())) {
        await this.#lose();
        return;
      }
      const holder = { ...this.#holder, heartbeat: clock.now() };
      const file = await files.openForWriting(this.#path);
      try {
        await file.write(Buffer.from(renderHolder(holder)), 0);
      } finally {
        await file.close();
      }
      this.#holder = holder;
    } catch (error) {
      log.warn(`No heartbeat: ${writeError(error, this.#path).message}`);
    }
  }
}

function inUse(path: string, holder: LeaseHolder | null): RunError {
  return new RunError('in-use', {
    path,
    what:
      holder === null
        ? l10n.t('the lease of this run was removed')
        : l10n.t('this run is being written by {0}', describeHolder(holder)),
    remedy: l10n.t('Wait for it or stop it there; a writer that died is noticed and replaced by itself.'),
  });
}

/** An unreadable lease has no holder if it stays unchanged. */
const nobody: LeaseHolder = {
  ...{ v: 1, host: '', pid: 0, born: null, boot: null, space: null },
  ...{ nonce: 'unreadable', heartbeat: 0 },
};

const mine = (clock: Clock): LeaseHolder => ({
  ...{ v: 1, host: hostname(), ...placeNow() },
  ...{ nonce: randomUUID(), heartbeat: clock.now() },
});

async function seize(path: string, context: LeaseContext): Promise<LeaseHolder> {
  const { files, clock } = context;
  for (;;) {
    const holder = mine(clock);
    try {
      await files.createExclusive(path, renderHolder(holder));
      return holder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw writeError(error, path);
    }
    const found = await examineLease(path, clock);
    if (found.state === 'none') continue;
    if (found.state === 'live') throw inUse(path, found.holder);
    const still = found.state === 'dead' || (await staysAsItIs(path, found, context));
    // An unreadable lease may have a holder by now.
    if (!still && found.state === 'silent') throw inUse(path, found.holder);
    const taken = still ? await replaceDead(path, context, found) : null;
    if (taken !== null) return taken;
  }
}

/** How often a lease that is being watched is looked at. */
const glanceMs = 50;

/** Whether the file stays unchanged for a while. */
async function staysAsItIs(
  path: string,
  found: FoundLease,
  { clock, sleep = machineSleep }: LeaseContext,
): Promise<boolean> {
  for (let watched = 0; watched < watchOf(found, clock.now()); watched += glanceMs) {
    await sleep(glanceMs);
    if (!isSame(found, await examineLease(path, clock))) return false;
  }
  return true;
}

/** Milliseconds: a moment for one that is being written, a few heartbeats after a silence, the silence where clocks differ. */
function watchOf(found: FoundLease, now: number): number {
  if (found.state !== 'silent') return heartbeatMs;
  return found.holder.heartbeat > now ? silenceMs : 2.5 * heartbeatMs;
}

function isSame(a: FoundLease, b: FoundLease): boolean {
  if ('holder' in a && 'holder' in b) {
    return a.holder.nonce === b.holder.nonce && a.holder.heartbeat === b.holder.heartbeat;
  }
  return a.state === 'unclear' && b.state === 'unclear' && a.text === b.text;
}

/** A write that its old holder had confirmed before it was replaced has landed by then. */
const settleMs = 1_000;

/**
 * Two processes may find the same dead lease. The right to replace it is itself a lease, named after the dead one's
 * nonce; its winner reads the lease again, because the other process may already have replaced it.
 */
async function replaceDead(path: string, context: LeaseContext, dead: FoundLease): Promise<LeaseHolder | null> {
  const { files, clock, sleep = machineSleep } = context;
  const { nonce } = 'holder' in dead ? dead.holder : nobody;
  const guard = `${path}-after-${nonce.slice(0, 8)}`;
  await seize(guard, context);
  try {
    if (!isSame(dead, await examineLease(path, clock))) return null;
    const holder = mine(clock);
    await files.replace(path, renderHolder(holder));
    if (dead.state === 'silent') await sleep(settleMs);
    return holder;
  } catch (error) {
    throw writeError(error, path);
  } finally {
    await files.remove(guard);
  }
}
