import { CaseError, OptionError, type OfflineScorer } from '../../benchmarks/offline/offlineScorer.ts';
import { verdictLines, type Unscored } from '../../benchmarks/offline/verdictLines.ts';
import { exportFile } from '../../runs/export/exportFile.ts';
import { writeLines } from '../../runs/export/writeLines.ts';
import { nearest } from '../../shared/experiment/nearest.ts';
import { codeOf } from '../../shared/systemError.ts';
import type { Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { stopAtInterrupt } from '../interrupts.ts';
import { outFile } from '../outFile.ts';
import { benchmarks } from '../score/benchmarks.ts';
import { inputLines } from '../score/inputLines.ts';
import { UsageError } from '../usageError.ts';

/** `genenv score BENCHMARK`: a verdict a line for every case a line. */
export async function score(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given } = context;
  const scorer = await openScorer(context);
  const input = given.text('in') ?? '-';
  const out = given.text('out') ?? '-';
  const file = out === '-' ? null : await outFile(terminal.cwd, out);
  let worst: ExitCode = exitCode.done;
  const tell = (unscored: Unscored): void => {
    const wrong = unscored.error instanceof CaseError;
    if (worst !== exitCode.failed) worst = wrong ? exitCode.badInput : exitCode.failed;
    terminal.err.write(troubleText(input, unscored, terminal.err.style.bad('error')));
  };
  // It may be waiting for a line that nobody types.
  const interrupts = stopAtInterrupt(terminal, () => process.stdin.destroy());
  const lines = stoppable(verdictLines(inputLines(terminal.cwd, input), scorer, tell), interrupts.signal);
  try {
    if (file === null) await writeToPipe(lines);
    else await exportFile(file, (stream) => writeLines(lines, stream));
    return worst;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    terminal.err.write(file === null ? 'Interrupted.\n' : 'Interrupted: nothing was written.\n');
    return exitCode.paused;
  } finally {
    interrupts.dispose();
  }
}

/** @throws UsageError for a benchmark or option that is not there */
async function openScorer({ arguments: given, dist }: Context): Promise<OfflineScorer> {
  const names = Object.keys(benchmarks);
  const benchmark = Object.hasOwn(benchmarks, given.target) ? benchmarks[given.target] : undefined;
  if (benchmark === undefined) {
    const near = nearest(given.target, names);
    throw new UsageError(
      `There is no benchmark "${given.target}".`,
      near === null ? `There are ${names.join(', ')}.` : `Did you mean ${near}?`,
    );
  }
  const foreign = names
    .flatMap((name) => benchmarks[name]?.options ?? [])
    .filter((o) => !benchmark.options.includes(o));
  for (const option of foreign) {
    if (given.has(option)) {
      const owners = names.filter((name) => benchmarks[name]?.options.includes(option));
      throw new UsageError(`--${option} is nothing that ${given.target} knows.`, `It belongs to ${owners.join(', ')}.`);
    }
  }
  const open = await benchmark.load(dist);
  try {
    return await open(given);
  } catch (error) {
    if (error instanceof OptionError) throw new UsageError(error.message, error.remedy);
    if (!(error instanceof Error) || codeOf(error) === '') throw error;
    throw new UsageError(
      `What ${given.target} needs cannot be read: ${error.message}.`,
      'Give another file or folder.',
    );
  }
}

/** As compilers write it; a fault of ours with the stack that a report of it needs. */
function troubleText(input: string, { line, field, error }: Unscored, kind: string): string {
  const place = `${input === '-' ? '<stdin>' : input}:${line}`;
  const what = error instanceof CaseError ? error.message : `a fault of GenEnv: ${error.stack ?? error.message}`;
  return `${place}: ${kind}: ${field === '' ? '' : `${field}: `}${what}\n`;
}

async function* stoppable(lines: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const line of lines) {
    signal.throwIfAborted();
    yield line;
  }
}

/** A reader that has enough (`| head`) ends it, and that is no failure. */
async function writeToPipe(lines: AsyncIterable<string>): Promise<void> {
  try {
    await writeLines(lines, process.stdout);
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}
