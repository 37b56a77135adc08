import { InputError } from '../../launch/inputError.ts';
import { experimentAt } from '../../runs/experimentNow.ts';
import { overrideExperiment } from '../../shared/experiment/parse.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { writeJson, type Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { problemLines } from '../failure.ts';
import { UsageError } from '../usageError.ts';
import { watchRun } from '../watchRun.ts';

/** What the shared epochs were made with: a branch that said otherwise would lie about them. */
const inherited = ['version', 'preset', 'domain', 'endpoints'];

/** `genenv branch RUN --epoch N`. */
export async function branch(context: Context): Promise<ExitCode> {
  const { store, terminal, arguments: given, call } = context;
  const epoch = given.count('epoch');
  if (epoch === null) throw new UsageError('"genenv branch" needs --epoch N.', 'N is the last epoch to share.');
  const parent = await store.openReader(given.target);
  const { id: parentId } = parent.manifest;
  const before = await experimentAt(parent.manifest, parent.events(), epoch);
  await parent.close();
  const { experiment, warnings } = changed(before, given.all('set'), epoch);
  for (const line of problemLines(warnings, terminal.err.style)) terminal.err.write(`${line}\n`);
  const writer = await store.branch(parentId, epoch, experiment);
  const { id } = writer.manifest;
  await writer.close();
  if (given.has('run')) return watchRun(context, { resume: id }, experiment);
  if (given.has('json')) writeJson(terminal, { id, parent: { run: parentId, epoch } });
  else terminal.out.write(`Made ${id} from ${parentId}, epoch ${epoch}. Run it with: ${call(`resume ${id}`)}\n`);
  return exitCode.done;
}

function changed(before: Experiment, overrides: readonly string[], epoch: number) {
  const fixed = overrides.find((text) => inherited.includes(text.split(/[.=]/)[0]?.trim() ?? ''));
  if (fixed !== undefined) {
    throw new UsageError(
      `--set ${fixed} cannot be changed in a branch: its first epochs were made with what the parent has.`,
      'Start a new run instead.',
    );
  }
  const parsed = overrideExperiment(before, overrides);
  if ('problems' in parsed) throw new InputError(parsed.problems);
  if (parsed.experiment.epochs <= epoch) {
    throw new UsageError(
      `A branch at epoch ${epoch} has nothing left to run: epochs is ${parsed.experiment.epochs}.`,
      `Branch earlier, or give --set epochs=${epoch + 10}.`,
    );
  }
  return parsed;
}
