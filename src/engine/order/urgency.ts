/**
 * Which request goes first where requests wait for room: one of the older epoch, since nothing learns before that is
 * whole; within an epoch the one whose answer is expected to be longest.
 */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { SampleRequest } from '../ports.ts';

/** More tokens than any answer has. */
const mostTokens = 2 ** 30;

/** @param tokens expected of its answer. None is urgent where one epoch at a time goes in the order drawn. */
export function urgencyOf(
  { staleness }: Pick<Experiment['rollouts'], 'staleness'>,
  epoch: number,
  tokens: number | undefined,
): Pick<SampleRequest, 'urgency'> {
  return tokens === undefined && staleness === 0 ? {} : { urgency: (tokens ?? 0) - epoch * mostTokens };
}
