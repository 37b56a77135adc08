import { importTasks } from '../../../runs/import/importTasks.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { inputFile, outFile } from '../../../cli/outFile.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';
import { importRolloutsCommand } from './importRollouts.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { evaluationKinds, evaluationOf, taskFaults } from '../node/evaluations.ts';

/** `genenv import FILE --out FILE`: other programs' tasks as seed tasks; with `--rollouts`, their attempts as a run. */
export async function importCommand(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given } = context;
  if (given.has('rollouts')) return importRolloutsCommand(context);
  const out = given.text('out');
  if (out === null) throw new UsageError('"genenv import" needs --out FILE.', 'FILE is the task file to write.');
  const from = await inputFile(terminal.cwd, given.target);
  const file = outFile(terminal.cwd, out, [from]);
  const columns = { prompt: given.text('prompt'), gold: given.text('gold'), evaluation: readEvaluation(context) };
  const { tasks, leftOut } = await importTasks({ from, file, columns, faultOf: taskFaults(), dist: context.dist });
  if (given.has('json')) {
    writeJson(terminal, { file, tasks, leftOut });
    return exitCode.done;
  }
  terminal.out.write(`${plural(tasks, 'task')} in ${file}\n`);
  for (const { count: left, why, examples } of leftOut) {
    terminal.err.write(`${count(left)} left out: ${why} (${examples.join('; ')})\n`);
  }
  return exitCode.done;
}

/** @throws UsageError for an unknown rule */
function readEvaluation({ arguments: given }: Context): ReturnType<typeof evaluationOf> {
  const text = given.text('evaluation');
  if (text === null) return null;
  const evaluation = evaluationOf(text);
  if (evaluation !== null) return evaluation;
  const remedy = `Give one of these, or {"kind": …} with its options: ${evaluationKinds.join(', ')}. See docs/scorers.md.`;
  throw new UsageError(`--evaluation ${text}: there is no such rule.`, remedy);
}
