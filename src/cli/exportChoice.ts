/** The choice of pool and format for `genenv export`. */
import { exportedPools, formatNames, rowKinds, weightings, type ExportChoice } from '../runs/export/formats.ts';
import { nearest } from '../shared/experiment/problems/nearest.ts';
import type { Arguments } from './commandLine.ts';
import { UsageError } from './usageError.ts';

/** @throws UsageError for a name that is none, and for an option that the format has no use for */
export function exportChoice(given: Arguments): ExportChoice {
  const pool = oneOf(given, 'pool', exportedPools);
  if (pool === null) throw new UsageError('"genenv export" needs --pool NAME.', 'NAME is agent or environment.');
  const format = oneOf(given, 'format', formatNames) ?? 'jsonl';
  const rows = oneOf(given, 'rows', rowKinds);
  const weights = oneOf(given, 'weights', weightings);
  if (rows !== null && (pool !== 'agent' || format !== 'messages')) {
    throw new UsageError('--rows is for the agent pool as messages.', 'Leave it out, or give --format messages.');
  }
  if (weights !== null && (pool !== 'environment' || (format !== 'verl' && format !== 'messages'))) {
    throw new UsageError('--weights is for the environment pool as verl or messages.', 'Leave it out.');
  }
  return pool === 'agent' ? { pool, format, rows: rows ?? 'tasks' } : { pool, format, weights: weights ?? 'resample' };
}

/** Null when it was not given. */
function oneOf<Name extends string>(given: Arguments, option: string, names: readonly Name[]): Name | null {
  const text = given.text(option);
  if (text === null) return null;
  const name = names.find((one) => one === text);
  if (name !== undefined) return name;
  const near = nearest(text, names);
  throw new UsageError(
    `There is no ${option} "${text}".`,
    near === null ? `It is ${names.join(', ')}.` : `Did you mean --${option} ${near}?`,
  );
}
