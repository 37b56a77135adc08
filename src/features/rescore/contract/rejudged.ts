/** Recorded attempts beside another reward's verdicts on them. */
import type { Trace, Verdict } from '../../../shared/records/trace.ts';

/** The compared part of a verdict. */
export type Judgement = Pick<Verdict, 'success' | 'reward' | 'error'>;

/** The recorded value, and the value under the new reward. */
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

/** An attempt's fate by its verdict. */
export function fateOf({ success, error }: Judgement): Fate {
  if (error !== undefined) return 'error';
  return success ? 'solved' : 'failed';
}

/** Null where the attempt's fate is the same. */
export function flipOf(rejudged: Rejudged): Flip | null {
  const fate = { before: fateOf(rejudged.verdict.before), after: fateOf(rejudged.verdict.after) };
  return fate.before === fate.after ? null : { ...rejudged, fate };
}
