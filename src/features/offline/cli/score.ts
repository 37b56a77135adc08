import { resolve } from 'node:path';
import { OptionError, type OfflineScorer } from '../../../benchmarks/offline/offlineScorer.ts';
import { verdictLines, type Unscored } from '../../../benchmarks/offline/verdictLines.ts';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { outFile } from '../../../cli/outFile.ts';
import { benchmarks } from './benchmarks.ts';
import { inputLines } from './inputLines.ts';
import { Tally } from './tally.ts';
import { Troubles } from './troubles.ts';
import { textsOf, writeToFile } from './writeVerdicts.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** `genenv score BENCHMARK`: a verdict a line for every case a line. */
export async function score(context: Surroundings): Promise<ExitCode> {
  const { terminal, arguments: given } = context;
  const scorer = new Tally(await openScorer(context));
  const input = given.text('in') ?? '-';
  const out = given.text('out') ?? '-';
  const read = [input, given.text('game')].flatMap((path) =>
    path === null || path === '-' ? [] : [resolve(terminal.cwd, path)],
  );
  const file = out === '-' ? null : outFile(terminal.cwd, out, read);
  const troubles = new Troubles();
  const tell = (unscored: Unscored): void => troubles.add(unscored);
  // It may be waiting for a line that is never typed.
  const interrupts = stopAtInterrupt(terminal, () => process.stdin.destroy());
  const lines = stoppable(verdictLines(inputLines(terminal.cwd, input), scorer, tell), interrupts.signal);
  try {
    if (file === null) await terminal.out.writeJson(textsOf(lines));
    else await writeToFile(lines, file);
    return troubles.worst;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    terminal.err.write(file === null ? 'Interrupted.\n' : 'Interrupted: nothing was written.\n');
    return exitCode.paused;
  } finally {
    interrupts.dispose();
    // Accessing the stream loads the code of sockets.
    if (troubles.count > 0) {
      writeLines(terminal.err, troubles.texts(input));
      terminal.err.write(`${scorer.text(troubles.count)}\n`);
    }
  }
}

/** @throws UsageError for a benchmark or option that is not there */
async function openScorer({ arguments: given, dist }: Surroundings): Promise<OfflineScorer> {
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

async function* stoppable<T>(parts: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const part of parts) {
    signal.throwIfAborted();
    yield part;
  }
}
