import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock, Log } from '../engine/ports.ts';
import { codeOf } from '../shared/systemError.ts';
import { writeError } from './fileErrors.ts';
import type { FileOperations } from './fileOperations.ts';
import {
  bornNow,
  describeHolder,
  examineLease,
  heartbeatMs,
  renderHolder,
  silenceMs,
  type LeaseHolder,
} from './leaseFile.ts';
import { RunError } from './runError.ts';

/** What a lease needs of the world. */
interface LeaseContext {
  clock: Clock;
  log: Log;
  files: FileOperations;
}

/** The right to write a run, held by one process at a time and kept alive by a heartbeat. */
export class Lease {
  readonly #path: string;
  readonly #context: LeaseContext;
  readonly #timer: NodeJS.Timeout;
  #holder: LeaseHolder;
  #lost: RunError | null = null;
  #beating: Promise<void> = Promise.resolve();

  private constructor(path: string, context: LeaseContext, holder: LeaseHolder) {
    this.#path = path;
    this.#context = context;
    this.#holder = holder;
    this.#timer = setInterval(() => {
      this.#beating = this.#beat();
    }, heartbeatMs);
    this.#timer.unref();
  }

  /** @throws RunError `in-use` when a live process holds it, `disk-full`, `unwritable` */
  static async take(path: string, context: LeaseContext): Promise<Lease> {
    return new Lease(path, context, await seize(path, context));
  }

  /**
   * Must be asked before each write.
   * @throws RunError `in-use` when this process was silent for so long that another host may have taken over, and has
   */
  async confirm(): Promise<void> {
    if (this.#lost === null && this.#context.clock.now() - this.#holder.heartbeat >= silenceMs) await this.#beat();
    if (this.#lost !== null) throw this.#lost;
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
    const found = await examineLease(this.#path, this.#context.clock);
    if (found.state !== 'live' || found.holder.nonce !== this.#holder.nonce) return;
    try {
      await this.#context.files.remove(this.#path);
    } catch (error) {
      throw writeError(error, this.#path);
    }
  }

  /** Never throws: a heartbeat that cannot be written is told, and the next append meets the same disk and says so. */
  async #beat(): Promise<void> {
    const { clock, files, log } = this.#context;
    try {
      const found = await examineLease(this.#path, clock);
      if (found.state === 'unclear') return;
      if (found.state === 'none' || found.holder.nonce !== this.#holder.nonce) {
        clearInterval(this.#timer);
        this.#lost = inUse(this.#path, found.state === 'none' ? null : found.holder);
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
      holder === null ? 'the lease of this run was removed' : `this run is being written by ${describeHolder(holder)}`,
    remedy: 'Wait for it or stop it there; a writer that died is noticed and replaced by itself.',
  });
}

async function seize(path: string, context: LeaseContext): Promise<LeaseHolder> {
  const { files, clock } = context;
  const mine = (): LeaseHolder => ({
    v: 1,
    host: hostname(),
    pid: process.pid,
    born: bornNow(),
    nonce: randomUUID(),
    heartbeat: clock.now(),
  });
  for (;;) {
    const holder = mine();
    try {
      await files.createExclusive(path, renderHolder(holder));
      return holder;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw writeError(error, path);
    }
    const found = await examineLease(path, clock);
    if (found.state === 'none') continue;
    if (found.state === 'unclear') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    if (found.state === 'live') throw inUse(path, found.holder);
    const taken = await replaceDead(path, context, found.holder, mine());
    if (taken !== null) return taken;
  }
}

/**
 * Two processes may find the same dead lease. The right to replace it is itself a lease, named after the dead one's
 * nonce; whoever gets it looks again, because the other may already have been and gone.
 */
async function replaceDead(
  path: string,
  context: LeaseContext,
  dead: LeaseHolder,
  mine: LeaseHolder,
): Promise<LeaseHolder | null> {
  const { files, clock } = context;
  const guard = `${path}-after-${dead.nonce.slice(0, 8)}`;
  await seize(guard, context);
  try {
    const again = await examineLease(path, clock);
    if (again.state !== 'dead' || again.holder.nonce !== dead.nonce) return null;
    await files.replace(path, renderHolder(mine));
    return mine;
  } catch (error) {
    throw writeError(error, path);
  } finally {
    await files.remove(guard);
  }
}
