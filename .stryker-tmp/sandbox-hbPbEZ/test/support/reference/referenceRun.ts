/** A whole run on the reference policy: in memory, or in a run folder. */
import type { Ports } from '../../../src/engine/ports.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { MemoryRun, runScripted, smallExperiment } from '../scripted/scriptedRun.ts';
import { ReferencePolicy } from './referencePolicy.ts';
import { agentReader, environmentReader, ReferenceDomain, ReferenceScorer } from './referenceTasks.ts';

export type Settings = NonNullable<Parameters<typeof smallExperiment>[0]>;

/** A small experiment whose two policies move visibly within its three epochs. */
export function referenceExperiment(settings: Settings = {}): Experiment {
  return smallExperiment({
    ...settings,
    curriculum: { kMin: 0.3, ...settings.curriculum },
    rollouts: { maxTokens: 3, ...settings.rollouts },
    agent: { learningRate: 0.15, ...settings.agent },
    environment: { learningRate: 0.05, updateKlCap: null, ...settings.environment },
  });
}

export interface ReferenceRun {
  run: MemoryRun;
  agent: ReferencePolicy;
  environment: ReferencePolicy;
  domain: ReferenceDomain;
}

export interface ReferenceOptions {
  ports?: Partial<Ports>;
  domain?: ReferenceDomain;
}

/** Runs an experiment to its end. */
export async function runReference(experiment: Experiment, options: ReferenceOptions = {}): Promise<ReferenceRun> {
  const agent = new ReferencePolicy(agentReader);
  const environment = new ReferencePolicy(environmentReader);
  const domain = options.domain ?? new ReferenceDomain();
  const run = await runScripted(experiment, new MemoryRun(), {
    ports: { agent, environment, domain, scorer: new ReferenceScorer(), ...options.ports },
  });
  return { run, agent, environment, domain };
}

export function eventsOf<T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
