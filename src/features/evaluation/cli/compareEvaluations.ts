import { resolve } from 'node:path';
import { compareEvaluations } from '../node/compareEvaluations.ts';
import { readEvaluation } from '../node/evaluationFolder.ts';
import { writeJson, type Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { comparisonLines } from './showEvaluation.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** `genenv compare-evaluations A B`: two evaluations on the tasks that both attempted. */
export async function compareEvaluationsCommand({ terminal, arguments: given }: Surroundings): Promise<ExitCode> {
  const [other, ...more] = given.rest;
  if (other === undefined || more.length > 0)
    throw new UsageError('"genenv compare-evaluations" needs two folders, A and B.', 'Give both.');
  const [first, second] = await Promise.all(
    [given.target, other].map((folder) => readEvaluation(resolve(terminal.cwd, folder))),
  );
  if (first === undefined || second === undefined) throw new Error('Unreachable: two evaluations were read.');
  for (const { message } of [...first.damaged, ...second.damaged]) terminal.err.write(`${message}\n`);
  const compared = compareEvaluations(first, second);
  if (given.has('json')) {
    writeJson(terminal, { a: first.manifest.settings, b: second.manifest.settings, ...compared });
  } else writeLines(terminal.out, comparisonLines(compared));
  return exitCode.done;
}
