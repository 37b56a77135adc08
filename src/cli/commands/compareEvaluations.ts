import { resolve } from 'node:path';
import { compareEvaluations } from '../../launch/evaluate/compareEvaluations.ts';
import { readEvaluation } from '../../launch/evaluate/evaluationFolder.ts';
import { writeJson, type Surroundings } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { writeLines } from '../terminal.ts';
import { comparisonLines } from '../show/evaluation.ts';
import { UsageError } from '../usageError.ts';

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
