/**
 * A process's place and start: enough to look up a process that another one recorded. A process id alone is meaningless
 * in another boot or another pid namespace (a container, a node of a cluster with the same host name).
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { codeOf } from '../../shared/systemError.ts';

export interface ProcessPlace {
  pid: number;
  /** The start of the process by its host's count, which detects a reused pid. Null where unavailable. */
  born: string | null;
  /** Of the system: its own id, or `up:` and the second at which it began. Null where it cannot be had. */
  boot: string | null;
  /** Pid namespace; systems that have none are one of their own name. Null where it cannot be had. */
  space: string | null;
}

/** Of this process. */
export function placeNow(): ProcessPlace {
  const { pid, platform } = process;
  if (platform !== 'linux') {
    return { pid, born: null, boot: `up:${Math.round(Date.now() / 1000 - uptime())}`, space: platform };
  }
  return {
    pid,
    born: startOf(pid)?.born ?? null,
    boot: bootId(),
    space: unlessMissing(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** `elsewhere`: it cannot be looked up from here. */
export function lookUp({ pid, born, boot, space }: ProcessPlace): 'alive' | 'gone' | 'elsewhere' {
  const here = placeNow();
  if (space === null || space !== here.space || !isSameBoot(boot, here.boot)) return 'elsewhere';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    if (codeOf(error) !== 'EPERM') return 'gone';
  }
  const found = startOf(pid);
  if (found === null) return 'alive';
  return found.ended || (born !== null && born !== found.born) ? 'gone' : 'alive';
}

/** Seconds by which two readings of one start may differ: clocks are corrected in small steps. */
const sameStart = 15;

function isSameBoot(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  const [one, other] = [a, b].map((boot) => /^up:(\d+)$/.exec(boot)?.[1]);
  if (one === undefined || other === undefined) return a === b;
  return Math.abs(Number(one) - Number(other)) <= sameStart;
}

const bootId = (): string | null => unlessMissing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());

/** The start of a process, and whether it has ended and is a zombie; null without /proc. */
function startOf(pid: number): { born: string; ended: boolean } | null {
  const stat = unlessMissing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // Fields 3 and 22 of proc(5); the second, the program's name, may itself hold spaces and parentheses.
  const fields = stat?.split(') ').pop()?.split(' ') ?? [];
  const [state = ''] = fields;
  const ticks = fields[19];
  return ticks === undefined ? null : { born: `${bootId() ?? ''}/${ticks}`, ended: state === 'Z' || state === 'X' };
}

function unlessMissing<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR', 'ESRCH'].includes(codeOf(error))) return null;
    throw error;
  }
}
