/** An adapter over all of its data: every record that does not fit, and how many do. */
import * as l10n from '@vscode/l10n';
import { mapRecord, type MappedTask } from '../../benchmarks/adapter/mapRecord.ts';
import { ScorerTable } from '../../benchmarks/scorerTable.ts';
import type { Adapter } from '../../shared/adapters/schema.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import type { Located } from './locate.ts';
import { openData } from './openData.ts';
import { splitRecords } from './splitRecords.ts';

/** The findings on one split. */
export interface SplitReport {
  name: string;
  files: number;
  /** Patterns that no file matches. */
  missing: readonly string[];
  records: number;
  /** Records that became a task which its rule can judge. */
  fit: number;
  /** The authors' number of records; null when the adapter has none. */
  expected: number | null;
}

export interface AdapterReport {
  /** Absolute. */
  folder: string;
  splits: SplitReport[];
  joins: readonly Located[];
}

/** One thing found while checking: a problem, or a task. */
export type Checked = { problem: Problem } | { split: string; task: MappedTask; path: string; line: number };

export interface CheckOptions {
  signal: AbortSignal;
  /** Only these splits; all when absent. */
  splits?: readonly string[];
  /** A person allows files outside of the folder. */
  outside?: boolean;
  /** After each record. */
  onRecord?: (split: string, records: number) => void;
}

/** A record's source: its data's folder, absolute, and its split. */
interface Home {
  folder: string;
  split: string;
}

/** With the folder that its rule reads, where that reads one. */
export function atHome({ data }: Adapter, task: MappedTask, { folder, split }: Home): MappedTask {
  const reads = data.scorer ?? data.splits[split]?.scorer;
  return reads === undefined ? task : { ...task, evaluation: { ...task.evaluation, data: folder } };
}

/** Reads once through the data and holds none of it. @throws DataError, and the signal's reason */
export async function* checkAdapter(
  adapter: Adapter,
  folder: string,
  { signal, splits, outside, onRecord }: CheckOptions,
): AsyncGenerator<Checked, AdapterReport> {
  const opened = await openData(adapter, folder, outside);
  const scorers = await ScorerTable.open([adapter.scorer.kind], null);
  for (const problem of opened.joins.problems) yield { problem };
  const report: AdapterReport = { folder, splits: [], joins: opened.located.joins };
  const ids = new Map<string, { path: string; index: number; line: number }>();
  for (const { name, files, missing } of opened.located.splits) {
    if (splits !== undefined && !splits.includes(name)) continue;
    const expected = adapter.data.splits[name]?.records ?? null;
    const one: SplitReport = { name, files: files.length, missing, records: 0, fit: 0, expected };
    report.splits.push(one);
    for await (const record of splitRecords(opened, name, signal)) {
      one.records += 1;
      onRecord?.(name, one.records);
      if ('problem' in record) {
        yield { problem: record.problem };
        continue;
      }
      const { path, line, index } = record;
      const problem = (field: string, message: string): Checked => ({
        problem: {
          file: path,
          line,
          column: 1,
          field,
          message: `${field}: ${message}.`,
          remedy: '',
          severity: 'error',
        },
      });
      const mapped = mapRecord(adapter, record.scope);
      if (!('task' in mapped)) {
        for (const { field, message } of mapped.misfits) yield problem(field, message);
        continue;
      }
      const task = atHome(adapter, mapped.task, { folder, split: name });
      const fault = scorers.fault(task);
      const namesake = ids.get(task.id);
      if (fault !== null) yield problem('scorer', fault);
      // A record may be in more than one split; a line may hold many records.
      else if (namesake !== undefined && (namesake.path !== path || namesake.index !== index))
        yield problem('task.id', l10n.t('“{0}” stands at {1} already', task.id, `${namesake.path}:${namesake.line}`));
      else {
        ids.set(task.id, { path, index, line });
        one.fit += 1;
        yield { split: name, task, path, line };
      }
    }
  }
  return report;
}
