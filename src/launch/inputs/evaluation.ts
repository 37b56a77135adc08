/**
 * The benchmark of a run: its tasks are drawn before the run is made and kept in its `inputs/`, so that every evaluation
 * poses the same, also where the benchmark's data has moved.
 */
import * as l10n from '@vscode/l10n';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { faultsOf } from '../../benchmarks/evaluate/unofficial.ts';
import { GivenTasks } from '../../benchmarks/given/domain.ts';
import { careful } from '../../engine/carefulScorer.ts';
import type { Benchmark } from '../../engine/ports.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { taskSchema } from '../../shared/records/task.ts';
import { defined } from '../../shared/defined.ts';
import { adapterPath, isShippedAdapter, shippedAdapters } from '../adapters/adapterPath.ts';
import { DataError } from '../adapters/dataError.ts';
import { dataFolder } from '../adapters/locate.ts';
import { readAdapterFile } from '../adapters/readAdapterFile.ts';
import { dataOf, digestOf, evaluationTasks } from './evaluationTasks.ts';
import { InputError, ofName } from './inputError.ts';
import { openRules } from '../scoring/openRules.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** `inputs/evaluation.json`. */
const keptSchema = z.strictObject({
  v: z.literal(1),
  /** The adapter's name, and its scorer's. */
  benchmark: z.string(),
  rule: z.string(),
  tasks: z.array(taskSchema).min(1),
  /** Of how many tasks these are, and whether the data was as its authors say. Older versions kept neither. */
  data: z.strictObject({ of: z.int().nonnegative(), whole: z.boolean() }).optional(),
});
/** A benchmark's tasks as a run keeps them. */
export type KeptEvaluation = z.infer<typeof keptSchema>;

/** Null where no epoch is evaluated. @throws InputError when the adapter or its data cannot be used */
export async function loadEvaluation(
  { evaluation }: Pick<Experiment, 'evaluation'>,
  directory: string,
  dist: URL,
): Promise<KeptEvaluation | null> {
  const { every, adapter: name, split, sample, seed } = evaluation;
  if (every === 0 || name === null) return null;
  const path = await adapterPath(name, directory, dist);
  if (path === null) {
    const remedy = l10n.t('Name a file, or one of {0}.', (await shippedAdapters(dist)).join(', '));
    throw problem(name, 'evaluation.adapter', l10n.t('No adapter “{0}” is shipped.', name), remedy);
  }
  const { adapter } = await readAdapterFile(path, path, 'evaluation.adapter');
  const { data } = adapter;
  const folder = evaluation.data === null ? dataFolder(path, data) : resolve(directory, evaluation.data);
  if (folder === null) {
    throw problem(
      path,
      'evaluation.data',
      l10n.t('Nothing says where the data of {0} lies.', adapter.name),
      l10n.t('Name its folder in evaluation.data. It can be had here: {0}', data.obtain),
    );
  }
  const splits = Object.keys(data.splits);
  if (split !== null && !splits.includes(split)) {
    const message = l10n.t('{0} has no split “{1}”.', adapter.name, split);
    throw problem(path, 'evaluation.split', message, l10n.t('It has {0}.', splits.join(', ')));
  }
  const asked = {
    folder,
    outside: isShippedAdapter(path, dist),
    splits: split === null ? [] : [split],
    sample,
    seed,
    signal: new AbortController().signal,
  };
  try {
    const found = await evaluationTasks(adapter, asked);
    const { tasks, of } = found;
    const data = { of, whole: faultsOf(dataOf(found)).length === 0 };
    if (tasks.length > 0) return { v: 1, benchmark: adapter.name, rule: adapter.scorer.kind, tasks, data };
  } catch (error) {
    if (error instanceof DataError) throw problem(folder, 'evaluation.data', error.message, error.remedy);
    throw error;
  }
  const message = l10n.t('No record of {0} in {1} becomes a task.', adapter.name, folder);
  throw problem(folder, 'evaluation.data', message, data.obtain);
}

/** Puts the tasks into a new run's folder. */
export async function keepEvaluation(dir: string, kept: KeptEvaluation | null): Promise<void> {
  if (kept === null) return;
  await mkdir(join(dir, 'inputs'), { recursive: true });
  await writeFile(keptFile(dir), `${JSON.stringify(kept)}\n`);
}

/** The run's own copy; null where no epoch is evaluated. @throws InputError when it is missing or was damaged */
export async function readEvaluationTasks(
  { evaluation }: Pick<Experiment, 'evaluation'>,
  dir: string,
): Promise<KeptEvaluation | null> {
  if (evaluation.every === 0 || evaluation.adapter === null) return null;
  const path = keptFile(dir);
  try {
    return keptSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    const why = messageOf(cause);
    const message = l10n.t('The run’s copy of its benchmark cannot be read: {0}.', why);
    throw problem(path, 'evaluation', message, l10n.t('Restore it from a copy of the run.'));
  }
}

/** Ready to be attempted; null where no epoch is evaluated. @throws InputError */
export async function openBenchmark(experiment: Experiment, dir: string, dist: URL): Promise<Benchmark | null> {
  const kept = await readEvaluationTasks(experiment, dir);
  if (kept === null) return null;
  const { benchmark: name, rule, tasks, data } = kept;
  const rules = await openRules(tasks, dist);
  return {
    ...{ name, rule, digest: digestOf(tasks), tasks, domain: new GivenTasks(tasks, rules), scorer: careful(rules) },
    ...defined({ data }),
  };
}

const keptFile = (dir: string): string => join(dir, 'inputs', 'evaluation.json');

function problem(file: string, field: string, message: string, remedy: string): InputError {
  return new InputError([ofName(file, field, message, remedy)]);
}
