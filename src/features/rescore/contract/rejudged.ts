/** Recorded attempts beside what another reward says of them. */
import type { Trace, Verdict } from '../../../shared/records/trace.ts';

/** What counts of a verdict. */
export type Judgement = Pick<Verdict, 'success' | 'reward' | 'error'>;

/** The recorded value, and what it would have been. */
export interface Change<T> {
  before: T;
  after: T;
}

/** One attempt, judged twice. */
export interface Rejudged extends Pick<Trace, 'id' | 'purpose' | 'task' | 'family' | 'epoch'> {
  verdict: Change<Verdict>;
}

/** An attempt is solved, failed, or could not be judged. */
export type Fate = 'solved' | 'failed' | 'error';

/** An attempt that meets another fate under the other reward. */
export interface Flip extends Rejudged {
  fate: Change<Fate>;
}

/** What a verdict makes of its attempt. */
export function fateOf({ success, error }: Judgement): Fate {
  if (error !== undefined) return 'error';
  return success ? 'solved' : 'failed';
}

/** Null where the attempt's fate is the same. */
export function flipOf(rejudged: Rejudged): Flip | null {
  const fate = { before: fateOf(rejudged.verdict.before), after: fateOf(rejudged.verdict.after) };
  return fate.before === fate.after ? null : { ...rejudged, fate };
}
