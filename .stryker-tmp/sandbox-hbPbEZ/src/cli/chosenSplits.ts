import type { Adapter } from '../shared/adapters/schema.ts';
import { UsageError } from './usageError.ts';

/** The splits that `--split` names. @throws UsageError for one that the adapter does not have */
export function chosenSplits({ data }: Adapter, splits: readonly string[]): readonly string[] {
  const names = Object.keys(data.splits);
  const unknown = splits.find((name) => !names.includes(name));
  if (unknown === undefined) return splits;
  throw new UsageError(`The adapter has no split "${unknown}".`, `It has ${names.join(', ')}.`);
}
