/** The rules that tasks name, with the files of their benchmarks that they judge by. */
import { OptionError } from '../../benchmarks/offline/offlineScorer.ts';
import { ScorerTable } from '../../benchmarks/scorerTable.ts';
import type { MappedTask } from '../../benchmarks/adapter/mapRecord.ts';
import { DataError } from '../adapters/dataError.ts';

/** @param dist the folder of built files @throws DataError `incomplete` naming a file of a benchmark that is missing */
export async function openRules(
  tasks: readonly Pick<MappedTask, 'evaluation' | 'gold'>[],
  dist: URL | null,
): Promise<ScorerTable> {
  try {
    return await ScorerTable.open(new Set(tasks.map(({ evaluation }) => evaluation.kind)), dist, tasks);
  } catch (error) {
    if (error instanceof OptionError) throw new DataError('incomplete', error.message, error.remedy);
    throw error;
  }
}
