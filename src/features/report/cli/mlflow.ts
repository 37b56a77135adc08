import { dirname, join, resolve } from 'node:path';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { writeMlflow } from '../node/writeMlflow.ts';

/** `genenv mlflow RUN`. */
export async function mlflow({ store, terminal, arguments: given }: Context): Promise<ExitCode> {
  const reader = await store.openReader(given.target);
  try {
    const out = given.text('out');
    const folder = out === null ? join(dirname(dirname(reader.dir)), 'mlruns') : resolve(terminal.cwd, out);
    const written = await writeMlflow(reader, (await reader.head()).name, folder);
    if (given.has('json')) writeJson(terminal, { id: reader.id, ...written });
    else
      terminal.out.write(
        `${plural(written.steps, 'step')} of ${plural(written.metrics, 'metric')} in ${written.folder}\n`,
      );
    return exitCode.done;
  } finally {
    await reader.close();
  }
}
