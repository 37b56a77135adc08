/** The conditions that the index alone can judge. */
import type { Condition, TraceQuery } from '../contract/traceQuery.ts';
import { lies } from '../contract/query.ts';
import { traceFlags } from '../../../runs/index/recordKind.ts';
import type { IndexRows } from '../../../runs/index/indexRows.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';

/** Whether the i-th row fits. */
export type RowFits = (rows: IndexRows, i: number) => boolean;

const purposes = ['train', 'validation', 'rank', 'benchmark'];
const stops = ['stop', 'length', 'turns'];

const verdictOf = (flags: number): string =>
  flags & traceFlags.unjudged ? 'error' : flags & traceFlags.success ? 'solved' : 'failed';

/** Rows of traces that may fit. @param marked ids of the traces with a note or label that fits, by condition */
export function traceRowFits({ conditions }: TraceQuery, marked: ReadonlyMap<Condition, ReadonlySet<string>>): RowFits {
  return allOf(conditions.flatMap((one) => rowTest(one) ?? nameTest(one, 'task') ?? markTest(one, marked) ?? []));
}

/** Rows of tasks that may match; null when the query has conditions that no task can meet. */
export function taskRowFits({ conditions, texts }: TraceQuery): RowFits | null {
  if (!texts.some(({ negated }) => !negated)) return null;
  const tests: RowFits[] = [];
  for (const condition of conditions) {
    const test =
      condition.kind === 'number' && condition.of === 'epoch' ? rowTest(condition) : nameTest(condition, 'id');
    const named = condition.kind === 'name' && ['task', 'family', 'domain'].includes(condition.of);
    if (test !== null) tests.push(test);
    else if (!named) return null;
  }
  return allOf(tests);
}

const allOf =
  (tests: readonly RowFits[]): RowFits =>
  (rows, i) =>
    tests.every((test) => test(rows, i));

/** Null for a condition that a row cannot decide. */
function rowTest(condition: Condition): RowFits | null {
  const fits = fitsRow(condition);
  return fits === null ? null : (rows, i) => fits(rows, i) !== condition.negated;
}

function fitsRow(condition: Condition): RowFits | null {
  switch (condition.kind) {
    case 'number': {
      const { of, interval } = condition;
      if (of === 'reward') return (rows, i) => lies(rows.value(i), interval);
      if (of === 'epoch') return (rows, i) => lies(rows.epoch(i), interval);
      return (rows, i) => {
        const tokens = rows.tokens(i);
        return tokens !== null && lies(tokens, interval);
      };
    }
    case 'verdict':
      return (rows, i) => verdictOf(rows.flags(i)) === condition.verdict;
    case 'purpose': {
      const purpose = purposes.indexOf(condition.purpose);
      return (rows, i) => ((rows.flags(i) >>> traceFlags.purposeShift) & 3) === purpose;
    }
    case 'stop': {
      const stop = stops.indexOf(condition.stop);
      return (rows, i) => ((rows.flags(i) >>> traceFlags.stopShift) & 3) === stop;
    }
    case 'valid':
      return (rows, i) => (rows.flags(i) & traceFlags.valid) !== 0;
    // Attempts of people have a file of their own.
    case 'by':
      return () => condition.person === null;
    default:
      return null;
  }
}

/**
 * Rows with the hash of a name; the record must still be asked, as two names may share one.
 * @param task which hash of a row is its task's: traces hold it beside their own
 */
function nameTest(condition: Condition, task: 'task' | 'id'): RowFits | null {
  if (condition.kind !== 'name' || condition.negated || condition.pattern.includes('*')) return null;
  const hash = hashOf(condition.pattern);
  switch (condition.of) {
    case 'family':
      return (rows, i) => rows.isOfFamily(i, hash);
    case 'task':
      return task === 'task' ? (rows, i) => rows.isOfTask(i, hash) : (rows, i) => rows.isOf(i, hash);
    case 'trace':
      return task === 'task' ? (rows, i) => rows.isOf(i, hash) : null;
    case 'domain':
    case 'version':
      return null;
  }
}

function markTest(condition: Condition, marked: ReadonlyMap<Condition, ReadonlySet<string>>): RowFits | null {
  if ((condition.kind !== 'note' && condition.kind !== 'label') || condition.negated) return null;
  const lows = new Set([...(marked.get(condition) ?? [])].map((id) => hashOf(id).low));
  return (rows, i) => lows.has(rows.idLow(i));
}
