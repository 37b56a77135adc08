/** `genenv queue --json` of a workspace, and waits for what it will say. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { lookAtRunner } from '../../src/features/runner/node/runnerFiles.ts';
import type { Workspace } from './genenv.ts';

const listSchema = z.object({
  runner: z.object({ pid: z.int() }).nullable(),
  queue: z.array(z.object({ run: z.string(), name: z.string(), state: z.string(), why: z.string() })),
});
export type QueueList = z.infer<typeof listSchema>;

export const listOf = async (workspace: Workspace): Promise<QueueList> =>
  listSchema.parse(JSON.parse((await workspace.genenv('queue', '--json')).out));

const around = { clock: { now: () => Date.now() }, log: { info: () => undefined, warn: () => undefined } };

/** Looks in this process, for the hundredth part of what a process costs; what it returns, the command line says. */
export async function untilListed(workspace: Workspace, fits: (list: QueueList) => boolean): Promise<QueueList> {
  for (;;) {
    const { holder: runner, queue } = await lookAtRunner(workspace.runs, around);
    if (fits({ runner, queue: [...queue] })) {
      const told = await listOf(workspace);
      if (fits(told)) return told;
    }
    await sleep(50);
  }
}
