import type { RunState } from '../../engine/state.ts';

/** The epoch under way, else the last finished one, from 0: `epoch 20/100` says the same wherever a run is shown. */
export const currentEpoch = ({
  open,
  finished,
  summaries,
}: Pick<RunState, 'open' | 'finished' | 'summaries'>): number =>
  finished === null && open !== null ? open.epoch : summaries.length;
