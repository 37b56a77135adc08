/** The records of one split in the form for an adapter's sources, streamed. */
import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { isInSplit } from '../../benchmarks/adapter/isInSplit.ts';
import { RecordFault, recordFile, type Scope } from '../../benchmarks/adapter/scope.ts';
import type { Adapter } from '../../shared/adapters/schema.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import type { Joins } from './joined.ts';
import type { LocatedData } from './locate.ts';
import { readRecords } from './readRecords.ts';

/** The part of an adapter that selects records; the id decides where a split is a share of a file. */
export interface RecordSource {
  data: Adapter['data'];
  task: Pick<Adapter['task'], 'id'>;
}

export interface OpenedData {
  adapter: RecordSource;
  located: LocatedData;
  joins: Joins;
}

/** `path` is absolute, `line` from 1, `index` the place in its file from 0. A problem replaces a record that is unreadable or lacks its joined data. */
export type SplitRecord = { path: string; line: number; index: number } & ({ scope: Scope } | { problem: Problem });

/** In the order of files and lines. @throws DataError, and the signal's reason */
export async function* splitRecords(
  { adapter, located, joins }: OpenedData,
  split: string,
  signal: AbortSignal,
): AsyncGenerator<SplitRecord> {
  const rules = adapter.data.splits[split];
  if (rules === undefined) return;
  for (const file of located.splits.find(({ name }) => name === split)?.files ?? []) {
    const path = join(located.folder, file);
    // A damaged record keeps its place: joins by place would give all later ones another record's data.
    let index = -1;
    for await (const record of readRecords(path, adapter.data.format)) {
      signal.throwIfAborted();
      index += 1;
      const { line } = record;
      const problem = (field: string, message: string, remedy: string): Problem => ({
        ...{ file: path, line, column: 1, field, message, remedy, severity: 'error' },
      });
      if (!record.ok) {
        yield { path, line, index, problem: problem('data', record.message, record.remedy) };
        continue;
      }
      const values = { record: record.value, file: recordFile(file, index), split };
      const texts = new Map(record.text === null ? [] : [['record', record.text] as const]);
      try {
        const scope = await joins.complete({ values, texts });
        if (isInSplit(rules, adapter.task.id, scope)) yield { path, line, index, scope };
      } catch (error) {
        if (!(error instanceof RecordFault)) throw error;
        const remedy = l10n.t('Correct the adapter, or get the data again.');
        yield { path, line, index, problem: problem(error.field, `${error.field}: ${error.message}.`, remedy) };
      }
    }
  }
}
