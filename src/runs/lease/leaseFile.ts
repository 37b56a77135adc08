/** The content of the lease file, and whether its writer is alive. */
import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import type { Clock } from '../../engine/ports.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { codeOf } from '../../shared/systemError.ts';
import { readError } from '../files/fileErrors.ts';
import { hasJustWoken } from './justWoken.ts';
import { lookUp } from './processPlace.ts';

/** How often a live writer says so. */
export const heartbeatMs = 5_000;
/** A writer that cannot be looked up from here, and was silent for this long, counts as dead once a watch confirmed it. */
export const silenceMs = 60_000;
/**
 * So long may work block a live writer, which then beats no heart. Beyond it the lease may be the copy of another one, in
 * a copied folder, or another program may have the writer's process id: a watch decides.
 */
export const blockedMs = 10 * 60_000;

export const leaseSchema = z.object({
  v: z.literal(1),
  host: z.string(),
  pid: z.int(),
  /** Where the process lives and when it began (`ProcessPlace`); leases of earlier releases do not say where. */
  born: z.string().nullable(),
  boot: z.string().nullable().default(null),
  space: z.string().nullable().default(null),
  /** Unique to this taking of the lease. */
  nonce: z.string(),
  /** Milliseconds since the epoch, by the writer's clock: another host's may be wrong. */
  heartbeat: z.number(),
});
/** The current writer of a run. */
export type LeaseHolder = z.infer<typeof leaseSchema>;

/**
 * The file is padded to this length: a full disk can then take the words that say so into the space that shortening
 * the lease gives back.
 */
const paddedBytes = 8192;

export const renderHolder = (holder: LeaseHolder): string => `${JSON.stringify(holder)}\n`.padEnd(paddedBytes, ' ');

/**
 * - `unclear`: it is being written at this moment, or was when its writer died.
 * - `live`: it beat a moment ago or, where its process lives, some minutes ago. `dead`: its process has ended.
 * - `silent`: the heartbeat is older than that by our clock, or far in the future.
 */
export type FoundLease =
  | { state: 'none' }
  | { state: 'unclear'; text: string }
  | { state: 'live' | 'dead' | 'silent'; holder: LeaseHolder };

export async function examineLease(path: string, clock: Clock): Promise<FoundLease> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return { state: 'none' };
    throw readError(error, path);
  }
  const parsed = leaseSchema.safeParse(parseOrUndefined(text));
  if (!parsed.success) return { state: 'unclear', text };
  const holder = parsed.data;
  const process = lookUp(holder);
  if (process === 'gone') return { state: 'dead', holder };
  const patience = process === 'alive' ? blockedMs : silenceMs;
  return { state: Math.abs(clock.now() - holder.heartbeat) < patience ? 'live' : 'silent', holder };
}

/** The current writer by this lease file, as far as clocks can be trusted; null when there is none. */
export async function liveHolder(path: string, clock: Clock): Promise<LeaseHolder | null> {
  const woken = hasJustWoken();
  const found = await examineLease(path, clock);
  if (found.state === 'live') return found.holder;
  // For a moment the heartbeats of this machine's processes are as old as its sleep was long.
  return found.state === 'silent' && woken && lookUp(found.holder) === 'alive' ? found.holder : null;
}

/** Describes the writer in words. */
export function describeHolder(holder: LeaseHolder): string {
  const { pid, host } = holder;
  const place = lookUp(holder);
  const at = new Date(holder.heartbeat).toISOString();
  if (place === 'alive') return l10n.t('process {0} on this machine, last heard of at {1}', pid, at);
  return host === hostname() && place === 'elsewhere'
    ? l10n.t('process {0} on {1} (another container or boot), last heard of at {2}', pid, host, at)
    : l10n.t('process {0} on {1}, last heard of at {2}', pid, host, at);
}
