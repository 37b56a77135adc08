import { writeReport } from '../node/writeReport.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { outFile } from '../../../cli/outFile.ts';

/** `genenv report RUN`. */
export async function report({ store, terminal, dist, arguments: given }: Context): Promise<ExitCode> {
  const reader = await store.openReader(given.target);
  try {
    const out = given.text('out');
    const path = await writeReport(reader, {
      dist,
      ...(out !== null && { out: outFile(terminal.cwd, out, []) }),
    });
    if (given.has('json')) writeJson(terminal, { id: reader.id, report: path });
    else terminal.out.write(`${path}\n`);
    return exitCode.done;
  } finally {
    await reader.close();
  }
}
