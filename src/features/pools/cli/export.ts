import { givenTasks } from '../../../launch/domains/openDomain.ts';
import { posingOf } from '../../../launch/domains/posing.ts';
import { exportPool, isParquet, manifestFileOf, streamPool, type PoolExport } from '../../../runs/export/exportPool.ts';
import { formatOf, type ExportChoice } from '../../../runs/export/formats.ts';
import { previewMarkdown, previewPool } from '../../../runs/export/preview.ts';
import { rescoredSource } from '../../../runs/export/rescoredSource.ts';
import { jsonTexts } from '../../../runs/export/writeJsonLines.ts';
import { inPieces } from '../../../runs/export/writeLines.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { exportChoice } from '../../../cli/exportChoice.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { Painter } from '../../../cli/live/painter.ts';
import { outFile } from '../../../cli/outFile.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** `genenv export RUN --pool NAME`. */
export async function exportCommand(context: Context): Promise<ExitCode> {
  const { store, terminal, arguments: given } = context;
  const choice = exportChoice(given);
  const out = given.text('out');
  checkOut(choice, out, context);
  const file = out === null ? null : outFile(terminal.cwd, out, []);
  const reader = await store.openReader(given.target);
  const interrupts = stopAtInterrupt(terminal);
  // No progress is drawn where the rows themselves are printed to the terminal.
  const silent = !terminal.err.isTTY || (file === null && !given.has('preview') && terminal.out.isTTY);
  const painter = silent ? null : new Painter(terminal.err);
  try {
    const options: PoolExport = {
      choice,
      source: reader,
      ...(newestVerdicts(choice, given) && (await rescoredSource(reader))),
      ...(choice.pool === 'agent'
        ? { given: await givenTasks(reader), posing: await posingOf(reader) }
        : { given: [] }),
      signal: interrupts.signal,
      told: (read) => painter?.draw([`${count(read)} records read`]),
    };
    const tell = await write(context, options, file);
    painter?.draw([]);
    tell();
    return exitCode.done;
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    terminal.err.write('Interrupted: nothing was written.\n');
    return exitCode.paused;
  } finally {
    painter?.finish();
    interrupts.dispose();
    await reader.close();
  }
}

/** @throws UsageError */
function newestVerdicts({ pool }: ExportChoice, given: Context['arguments']): boolean {
  const verdicts = given.text('verdicts') ?? 'recorded';
  if (verdicts === 'recorded') return false;
  if (verdicts !== 'rescored')
    throw new UsageError(`There are no verdicts "${verdicts}".`, 'Say recorded or rescored.');
  if (pool === 'agent') return true;
  throw new UsageError('--verdicts is for the agent pool.', 'The weights of the other are what the run trained with.');
}

/** @throws UsageError for options that exclude each other */
function checkOut(choice: ExportChoice, out: string | null, { arguments: given }: Context): void {
  if (given.has('preview')) {
    if (out !== null) throw new UsageError('--preview writes nothing.', 'Give --preview or --out.');
    return;
  }
  if (out === null && given.has('json')) {
    throw new UsageError('--json would mix with the lines on standard output.', 'Give --out FILE as well.');
  }
  if (out !== null && isParquet(out) && !formatOf(choice).parquet) {
    const why = `Rows of the format ${choice.format} have no columns, so they cannot be parquet.`;
    throw new UsageError(why, 'Give --out a name that ends in .jsonl.');
  }
}

/** @returns a function that reports the result on the terminal */
async function write(
  { terminal, arguments: given }: Context,
  options: PoolExport,
  file: string | null,
): Promise<() => void> {
  const { out, err } = terminal;
  const { pool, format } = options.choice;
  if (given.has('preview')) {
    const preview = await previewPool(options);
    return () => {
      if (given.has('json')) writeJson(terminal, { id: options.source.manifest.id, pool, format, ...preview });
      else out.write(previewMarkdown(options, preview));
    };
  }
  if (file === null) {
    await streamPool(options, (values) => out.writeJson(inPieces(jsonTexts(values))));
    return () => undefined;
  }
  const { run: id, rows, bytes, leftOut, warnings = [] } = await exportPool(file, options);
  return () => {
    if (given.has('json')) {
      const manifest = manifestFileOf(file);
      writeJson(terminal, { id, pool, format, file, lines: rows, bytes, leftOut, warnings, manifest });
      return;
    }
    out.write(`${plural(rows, 'line')} of the ${pool} pool in ${file}\n`);
    for (const { count: left, why } of leftOut) err.write(`${count(left)} left out: ${why}\n`);
    for (const { count: rowsOf, why } of warnings) err.write(`Warning, ${plural(rowsOf, 'row')}: ${why}\n`);
  };
}
