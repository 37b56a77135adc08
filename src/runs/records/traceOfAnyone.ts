/** Any attempt of a run by its id: a recorded one, one of a re-attempt or a fork, or a person's. */
import { sideOfTrace, textsAfter, type Reattempt } from '../../shared/records/reattempt.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { runPaths } from '../store/runPaths.ts';
import type { RunReader } from '../store/runReader.ts';
import { playedTrace } from './playsFile.ts';
import { reattemptedTrace } from './reattemptsFile.ts';

type Run = Pick<RunReader, 'dir' | 'trace'>;

interface FoundAttempt {
  trace: Trace;
  /** The texts that it had in place of its task's; null where it had those. */
  edited: Reattempt['edited'];
}

/** Undefined where the run has none of this id. @throws RunError `unreadable` */
export async function attemptOfAnyone(run: Run, id: string): Promise<FoundAttempt | undefined> {
  const { reattempts, plays } = runPaths(run.dir);
  const again = await reattemptedTrace(reattempts, id);
  if (again !== null) return { trace: again.trace, edited: sideOfTrace(id) === 'after' ? textsAfter(again.of) : null };
  const played = await playedTrace(plays, id);
  if (played !== null) return { trace: played.trace, edited: played.of.edited };
  const trace = await run.trace(id);
  return trace && { trace, edited: null };
}

/** @throws RunError `unreadable` */
export const traceOfAnyone = async (run: Run, id: string): Promise<Trace | undefined> =>
  (await attemptOfAnyone(run, id))?.trace;
