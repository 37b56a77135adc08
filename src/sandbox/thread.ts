/** A thread for work on untrusted input, with a limit of memory and without our environment variables. */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { Waiting } from './protocol.ts';
import { SandboxError } from './sandboxError.ts';
import { messageOf } from '../shared/messageOf.ts';

export interface SandboxOptions<Answer> {
  /** Shown by tools that list threads. */
  name: string;
  /** The thread's script: a file, or its text. */
  script: URL | string;
  /** Of one job, in seconds. */
  seconds: number;
  /** Of the thread's heap, in MB. */
  memory: number;
  answer: z.ZodType<Answer>;
}
/** In MB. With more, one collection can carry so much over the limit that Node ends the process instead of the thread. */
const young = 16;

/** @throws SandboxError `crashed` where the script is missing: a caller would otherwise wait for ever */
export function startThread(
  { name, script, memory }: Omit<SandboxOptions<unknown>, 'answer'>,
  waiting: Waiting | null,
): Worker {
  if (typeof script !== 'string' && !existsSync(script)) {
    throw new SandboxError('crashed', l10n.t('its program is missing: {0}', script.pathname));
  }
  const worker = new Worker(script, {
    name,
    eval: typeof script === 'string',
    // Inherited flags (a debugger's, a test runner's loaders) are none of its business, nor are keys.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: young },
    workerData: waiting,
    transferList: waiting === null ? [] : [waiting.port],
  });
  worker.unref();
  return worker;
}

/** Of a thread that ended by itself. */
export function fault(cause: unknown, { memory }: Pick<SandboxOptions<unknown>, 'memory'>): SandboxError {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : '';
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new SandboxError('too-large', l10n.t('it takes more than {0} MB of memory', memory), { cause })
    : new SandboxError('crashed', messageOf(cause), { cause });
}
