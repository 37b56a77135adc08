/** The facts of a run's pools in the data pools' rows. */
import type { RunState } from '../../../engine/state.ts';
import type { DomainPoolFacts, RunFacts } from '../../../runs/facts/runFacts.ts';

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
  /** Of a run of several domains: the parts of each; none where it has one. */
  domains: readonly DomainFacts[];
}

interface DomainFacts {
  domain: string;
  base: number;
  validation: number;
  /** Tasks that were written, and attempts at its tasks. */
  written: number;
  attempts: number;
  environment: Pick<DomainPoolFacts, 'instances' | 'share' | 'meanSuccessRate'>;
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
    domains: domainFacts(facts),
  };
}

function domainFacts(facts: RunFacts): DomainFacts[] {
  const pooled = new Map(facts.environmentPool().domains.map((part) => [part.domain, part]));
  const sums = new Map<string, { written: number; attempts: number }>();
  for (const event of facts.light) {
    if (event.type !== 'tasks.generated' && event.type !== 'rollouts.finished') continue;
    for (const part of event.domains ?? []) {
      const sum = sums.get(part.domain) ?? { written: 0, attempts: 0 };
      sums.set(part.domain, sum);
      if ('accepted' in part) sum.written += part.accepted;
      else sum.attempts += part.rollouts;
    }
  }
  return (facts.started?.domains ?? []).map(({ domain, base, validation }) => ({
    ...{ domain, base, validation },
    ...(sums.get(domain) ?? { written: 0, attempts: 0 }),
    environment: pooled.get(domain) ?? { instances: 0, share: 0, meanSuccessRate: null },
  }));
}
