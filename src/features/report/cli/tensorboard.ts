import { dirname, join, resolve } from 'node:path';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { writeEvents } from '../node/writeEvents.ts';

/** `genenv tensorboard RUN`. */
export async function tensorboard({ store, terminal, arguments: given }: Context): Promise<ExitCode> {
  const reader = await store.openReader(given.target);
  try {
    const out = given.text('out');
    const folder =
      out === null ? join(dirname(dirname(reader.dir)), 'tensorboard', reader.id) : resolve(terminal.cwd, out);
    const written = await writeEvents(reader, folder);
    if (given.has('json')) writeJson(terminal, { id: reader.id, ...written });
    else terminal.out.write(`${plural(written.steps, 'step')} in ${written.file}\n`);
    return exitCode.done;
  } finally {
    await reader.close();
  }
}
