/** The two pools grow (paper §2.3): D_train ∪= valid traces, D_env ∪= the weighted set. Pools are views of the records. */
import type { DomainPart } from '../../shared/experiment/tasks/domains.ts';
import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import { figuresOf } from '../byDomain.ts';
import type { RunState } from '../state.ts';
import type { Group } from './attempts/attemptPlan.ts';
import { isPoolable } from '../../shared/records/verdict.ts';

type Outcome = Omit<EventOf<'pools.grown'>, 'v' | 'seq' | 'at' | 'epoch'>;
type Sizes = Pick<Outcome, 'agent' | 'environment'>;

/** Whether a task’s attempts put it into the agent pool. */
export const hasValidTrace = ({ traces }: Pick<Group, 'traces'>): boolean =>
  traces.some(({ verdict }) => isPoolable(verdict));

export function growPools(
  { pools }: Pick<RunState, 'pools'>,
  epoch: number,
  groups: readonly Group[],
  families: readonly FamilyScore[],
  domains: readonly DomainPart[] | null = null,
): Outcome {
  return {
    type: 'pools.grown',
    ...grown(pools, epoch, groups, families),
    ...figuresOf(domains, (name) =>
      grown(
        pools.domains?.get(name) ?? empty,
        epoch,
        groups.filter(({ task }) => task.domain === name),
        families.filter(({ domain }) => domain === name),
      ),
    ),
  };
}

const empty = { agentTasks: 0, agentTraces: 0, environment: 0 };

function grown(before: typeof empty, epoch: number, groups: readonly Group[], families: readonly FamilyScore[]): Sizes {
  const valid = groups.map(({ task, traces, attemptedIn = epoch }) => ({
    ...{ task, attemptedIn },
    traces: traces.filter(({ verdict }) => isPoolable(verdict)).length,
  }));
  const addedTraces = valid.reduce((sum, { traces }) => sum + traces, 0);
  const addedTasks = valid.filter(
    ({ task, traces, attemptedIn }) => task.epoch === attemptedIn && task.origin === 'generated' && traces > 0,
  ).length;
  const added = families.flatMap(({ tasks }) => tasks.filter(({ weight }) => weight > 0)).length;
  return {
    agent: {
      addedTasks,
      addedTraces,
      tasks: before.agentTasks + addedTasks,
      traces: before.agentTraces + addedTraces,
    },
    environment: { added, size: before.environment + added },
  };
}
