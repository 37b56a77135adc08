/** The tasks of a benchmark's splits, as they are posed and judged. */
import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { Rng } from '../../engine/random.ts';
import type { Adapter } from '../../shared/adapters/schema.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { evaluationVersion, type EvaluationData } from '../../shared/records/evaluation.ts';
import type { Task } from '../../shared/records/task.ts';
import { checkAdapter, type AdapterReport, type Checked } from '../adapters/checkAdapter.ts';
import { DataError } from '../adapters/dataError.ts';

interface TasksAsked {
  /** Absolute. */
  folder: string;
  /** A person allows files outside of it. */
  outside?: boolean;
  /** All when empty. */
  splits: readonly string[];
  /** How many to draw; null for all. */
  sample: number | null;
  seed: number;
  signal: AbortSignal;
}

export interface EvaluationTasks {
  /** Their family is the category, or the split where the adapter names none. */
  tasks: Task[];
  /** Tasks before any were drawn. */
  of: number;
  /** Records that do not fit: they are not evaluated. */
  problems: readonly Problem[];
  report: AdapterReport;
}

/** A draw keeps the order of the records. @throws DataError where files are missing, and the signal's reason */
export async function evaluationTasks(
  adapter: Adapter,
  { folder, splits, sample, seed, signal, outside = false }: TasksAsked,
): Promise<EvaluationTasks> {
  const tasks = new Map<string, Task>();
  const problems: Problem[] = [];
  const report = await drained(
    checkAdapter(adapter, folder, { signal, outside, ...(splits.length > 0 && { splits }) }),
    (found) => {
      if ('problem' in found) problems.push(found.problem);
      else if (!tasks.has(found.task.id)) tasks.set(found.task.id, posed(found));
    },
  );
  const missing = neededFiles(adapter, report);
  const all = [...tasks.values()];
  if (missing.length > 0) {
    const message = l10n.t('In {0} no file matches {1}, which {2} needs.', folder, missing.join(', '), adapter.name);
    throw new DataError('incomplete', message, adapter.data.obtain);
  }
  const of = all.length;
  if (sample === null || sample >= of) return { tasks: all, of, problems, report };
  const drawn = new Set(Rng.from(seed, 'evaluate', 'sample').pick(all, sample));
  return { tasks: all.filter((task) => drawn.has(task)), of, problems, report };
}

/** The completeness of their source data. */
export function dataOf({ of, problems, report }: Omit<EvaluationTasks, 'tasks'>): EvaluationData {
  return {
    ...{ v: evaluationVersion, tasks: of },
    splits: report.splits.map(({ name, fit, expected, missing }) => ({ name, fit, expected, missing: [...missing] })),
    ...{ problems: problems.length, example: problems[0]?.message ?? null },
  };
}

/** Missing files that every record needs; a record without its own joined data is that record's problem alone. */
function neededFiles({ data }: Adapter, { splits, joins }: AdapterReport): string[] {
  const joined = joins.flatMap(({ name, missing }) => (data.join?.[name]?.kind === 'key' ? [] : missing));
  const found = splits.some(({ files }) => files > 0);
  return found ? joined : [...splits.flatMap(({ missing }) => missing), ...joined];
}

/** Equal for evaluations with equal tasks, hexadecimal. */
export function digestOf(tasks: readonly Task[]): string {
  const hash = createHash('sha256');
  for (const { id, prompt, tools, evaluation, gold } of tasks) {
    // The same data in another folder is the same.
    const { data, ...judged } = evaluation;
    const spec = typeof data === 'string' ? judged : evaluation;
    hash.update(`${JSON.stringify([id, prompt, tools, spec, gold])}\n`);
  }
  return hash.digest('hex');
}

async function drained(
  checking: AsyncGenerator<Checked, AdapterReport>,
  take: (found: Checked) => void,
): Promise<AdapterReport> {
  for (;;) {
    const next = await checking.next();
    if (next.done === true) return next.value;
    take(next.value);
  }
}

function posed({ task, split }: Extract<Checked, { task: unknown }>): Task {
  const { category } = task.evaluation;
  return {
    ...task,
    ...{ v: 1, plan: '', epoch: 0, origin: 'validation', seed: null, status: 'accepted' },
    family: typeof category === 'string' ? category : split,
  };
}
