/** What the lease file says, and whether whoever wrote it still lives. */
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import type { Clock } from '../engine/ports.ts';
import { parseOrUndefined } from '../shared/json.ts';
import { codeOf } from '../shared/systemError.ts';
import { readError } from './fileErrors.ts';

/** How often a live writer says so. */
export const heartbeatMs = 5_000;
/** A writer on another host that was silent for this long is dead. Clocks of the hosts must agree better than this. */
export const silenceMs = 60_000;

export const leaseSchema = z.object({
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

export const renderHolder = (holder: LeaseHolder): string => `${JSON.stringify(holder)}\n`.padEnd(paddedBytes, ' ');

/** When a process started, and whether it has ended and only waits to be collected; null where /proc does not tell. */
function processOf(pid: number): { born: string; ended: boolean } | null {
  try {
    // Fields 3 and 22 of proc(5); the second, the program's name, may itself hold spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const [state = ''] = fields;
    const ticks = fields[19];
    return ticks === undefined ? null : { born: `${boot}/${ticks}`, ended: state === 'Z' || state === 'X' };
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR', 'ESRCH'].includes(codeOf(error))) return null;
    throw error;
  }
}

/** When this process started, in a form that only it has. */
export const bornNow = (): string | null => processOf(process.pid)?.born ?? null;

function isAlive(holder: LeaseHolder, now: number): boolean {
  if (holder.host !== hostname()) return now - holder.heartbeat < silenceMs;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is there, but someone else's.
    if (codeOf(error) !== 'EPERM') return false;
  }
  const found = processOf(holder.pid);
  return found === null || (!found.ended && (holder.born === null || holder.born === found.born));
}

/** `unclear` is a lease that is being written at this moment, or was when its writer died. */
export type FoundLease = { state: 'none' } | { state: 'unclear' } | { state: 'live' | 'dead'; holder: LeaseHolder };

export async function examineLease(path: string, clock: Clock): Promise<FoundLease> {
  let text: string;
  let changed: number;
  try {
    text = await readFile(path, 'utf8');
    changed = (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return { state: 'none' };
    throw readError(error, path);
  }
  const parsed = leaseSchema.safeParse(parseOrUndefined(text));
  if (parsed.success) return { state: isAlive(parsed.data, clock.now()) ? 'live' : 'dead', holder: parsed.data };
  const nobody = { v: 1, host: '', pid: 0, born: null, nonce: 'unreadable', heartbeat: changed } as const;
  return Date.now() - changed < heartbeatMs ? { state: 'unclear' } : { state: 'dead', holder: nobody };
}

/** Who writes the run of this lease file now; null when nobody does. */
export async function liveHolder(path: string, clock: Clock): Promise<LeaseHolder | null> {
  const found = await examineLease(path, clock);
  return found.state === 'live' ? found.holder : null;
}

/** Says who writes. */
export function describeHolder(holder: LeaseHolder): string {
  const where = holder.host === hostname() ? 'on this machine' : `on ${holder.host}`;
  return `process ${holder.pid} ${where}, last heard of at ${new Date(holder.heartbeat).toISOString()}`;
}
