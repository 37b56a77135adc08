/** The two pools grow (paper §2.3): D_train ∪= valid traces, D_env ∪= the weighted set. Pools are views of the records. */
import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import type { RunState } from '../state.ts';
import type { Group } from './attempt.ts';

type Outcome = Omit<EventOf<'pools.grown'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** A trace that may enter the agent pool: parsed, executed, and its checker ran. */
const isValid = ({ verdict }: Group['traces'][number]): boolean => verdict.valid && verdict.error === undefined;

export function growPools(
  state: RunState,
  epoch: number,
  groups: readonly Group[],
  families: readonly FamilyScore[],
): Outcome {
  const valid = groups.map(({ task, traces }) => ({ task, traces: traces.filter(isValid).length }));
  const addedTraces = valid.reduce((sum, { traces }) => sum + traces, 0);
  const addedTasks = valid.filter(
    ({ task, traces }) => task.epoch === epoch && task.origin === 'generated' && traces > 0,
  ).length;
  const added = families.flatMap(({ tasks }) => tasks.filter(({ weight }) => weight > 0)).length;
  return {
    type: 'pools.grown',
    agent: {
      addedTasks,
      addedTraces,
      tasks: state.pools.agentTasks + addedTasks,
      traces: state.pools.agentTraces + addedTraces,
    },
    environment: { added, size: state.pools.environment + added },
  };
}
