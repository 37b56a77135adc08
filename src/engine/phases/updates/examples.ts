/** The examples of the agent's update: sampled sequences with their advantages. */
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Sequence, Trace } from '../../../shared/records/trace.ts';
import type { Loop } from '../../loop.ts';
import { groupAdvantages } from '../../math/advantage.ts';
import { shapeAdvantages } from '../../math/kl.ts';
import { sampledCount } from '../../math/sequence.ts';
import type { Reference } from './reference.ts';

export interface Example {
  sequence: Sequence;
  /** One per sampled token. */
  advantages: number[];
}

/** The sequences of a group that can teach, each with its advantage. @param judged its traces with a verdict */
export function examplesOf(
  judged: readonly Trace[],
  { agent, rollouts }: Pick<Experiment, 'agent' | 'rollouts'>,
): Example[] {
  const advantages = groupAdvantages(
    judged.map(({ verdict }) => verdict.reward),
    agent.advantageNorm,
  );
  return judged.flatMap(({ sequences }, i) =>
    sequences
      // A prompt that leaves no room for an answer counts as a failure, and is too long to learn from.
      .filter(({ tokens }) => tokens.length <= (rollouts.maxSequence ?? Infinity))
      .map((sequence) => ({
        sequence,
        advantages: new Array<number>(sampledCount(sequence)).fill(advantages[i] ?? outOfRange()),
      })),
  );
}

/**
 * The units of minibatches: single sequences, or all sequences of a task.
 * @param groups examples of a task each
 */
export function unitsOf(
  groups: readonly (readonly Example[])[],
  { minibatchUnit }: Pick<Experiment['agent'], 'minibatchUnit'>,
): readonly (readonly Example[])[] {
  return minibatchUnit === 'task' ? groups : groups.flat().map((example) => [example]);
}

/** KL to the initial agent as shaping of the advantages, around its mean over these units. */
export async function shapedByReference(
  { experiment }: Pick<Loop, 'experiment'>,
  reference: Pick<Reference, 'of'>,
  units: readonly (readonly Example[])[],
): Promise<readonly (readonly Example[])[]> {
  const { klCoefficient } = experiment.agent;
  if (klCoefficient === 0) return units;
  const examples = units.flat();
  const sequences = examples.map(({ sequence }) => sequence);
  const shaped = shapeAdvantages(
    examples.map(({ advantages }) => advantages),
    sequences.map(({ logprobs }) => logprobs),
    await reference.of(sequences),
    klCoefficient,
  );
  let next = 0;
  return units.map((unit) =>
    unit.map((example) => ({ ...example, advantages: shaped.advantages[next++] ?? outOfRange() })),
  );
}
