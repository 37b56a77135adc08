/** The epoch's texts, rejected ones included: an unbiased sample of the simulator that wrote them. KLs are measured on these. */
import type { Sequence } from '../../../shared/records/trace.ts';
import { sampledFrom, versionAtStart } from '../../ahead/asOf.ts';
import type { Loop } from '../../loop.ts';
import type { PolicyVersion } from '../../ports.ts';
import type { Simulators } from './lesson.ts';

export interface Written {
  sequences: Pick<Sequence, 'tokens' | 'spans'>[];
  /** Logprobs of the sampled tokens: when they were sampled, right before the update, and under the initial simulator. */
  sampled: number[];
  before: number[];
  initial: number[];
}

export async function writtenIn(loop: Loop, epoch: number, simulators: Simulators): Promise<Written> {
  const sequences = (await loop.tasksOf(epoch)).flatMap(({ generation }) => (generation ? [generation] : []));
  const sampled = sequences.flatMap(({ logprobs }) => logprobs);
  const { version } = loop.environment;
  return {
    sequences,
    sampled,
    before: wrote(loop, epoch, version) ? sampled : (await simulators.logprobs(version, sequences)).flat(),
    initial: (await simulators.initialLogprobs(sequences)).flat(),
  };
}

/** Whether a version wrote the epoch's texts: with `rollouts.staleness` an older one did. */
function wrote({ experiment, ports, state }: Loop, epoch: number, { name }: PolicyVersion): boolean {
  const start = sampledFrom(epoch, experiment.rollouts.staleness, ports.shared);
  return versionAtStart(state.environment, start).version.name === name;
}
