/** Journal events as a run writes them, made by hand for tests that fold over them. */
import { successRate } from '../../src/engine/math/successRate.ts';
import type { EpochSummary, EventOf, FamilyScore, JournalEvent } from '../../src/shared/journal/events.ts';
import type { SuccessRate } from '../../src/shared/journal/scores.ts';

const version = { name: 'agent@0', handle: 'agent-0' };
const checkpoint = { name: 'start', handle: 'checkpoints/start' };

export interface EpochScript {
  successes: number;
  attempts: number;
  alpha?: number;
  kMin?: number;
  environment?: 'updated' | 'skipped' | 'none';
  agent?: 'updated' | 'none';
  validation?: string;
  /** Settings that a branch changes with it. */
  changed?: readonly string[];
}

export function epochSummary(epoch: number, over: Partial<EpochSummary> = {}): EpochSummary {
  return {
    epoch,
    successRate: successRate(50, 100),
    inBand: 0.5,
    environmentReward: 0.9,
    familiesKept: 7,
    families: 14,
    effectiveSampleSize: 6.5,
    kl: { agent: 0.012, environment: 0.034 },
    taskLength: 31.5,
    answerLength: 14.2,
    rejected: { schema: 2, duplicate: 1 },
    rollouts: 512,
    tokens: 20_000,
    seconds: 2.5,
    ...over,
  };
}

function familyScore(id: string, rate: SuccessRate, kept: boolean): FamilyScore {
  const weight = kept ? 1 / 7 : 0;
  const { successes, attempts } = rate;
  return {
    id,
    seed: 'base.1',
    origin: 'generated',
    plan: 'steps 4 tools 5 fillers 1',
    tasks: [{ id: `${id}.v0`, successes, attempts, environmentReward: 0.9, weight }],
    successRate: rate,
    estimate: rate.p ?? 0,
    environmentReward: 0.9,
    kept: kept ? 1 : 0,
    weight,
    complexity: { steps: 4 },
  };
}

/** A whole run's events: one script an epoch, `start` the validation before epoch 1. */
export function journalOf(epochs: readonly EpochScript[], start?: string, mode = 'coevolve'): JournalEvent[] {
  const events: JournalEvent[] = [];
  const head = (): { v: 1; seq: number; at: number } => ({ v: 1, seq: events.length, at: 1_000 * events.length });
  const validated = (epoch: number, outcomes: string): EventOf<'validated'> => ({
    ...head(),
    type: 'validated',
    epoch,
    version: `agent@${epoch}`,
    successRate: successRate(outcomes.replaceAll('0', '').length, outcomes.length),
    outcomes,
    answerLength: 12,
    tokens: 100,
    seconds: 1,
  });
  events.push({
    ...head(),
    type: 'run.started',
    mode,
    seed: 1,
    epochs: epochs.length,
    agent: version,
    environment: { name: 'environment@0', handle: 'environment-0' },
    checkpoints: { agent: checkpoint, environment: checkpoint },
    base: 544,
    validation: start?.length ?? 0,
  });
  if (start !== undefined) events.push(validated(0, start));
  epochs.forEach((script, index) => {
    const epoch = index + 1;
    const { successes, attempts, alpha = 0.5, kMin = 0.1, changed = [] } = script;
    if (changed.length > 0) {
      const changes = changed.map((field) => ({ field, from: null, to: 1 }));
      events.push({ ...head(), type: 'settings.changed', epoch, author: 'ada', changes });
    }
    const rate = successRate(successes, attempts);
    events.push({
      ...head(),
      type: 'epoch.started',
      epoch,
      settings: { alpha, beta: 8, lambda: 1, kMin },
      versions: { agent: version, environment: { name: 'environment@0', handle: 'environment-0' } },
    });
    events.push({
      ...head(),
      type: 'families.scored',
      epoch,
      scope: 'family',
      families: Array.from({ length: 14 }, (_, index) => familyScore(`e${epoch}.f${index}`, rate, index < 7)),
      successRate: rate,
      baseSuccessRate: rate,
      inBand: 0.5,
      environmentReward: 0.9,
      familiesKept: 7,
      effectiveSampleSize: 6.5,
    });
    const groups = { solved: 1, hopeless: 2, trained: 3, broken: 0 };
    if (script.agent !== 'none') {
      events.push({
        ...head(),
        type: 'agent.updated',
        epoch,
        version: { name: `agent@${epoch}`, handle: `agent-${epoch}` },
        checkpoint,
        groups,
        steps: 2,
        sequences: 64,
        tokens: 900,
        loss: 0.1,
        entropy: 0.5,
        gradNorm: 0.3,
        kl: { sampleTrainV1: 0, sampleTrainV2: 0, prePost: 0.001, reference: 0.012 },
        seconds: 1,
      });
    }
    if (script.environment === 'skipped') {
      const reason = 'No family lay in the band.';
      events.push({ ...head(), type: 'environment.skipped', epoch, reason, familiesKept: 0, families: 14 });
    } else if (script.environment !== 'none') {
      events.push({
        ...head(),
        type: 'environment.updated',
        epoch,
        version: { name: `environment@${epoch}`, handle: `environment-${epoch}` },
        checkpoint,
        families: 7,
        sequences: 28,
        tokens: 800,
        steps: 3,
        stoppedBy: 'end',
        effectiveSampleSize: 6.5,
        loss: 1.2,
        gradNorm: 0.4,
        kl: { update: 0.01, initial: 0.034 },
        seconds: 1,
      });
    }
    if (script.validation !== undefined) events.push(validated(epoch, script.validation));
    events.push({ ...head(), type: 'epoch.finished', epoch, summary: epochSummary(epoch, { successRate: rate }) });
  });
  events.push({ ...head(), type: 'run.finished', reason: 'epochs', note: 'All epochs are done.' });
  return events;
}
