import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { branchRun } from '../../launch/branchRun.ts';
import { InputError } from '../../launch/inputs/inputError.ts';
import { leftOutLine, type OnLeftOut } from '../../shared/leftOutTasks.ts';
import { experimentAt } from '../../runs/journal/experimentNow.ts';
import { sourceOf } from '../../runs/store/runPaths.ts';
import { refuseBranchOfImported } from '../../runs/store/branchable.ts';
import { branchedExperiment, namedFields } from '../../shared/experiment/branched.ts';
import { writeJson, type Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { warningsTo, writeLines } from '../terminal.ts';
import { problemLines } from '../failure.ts';
import { typedIn, whereNamed } from '../readExperiment.ts';
import { UsageError } from '../usageError.ts';
import { watchRun } from '../watchRun.ts';

/** `genenv branch RUN --epoch N`. */
export async function branch(context: Context): Promise<ExitCode> {
  const { store, terminal, arguments: given, call, dist } = context;
  const epoch = given.count('epoch');
  if (epoch === null) throw new UsageError('"genenv branch" needs --epoch N.', 'N is the last epoch to share.');
  const parent = await store.openReader(given.target);
  const { dir, manifest } = parent;
  const { id: parentId } = manifest;
  refuseBranchOfImported(parent.manifest);
  const before = await experimentAt(parent.manifest, parent.events(), epoch);
  await parent.close();
  if (epoch > before.epochs) {
    const what = `${parentId} has no epoch ${epoch}: it has ${before.epochs}.`;
    throw new UsageError(what, 'N is the last epoch to share; 0 shares only the start.');
  }
  const source = sourceOf(dir, manifest);
  const directory = source === null ? null : dirname(source);
  const parsed = branchedExperiment(before, given.all('set'), epoch, typedIn(terminal.cwd, directory));
  if ('problems' in parsed) throw new InputError(parsed.problems);
  const { experiment, warnings, placeOfField } = parsed;
  writeLines(terminal.err, problemLines(warnings));
  const author = userInfo().username;
  const asked = { experiment, named: namedFields(given.all('set')) };
  const warn = warningsTo(terminal);
  const onLeftOut: OnLeftOut = (found) => warn(leftOutLine(found));
  const branched = { run: parentId, epoch, ...asked, author, clock: terminal, dist, onLeftOut };
  const writer = await whereNamed(placeOfField)(() => branchRun(store, branched));
  const { id } = writer.manifest;
  await writer.close();
  if (given.has('run')) return watchRun(context, { resume: id }, experiment);
  if (given.has('json')) writeJson(terminal, { id, parent: { run: parentId, epoch } });
  else terminal.out.write(`Made ${id} from ${parentId}, epoch ${epoch}. Run it with: ${call('resume', id)}\n`);
  return exitCode.done;
}
