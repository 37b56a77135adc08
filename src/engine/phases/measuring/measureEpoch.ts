/** Measurements after an epoch: when they are due, and once where the run ends with the epoch. */
import { crossPlay, isChecked } from '../../crossPlay/crossPlay.ts';
import { secondsWorked } from '../../epochTime.ts';
import type { Loop } from '../../loop.ts';
import type { OpenEpoch } from '../../state.ts';
import { benchmarkOf, evaluate } from './evaluate.ts';
import { whyStop } from '../stop.ts';
import { validate, validates } from './validate.ts';

type Measuring = () => ReturnType<typeof validate | typeof evaluate | typeof crossPlay>;

/**
 * The next measurement that the epoch still lacks; null where none is due.
 * @param affords whether money and hours were left when the epoch's training was done: a budget that is used up leaves
 *   nothing to measure with. Tokens, rollouts and seconds do: the run would else end unmeasured.
 */
export function nextMeasurement(loop: Loop, open: OpenEpoch, affords: boolean): Measuring | null {
  const { epoch } = open;
  const last = endsWith(loop, open);
  if (affords && open.validated === undefined && validates(loop, epoch, last)) return () => validate(loop, epoch);
  const benchmark = affords && open.evaluated === undefined ? benchmarkOf(loop, epoch, last) : null;
  if (benchmark !== null) return () => evaluate(loop, epoch, benchmark);
  return open.crossPlayed === undefined && isChecked(loop, epoch, last) ? () => crossPlay(loop, epoch) : null;
}

/** Whether no epoch follows this one, as far as is known before it is finished. */
function endsWith({ experiment, state, ports }: Loop, { epoch, startedAt }: OpenEpoch): boolean {
  if (epoch === experiment.epochs) return true;
  const { clock, stoodStill = [] } = ports;
  // The epoch's own time counts once it is finished.
  const seconds = state.spent.seconds + secondsWorked({ from: startedAt, to: clock.now() }, stoodStill);
  return whyStop(experiment, { ...state, spent: { ...state.spent, seconds } }) !== null;
}
