import { join, resolve } from 'node:path';
import { isShippedAdapter } from '../../../launch/adapters/adapterPath.ts';
import { checkAdapter, type AdapterReport } from '../../../launch/adapters/checkAdapter.ts';
import { DataError } from '../../../launch/adapters/dataError.ts';
import { dataFolder, locate } from '../../../launch/adapters/locate.ts';
import { readAdapterFile } from '../../../launch/adapters/readAdapterFile.ts';
import { writeSeedTasks } from '../../../launch/adapters/seedTasks.ts';
import type { Adapter } from '../../../shared/adapters/schema.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import { defined } from '../../../shared/defined.ts';
import { chosenSplits } from '../../../cli/chosenSplits.ts';
import { writeJson, type Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { problemLines } from '../../../cli/failure.ts';
import { outFile, refuseInputs } from '../../../cli/outFile.ts';
import { FewOfAKind } from '../../../cli/show/fewOfAKind.ts';
import { splitSummary } from '../../evaluation/cli/splitSummary.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** `genenv check-adapter FILE`: every record that does not fit, and how many do; with `--out`, the tasks themselves. */
export async function checkAdapterCommand({ terminal, arguments: given, dist }: Surroundings): Promise<ExitCode> {
  const path = resolve(terminal.cwd, given.target);
  const { adapter } = await readAdapterFile(path, given.target);
  const data = given.text('data');
  const folder = data === null ? dataFolder(path, adapter.data) : resolve(terminal.cwd, data);
  if (folder === null) {
    throw new UsageError('The adapter names no folder of its data.', `Give --data DIR. ${adapter.data.obtain}`);
  }
  const splits = chosenSplits(adapter, given.all('split'));
  const { signal } = new AbortController();
  const outside = given.has('outside') || isShippedAdapter(path, dist);
  const options = { signal, outside, ...(splits.length > 0 && { splits }) };
  const out = given.text('out');
  const file = out === null ? null : outFile(terminal.cwd, out, [path]);
  if (file !== null && out !== null) refuseInputs(file, out, await dataFiles(folder, adapter, outside));
  const json = given.has('json');
  const problems: Problem[] = [];
  const few = new FewOfAKind();
  const say = (problem: Problem): void => {
    if (json) problems.push(problem);
    else if (!few.add(problem)) return;
    else writeLines(terminal.out, problemLines([problem]));
  };
  try {
    const report = await reported(checkAdapter(adapter, folder, options), say);
    const seeds = file === null ? null : { file, ...(await writeSeedTasks(file, adapter, folder, options)) };
    if (json)
      writeJson(terminal, { file: given.target, ...report, problems, ...defined({ seeds: seeds ?? undefined }) });
    else {
      writeLines(terminal.out, [...few.others, ...report.splits.map(splitSummary)]);
      for (const { name, missing } of report.joins) {
        for (const pattern of missing) terminal.out.write(`join ${name}: no file matches ${pattern}\n`);
      }
      if (report.splits.some(({ missing }) => missing.length > 0)) terminal.out.write(`${adapter.data.obtain}\n`);
      if (seeds !== null) terminal.out.write(`${plural(seeds.tasks, 'task')} in ${seeds.file}\n`);
    }
    return isWhole(report) ? exitCode.done : exitCode.badInput;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new UsageError(error.message, error.remedy);
  }
}

async function dataFiles(folder: string, { data }: Adapter, outside: boolean): Promise<string[]> {
  const { splits, joins } = await locate(folder, data, outside);
  return [...splits, ...joins].flatMap(({ files }) => files.map((file) => join(folder, file)));
}

async function reported(
  checking: ReturnType<typeof checkAdapter>,
  say: (problem: Problem) => void,
): Promise<AdapterReport> {
  for (;;) {
    const next = await checking.next();
    if (next.done === true) return next.value;
    if ('problem' in next.value) say(next.value.problem);
  }
}

const isWhole = ({ splits, joins }: AdapterReport): boolean =>
  splits.every(({ records, fit, missing }) => records === fit && missing.length === 0) &&
  joins.every(({ missing }) => missing.length === 0);
