/**
 * Settings that together hold every pair of values of the method's settings, and runs of the other modes: what golden
 * journals, and the recomputation of journals from records, are made with.
 */
import type { Benchmark, RewardProgram } from '../../../src/engine/ports.ts';
import type { Curriculum, Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { ReferenceDomain, ReferenceScorer, UnexecutedDomain } from './referenceTasks.ts';
import { referenceExperiment, runReference, type ReferenceOptions, type Settings } from './referenceRun.ts';

/** The varied factors, each with its values. */
export const factors = {
  loss: ['ppo', 'cispo', 'importance_sampling'],
  normalisation: ['token-mean', 'seq-mean'],
  advantageNorm: ['group-std', 'none'],
  agentKl: [0, 0.2],
  tokenWeights: ['sequence', 'instance'],
  environmentKl: [0.05, 0],
  cap: ['none', 'update', 'total'],
  alpha: [0.5, 0.35],
  filter: ['hard', 'soft', 'off'],
  scope: ['family', 'epoch', 'task'],
  estimate: ['mean', 'posterior'],
  warmupEpochs: [0, 1],
  shares: ['base', 'pool', 'both'],
  condition: [true, false],
  temperature: [1, 0.7],
} as const;

type Factors = typeof factors;
type Row = { [K in keyof Factors]: Factors[K][number] };

const row = (
  loss: Row['loss'],
  normalisation: Row['normalisation'],
  advantageNorm: Row['advantageNorm'],
  agentKl: Row['agentKl'],
  tokenWeights: Row['tokenWeights'],
  environmentKl: Row['environmentKl'],
  cap: Row['cap'],
  alpha: Row['alpha'],
  filter: Row['filter'],
  scope: Row['scope'],
  estimate: Row['estimate'],
  warmupEpochs: Row['warmupEpochs'],
  shares: Row['shares'],
  condition: Row['condition'],
  temperature: Row['temperature'],
): Row => ({
  ...{ loss, normalisation, advantageNorm, agentKl, tokenWeights, environmentKl, cap, alpha },
  ...{ filter, scope, estimate, warmupEpochs, shares, condition, temperature },
});

/** Every pair of values of two factors stands in one of these. */
// prettier-ignore
export const rows: readonly Row[] = [
  row('ppo', 'seq-mean', 'group-std', 0.2, 'instance', 0, 'none', 0.35, 'hard', 'epoch', 'mean', 0, 'both', true, 1),
  row('importance_sampling', 'seq-mean', 'none', 0, 'sequence', 0.05, 'total', 0.5, 'off', 'task', 'posterior', 1, 'base', false, 0.7),
  row('cispo', 'token-mean', 'group-std', 0.2, 'sequence', 0.05, 'update', 0.5, 'soft', 'family', 'mean', 1, 'pool', false, 1),
  row('cispo', 'token-mean', 'none', 0, 'instance', 0, 'update', 0.35, 'off', 'family', 'posterior', 0, 'pool', true, 0.7),
  row('ppo', 'token-mean', 'none', 0, 'sequence', 0.05, 'none', 0.5, 'hard', 'epoch', 'posterior', 1, 'both', false, 0.7),
  row('importance_sampling', 'token-mean', 'group-std', 0.2, 'instance', 0, 'total', 0.35, 'soft', 'task', 'mean', 0, 'base', true, 1),
  row('importance_sampling', 'seq-mean', 'none', 0, 'instance', 0, 'update', 0.35, 'soft', 'epoch', 'mean', 1, 'both', false, 1),
  row('cispo', 'seq-mean', 'group-std', 0.2, 'instance', 0.05, 'none', 0.5, 'off', 'epoch', 'mean', 0, 'base', true, 0.7),
  row('importance_sampling', 'seq-mean', 'group-std', 0, 'sequence', 0, 'none', 0.35, 'hard', 'family', 'posterior', 0, 'pool', true, 1),
  row('ppo', 'token-mean', 'none', 0.2, 'sequence', 0, 'none', 0.5, 'soft', 'task', 'posterior', 1, 'pool', true, 0.7),
  row('ppo', 'token-mean', 'group-std', 0.2, 'sequence', 0.05, 'total', 0.35, 'off', 'family', 'mean', 0, 'both', false, 1),
  row('cispo', 'token-mean', 'none', 0.2, 'sequence', 0.05, 'update', 0.35, 'hard', 'task', 'mean', 1, 'both', true, 1),
  row('ppo', 'seq-mean', 'group-std', 0, 'sequence', 0, 'update', 0.35, 'hard', 'family', 'posterior', 0, 'base', false, 0.7),
  row('cispo', 'token-mean', 'none', 0, 'sequence', 0.05, 'total', 0.35, 'hard', 'epoch', 'posterior', 0, 'pool', true, 1),
];

/** Base share and pool share of a batch. */
const shares = { base: [0.25, 0], pool: [0, 0.25], both: [0.125, 0.25] } as const;

/** The settings of a row. Its caps are low enough to be reached. */
function settingsOf(of: Row): Settings {
  const [baseShare, poolShare] = shares[of.shares];
  return {
    epochs: 2,
    curriculum: {
      ...{ alpha: of.alpha, filter: of.filter, scope: of.scope, estimate: of.estimate },
      ...{ warmupEpochs: of.warmupEpochs, kMin: 0.15 },
    },
    generation: { condition: of.condition, temperature: of.temperature },
    rollouts: { baseShare, poolShare, temperature: of.temperature },
    agent: {
      ...{ loss: of.loss, normalisation: of.normalisation, advantageNorm: of.advantageNorm },
      ...{ klCoefficient: of.agentKl, passes: 2 },
    },
    environment: {
      ...{ tokenWeights: of.tokenWeights, klCoefficient: of.environmentKl, minFamilies: 1 },
      updateKlCap: of.cap === 'update' ? 1e-3 : null,
      totalKlCap: of.cap === 'total' ? 0.02 : null,
    },
    validation: { rollouts: 3, temperature: of.temperature },
  };
}

export interface Case {
  name: string;
  experiment: Experiment;
  options(): Promise<ReferenceOptions>;
}

/** Every kind of reward but the paper's, with settings under which it decides something. */
function rewards(): Record<string, { settings: Settings }> {
  const environment = { minFamilies: 1, bufferEpochs: 2 };
  const paid = (kind: Curriculum['reward']['kind'], repetition = 1) => ({ kind, repetition, file: null });
  const run = (curriculum: Settings['curriculum'], more: Settings = {}): { settings: Settings } => ({
    settings: { epochs: 2, environment, curriculum: { filter: 'off', warmupEpochs: 0, ...curriculum }, ...more },
  });
  return {
    'reward-step': run({ reward: paid('step'), kMin: 0.2 }),
    'reward-learnability': run({ reward: paid('learnability'), scope: 'task' }),
    'reward-learnability-unbiased': run({ reward: paid('learnability-unbiased'), filter: 'soft' }),
    'reward-variance': run({ reward: paid('variance'), estimate: 'posterior' }),
    'reward-uncertainty': run({ reward: paid('uncertainty', 0.5), scope: 'task' }),
    'reward-proposer': run({ reward: paid('proposer') }),
    'reward-regret': run({ reward: paid('regret'), scope: 'task', filter: 'soft' }),
    'reward-advantage': run({ reward: paid('advantage'), scope: 'epoch' }),
    'reward-file': run({ reward: { ...paid('file'), file: 'own.curriculum.ts' }, scope: 'task', filter: 'soft' }),
    'reward-progress': run({ reward: paid('progress') }, { epochs: 4, generation: { families: 6 } }),
  };
}

/** Every update of the environment but the paper's, with settings under which it decides something. */
function updates(): Record<string, { settings: Settings; domain?: () => ReferenceDomain }> {
  const curriculum = { filter: 'off', warmupEpochs: 0, scope: 'task' } as const;
  const planned = (): ReferenceDomain => new ReferenceDomain({ plans: true });
  const compared = { update: 'grpo', minFamilies: 1, baseShare: 0.25, steps: 3, minibatch: 8 } as const;
  return {
    'update-grpo': { settings: { epochs: 3, curriculum, environment: { ...compared, klCoefficient: 0.1 } } },
    'update-grpo-plans': {
      settings: {
        ...{ epochs: 3, generation: { families: 6, perSeed: 3 } },
        curriculum: { ...curriculum, scope: 'family' },
        environment: {
          ...{ ...compared, loss: 'cispo', advantageNorm: 'group-std', klCoefficient: 0 },
          ...{ tokenWeights: 'instance', invalidReward: null, baseShare: 0, totalKlCap: 0.02 },
        },
      },
      domain: planned,
    },
    'update-rejection': {
      settings: { epochs: 3, curriculum, environment: { update: 'rejection', keepBest: 0.3, bufferEpochs: 2 } },
    },
    'update-rejection-soft': {
      settings: {
        ...{ epochs: 2, curriculum: { ...curriculum, scope: 'family', filter: 'soft', kMin: 0.1 } },
        environment: { update: 'rejection', keepBest: 0.5, minFamilies: 1 },
      },
    },
    'update-none': { settings: { epochs: 2, environment: { update: 'none' } } },
  };
}

/** Every sampler of given tasks but chance, in the modes that draw them. */
function samplers(): Record<string, { settings: Settings }> {
  const sampler = (kind: Experiment['rollouts']['sampler']['kind'], temperature = 0.5, staleness = 0.3) => ({
    sampler: { kind, temperature, staleness },
  });
  const few = { families: 2, variations: 2 };
  return {
    'sampler-plr': {
      settings: { epochs: 5, generation: few, rollouts: { ...sampler('plr'), poolShare: 0.4, baseShare: 0.3 } },
    },
    'sampler-band': {
      settings: {
        ...{ mode: 'random', epochs: 5, generation: few, curriculum: { kMin: 0.2 } },
        rollouts: { ...sampler('band'), poolShare: 0.5, baseShare: 0.2, batch: 4 },
      },
    },
    'sampler-edits': {
      settings: {
        ...{ mode: 'random', epochs: 5, generation: { families: 4, variations: 2, perSeed: 2, editShare: 0.8 } },
        rollouts: { ...sampler('plr'), poolShare: 0.4, baseShare: 0.2 },
      },
    },
    'sampler-easiest-first': {
      settings: {
        ...{ mode: 'static', epochs: 5, generation: { ...few, staticFamilies: 6, staticVariations: 3 } },
        rollouts: sampler('easiest-first'),
      },
    },
    'sampler-offline': {
      settings: {
        mode: 'offline',
        epochs: 5,
        generation: few,
        rollouts: { ...sampler('plr', 0.2, 0.5), baseShare: 0.3 },
      },
    },
  };
}

/** α that moves. */
function courses(): Record<string, { settings: Settings }> {
  const environment = { minFamilies: 1, bufferEpochs: 2, baseShare: 0.25 } as const;
  const points = (first: number, second: number) => [
    { epoch: first, alpha: 0.35 },
    { epoch: second, alpha: 0.7 },
  ];
  return {
    'alpha-line': {
      settings: {
        ...{ epochs: 4, environment, curriculum: { filter: 'soft', alphaPoints: points(2, 4), alphaBetween: 'line' } },
        rollouts: { poolShare: 0.3, sampler: { kind: 'band', temperature: 1, staleness: 0.2 } },
      },
    },
    'alpha-steps': { settings: { epochs: 3, environment, curriculum: { filter: 'soft', alphaPoints: points(1, 3) } } },
  };
}

/** α by each of its controllers, over windows that end within the run. */
function controllers(): Record<string, { settings: Settings }> {
  const control = (kind: Experiment['curriculum']['control']['kind'], every: number) => ({
    control: { kind, every, step: 0.15, low: 0.3, high: 0.7 },
  });
  const environment = { minFamilies: 1 } as const;
  return {
    'control-gain': {
      settings: { epochs: 7, environment, curriculum: control('gain', 2), validation: { every: 1 } },
    },
    'control-learnability': {
      settings: { epochs: 6, environment, curriculum: { filter: 'soft', ...control('learnability', 1) } },
    },
    'control-success': { settings: { epochs: 6, environment, curriculum: control('success', 1) } },
  };
}

/** Settings outside the table, once each: modes, plans, episodes of several turns, rounds, lengths. */
const others: Record<string, { settings: Settings; domain?: () => ReferenceDomain; benchmark?: true }> = {
  plans: {
    settings: { epochs: 3, environment: { bufferEpochs: 2 } },
    domain: () => new ReferenceDomain({ plans: true }),
  },
  episodes: {
    settings: { epochs: 2, rollouts: { maxTurns: 2, maxTokens: 4 } },
    domain: () => new ReferenceDomain({ turns: 2 }),
  },
  rounds: {
    settings: {
      ...{ epochs: 2, rollouts: { batch: 3, poolShare: 0.25 }, generation: { families: 4 } },
      agent: { minibatchUnit: 'task', minibatch: 2 },
    },
  },
  pool: { settings: { epochs: 5, rollouts: { poolShare: 0.5 }, curriculum: { filter: 'off' } } },
  agreement: {
    settings: {
      ...{ epochs: 2, rollouts: { maxSequence: 60 } },
      generation: { families: 6, agreementAnswers: 5, agreementShare: 0.4, agreementBy: 'agent' },
    },
    domain: () => new UnexecutedDomain(),
  },
  sequences: { settings: { epochs: 2, rollouts: { maxSequence: 12 }, generation: { maxSequence: 47 } } },
  benchmark: {
    settings: {
      ...{ epochs: 2, budget: { seconds: 1e6 } },
      evaluation: { every: 1, attempts: 3, temperature: 1.5 },
    },
    benchmark: true,
  },
  ...rewards(),
  ...updates(),
  ...samplers(),
  ...courses(),
  ...controllers(),
  random: { settings: { mode: 'random', epochs: 2, rollouts: { poolShare: 0.25 } } },
  stale: {
    settings: {
      ...{ epochs: 4, rollouts: { staleness: 1, poolShare: 0.25 }, generation: { families: 3, variations: 2 } },
      curriculum: { reward: { kind: 'progress', repetition: 0, file: null }, scope: 'task', filter: 'off' },
    },
  },
  'cut-off': {
    settings: {
      ...{ epochs: 4, generation: { families: 6 }, rollouts: { cutOff: 'band', group: 8, poolShare: 0.25 } },
      curriculum: { kMin: 0.15, warmupEpochs: 1 },
    },
  },
  spare: {
    settings: { epochs: 4, rollouts: { spare: 0.5, poolShare: 0.25 }, generation: { families: 4, variations: 2 } },
  },
  late: {
    settings: {
      ...{ epochs: 4, generation: { families: 4, variations: 2 } },
      rollouts: { staleness: 1, late: 0.5, baseShare: 0.25, poolShare: 0.25 },
    },
  },
  stream: {
    settings: {
      ...{ epochs: 3, rollouts: { poolShare: 0.25 }, generation: { families: 4, variations: 2 } },
      agent: { stream: true, minibatchUnit: 'task', minibatch: 2, passes: 2, klCoefficient: 0.05 },
    },
  },
  longest: { settings: { epochs: 4, rollouts: { order: 'longest', poolShare: 0.25 } } },
  static: {
    settings: {
      ...{ mode: 'static', epochs: 2, rollouts: { poolShare: 0.25 } },
      generation: { families: 2, variations: 2 },
    },
  },
  offline: { settings: { mode: 'offline', epochs: 2, rollouts: { poolShare: 0.25 } } },
  release: {
    settings: { mode: 'release', epochs: 2, generation: { families: 3, variations: 2, rankCut: 0.2, rankRollouts: 3 } },
  },
};

/** Every run that is held to golden journals. Nothing runs before it is asked for. */
export const cases: readonly Case[] = [
  ...rows.map((of, i) => ({
    name: `coevolve-${i + 1}`,
    experiment: referenceExperiment(settingsOf(of)),
    options: () => Promise.resolve({}),
  })),
  ...Object.entries(others).map(([name, { settings, domain, benchmark }]) => ({
    name,
    experiment: referenceExperiment(settings),
    options: async () => ({
      ...(domain === undefined ? {} : { domain: domain() }),
      ...(benchmark === undefined ? {} : { ports: { benchmark: ladderBenchmark() } }),
      ...(settings.curriculum?.reward?.kind === 'file' ? { ports: { rewardProgram: ownRewards } } : {}),
      ...(settings.mode === 'offline' ? { ports: { offlineTasks: await offlineTasks() } } : {}),
    }),
  })),
];

/** As a file might: failures of a task's attempts, below 0 where all succeed, and unknown for every third family. */
const ownRewards: RewardProgram = {
  rewards: (families) =>
    Promise.resolve(
      new Map(
        families.flatMap(({ tasks }, i): [string, number][] =>
          i % 3 === 2
            ? []
            : tasks.map(({ id, attempts }) => {
                const failures = attempts.filter(({ success }) => success === false).length;
                return [id, failures === 0 ? -0.5 : failures / attempts.length];
              }),
        ),
      ),
    ),
};

/** The ladder's validation tasks as a benchmark of other people. */
function ladderBenchmark(): Benchmark {
  const domain = new ReferenceDomain();
  const tasks = domain.seeds('validation').slice(0, 5);
  const data = { of: 12, whole: true };
  return { name: 'ladder', rule: 'exact', digest: '0'.repeat(64), tasks, data, domain, scorer: new ReferenceScorer() };
}

/** The texts of a run of two epochs, as a file for mode `offline`. */
async function offlineTasks(): Promise<Task[]> {
  const { run } = await runReference(referenceExperiment({ epochs: 2 }));
  return run.tasks
    .filter(({ status }) => status === 'accepted')
    .map((task) => ({ ...task, origin: 'offline' as const }));
}
