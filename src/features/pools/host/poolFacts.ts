/** The facts of a run's pools in the Data Pools tree. */
import type { RunState } from '../../../engine/state.ts';
import type { RunFacts } from '../../../runs/facts/runFacts.ts';

/** How many there are, and how many the last epoch that grew the pools added. */
export interface Growth {
  count: number;
  added: number;
}

export interface PoolFacts {
  /** The last epoch that grew the pools; null before any did. */
  epoch: number | null;
  base: number;
  validation: number;
  agent: { tasks: Growth; traces: Growth };
  environment: Growth & { weight: number; effectiveSampleSize: number; meanSuccessRate: number | null };
}

export function poolFacts(facts: RunFacts, { pools }: Pick<RunState, 'pools'>): PoolFacts {
  const grown = [...facts.epochs.values()].findLast((epoch) => epoch.pools !== null);
  const added = grown?.pools ?? null;
  const { weight, effectiveSampleSize, meanSuccessRate } = facts.environmentPool();
  return {
    epoch: grown?.epoch ?? null,
    base: facts.started?.base ?? 0,
    validation: facts.started?.validation ?? 0,
    agent: {
      tasks: { count: pools.agentTasks, added: added?.agent.addedTasks ?? 0 },
      traces: { count: pools.agentTraces, added: added?.agent.addedTraces ?? 0 },
    },
    environment: {
      count: pools.environment,
      added: added?.environment.added ?? 0,
      weight,
      effectiveSampleSize,
      meanSuccessRate,
    },
  };
}
