/** Answers to proposals one at a time, in all processes: two would find the same file as it was, and both write it. */
import { join } from 'node:path';
import { setTimeout as machineSleep } from 'node:timers/promises';
import type { Clock } from '../../../engine/ports.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { Lease } from '../../../runs/lease/lease.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { InTurn } from '../../../shared/inTurn.ts';
import { AgentError } from '../core/agentError.ts';

/** An answer ends before a heartbeat of its lease, which is all that a lease logs. */
const log = { info: () => undefined, warn: () => undefined };

/** Milliseconds between two looks at the lease of another process, and looks at most: ten seconds. */
const [glance, looks] = [50, 200];

/** Also within this process, whatever the folder. */
const inTurn = new InTurn();

/** @param dir of the proposals @param asked called first: without a proposal there may be no folder @throws AgentError `refused` where another process does not end; RunError */
export function answerInTurn<T>(
  dir: string,
  clock: Clock,
  asked: () => Promise<unknown>,
  answer: () => Promise<T>,
  sleep: (milliseconds: number) => Promise<unknown> = machineSleep,
): Promise<T> {
  return inTurn.run(async () => {
    await asked();
    const lease = await taken(join(dir, 'lease'), clock, sleep);
    try {
      return await answer();
    } finally {
      await lease.release();
    }
  });
}

async function taken(path: string, clock: Clock, sleep: (milliseconds: number) => Promise<unknown>): Promise<Lease> {
  for (let look = 0; look < looks; look++) {
    try {
      return await Lease.take(path, { clock, log, files: nodeFiles });
    } catch (error) {
      if (!RunError.is(error) || error.reason !== 'in-use') throw error;
      await sleep(glance);
    }
  }
  throw new AgentError(
    'refused',
    'Another window is answering a proposal.',
    `Try again; if no other is open, remove ${path}.`,
  );
}
