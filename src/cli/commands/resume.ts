import type { Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { writeJson } from '../context.ts';
import { watchRun } from '../watchRun.ts';

/** `genenv resume RUN`. */
export async function resume(context: Context): Promise<ExitCode> {
  const { store, terminal, arguments: given, call } = context;
  const reader = await store.openReader(given.target);
  const { id, experiment } = reader.manifest;
  const head = await reader.head();
  await reader.close();
  if (head.state === 'finished') {
    if (given.has('json')) writeJson(terminal, { id, state: head.state, ending: head.ending, epoch: head.epoch });
    else terminal.out.write(`${id} is finished already. See it with: ${call('show', id)}\n`);
    return head.ending === 'no-tasks' ? exitCode.failed : exitCode.done;
  }
  return watchRun(context, { resume: id }, experiment);
}
