/** Attempts of people that fit a query: they are few, and stand in a file of their own. */
import { readPlays } from '../../../runs/records/playsFile.ts';
import { personOf } from '../../../shared/records/play.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { lies } from '../contract/query.ts';
import type { Condition, TraceQuery } from '../contract/traceQuery.ts';
import { wildcard } from '../contract/wildcard.ts';
import { traceFits } from './recordFits.ts';

/** The newest first. @param marked ids of the traces with a note or label that fits, by condition @throws RunError */
export async function playsThatFit(
  path: string,
  query: TraceQuery,
  marked: ReadonlyMap<Condition, ReadonlySet<string>>,
): Promise<Trace[]> {
  const { plays } = await readPlays(path);
  const fits = traceFits(query, marked);
  return plays
    .flatMap(({ trace }) => trace ?? [])
    .filter((trace) => fits(trace) && query.conditions.every((one) => isMet(one, trace) !== one.negated))
    .toReversed();
}

/** Conditions that the row of a recorded trace decides; `traceFits` decides the others. */
function isMet(condition: Condition, trace: Trace): boolean {
  const { verdict } = trace;
  switch (condition.kind) {
    case 'number': {
      const { of, interval } = condition;
      // People write no tokens.
      return of !== 'tokens' && lies(of === 'epoch' ? trace.epoch : verdict.reward, interval);
    }
    case 'verdict':
      return (verdict.error !== undefined ? 'error' : verdict.success ? 'solved' : 'failed') === condition.verdict;
    // Nothing is trained, validated or measured by it.
    case 'purpose':
      return false;
    case 'stop':
      return trace.stopReason === condition.stop;
    case 'valid':
      return verdict.valid;
    case 'by':
      return condition.person !== null && wildcard(condition.person)(personOf(trace.version) ?? '');
    default:
      return !condition.negated;
  }
}
