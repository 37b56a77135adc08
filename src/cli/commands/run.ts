import type { Context } from '../context.ts';
import type { ExitCode } from '../exitCode.ts';
import { writeLines } from '../terminal.ts';
import { problemLines } from '../failure.ts';
import { readExperiment } from '../readExperiment.ts';
import { watchRun } from '../watchRun.ts';

/** `genenv run FILE`. */
export async function run(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given } = context;
  const read = await readExperiment(terminal.cwd, given.target, given.all('set'));
  writeLines(terminal.err, problemLines(read.warnings));
  const { experiment, directory, path } = read;
  return read.named(() => watchRun(context, { experiment, directory, file: path }, experiment));
}
