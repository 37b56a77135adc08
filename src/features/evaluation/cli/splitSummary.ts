import type { SplitReport } from '../../../launch/adapters/checkAdapter.ts';
import { count, plural } from '../../../shared/text/figures/numbers.ts';

/** `test: 125 of 125 records fit, in 1 file`, with what is missing. */
export function splitSummary({ name, files, missing, records, fit, expected }: SplitReport): string {
  const off = expected !== null && expected !== records ? `; its authors say there are ${count(expected)}` : '';
  const gone = missing.map((pattern) => `; no file matches ${pattern}`).join('');
  return `${name}: ${count(fit)} of ${plural(records, 'record')} fit, in ${plural(files, 'file')}${off}${gone}`;
}
