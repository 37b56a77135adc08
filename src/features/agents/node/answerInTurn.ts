/** Answers to proposals one at a time, in all processes: two would find the same file as it was, and both write it. */
import { join } from 'node:path';
import type { Clock } from '../../../engine/ports.ts';
import { heldInTurn } from '../../../runs/lease/heldInTurn.ts';
import { InTurn } from '../../../shared/inTurn.ts';
import { AgentError } from '../core/agentError.ts';

/** Also within this process, whatever the folder. */
const inTurn = new InTurn();

/** @param dir of the proposals @param asked called first: without a proposal there may be no folder @throws AgentError `refused` where another process does not end; RunError */
export function answerInTurn<T>(
  dir: string,
  clock: Clock,
  asked: () => Promise<unknown>,
  answer: () => Promise<T>,
  sleep?: (milliseconds: number) => Promise<unknown>,
): Promise<T> {
  return inTurn.run(async () => {
    await asked();
    const path = join(dir, 'lease');
    const refused = (): AgentError =>
      new AgentError(
        'refused',
        'Another window is answering a proposal.',
        `Try again; if no other is open, remove ${path}.`,
      );
    return heldInTurn(path, { clock, refused, sleep }, answer);
  });
}
