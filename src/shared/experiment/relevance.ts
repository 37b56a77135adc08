/** Fields that have no say under the other settings, and why. */
import { isAdapterDomain } from '../domains/domainFile.ts';
import { trainsEnvironment } from './trains.ts';
import { drawsTasks, isProgram } from './tasks/shippedDomains.ts';
import { domainsOf } from './tasks/domains.ts';
import type { FieldPath } from './field.ts';
import type { Experiment } from './schema.ts';

interface Rule {
  /** Fields, or sections with all their fields. */
  of: readonly (
    FieldPath | 'environment' | 'agent' | 'validation' | 'evaluation' | 'curriculum.reward' | 'rollouts.sampler'
  )[];
  /** The field that decides it. */
  but?: FieldPath;
  /** Why they have none; null where they do. */
  why: (experiment: Experiment) => string | null;
}

const inMode =
  (mode: Experiment['mode'], does: string) =>
  (experiment: Experiment): string | null =>
    experiment.mode === mode ? null : `Only mode “${mode}” ${does}.`;

const otherUpdate =
  (update: Experiment['environment']['update'], does: string) =>
  ({ environment }: Experiment): string | null =>
    environment.update === update ? null : `Only update “${update}” ${does}; this one is “${environment.update}”.`;

const rules: readonly Rule[] = [
  {
    of: ['reward.seconds', 'reward.megabytes', 'reward.network'],
    why: (experiment) =>
      experiment.reward.file === null &&
      experiment.curriculum.reward.kind !== 'file' &&
      domainsOf(experiment).every(({ settings }) => !isProgram(settings))
        ? 'No reward file, no domain file and no curriculum file is named.'
        : null,
  },
  { of: ['generation.staticFamilies', 'generation.staticVariations'], why: inMode('static', 'writes its tasks once') },
  {
    of: ['domain.name', 'domain.file', 'domain.seeds', 'domain.heldOut', 'domain.baseTasks', 'domain.taskSeed'],
    why: ({ domains }) => (domains === undefined ? null : 'The run has several domains, which are listed apart.'),
  },
  {
    of: ['domain.heldOut'],
    why: ({ domain }) => (domain.name === 'storekeeper' ? 'This domain has held-out tasks of its own.' : null),
  },
  {
    of: ['domain.taskSeed'],
    why: ({ domain }) => (drawsTasks(domain) ? null : 'Only the storekeeper draws tasks of its own.'),
  },
  {
    of: ['generation.agreementAnswers', 'generation.agreementShare', 'generation.agreementBy'],
    why: (experiment) =>
      domainsOf(experiment).some(({ settings }) => settings.name === 'bamboogle' || isAdapterDomain(settings))
        ? null
        : 'The golds of this domain are executed, or proven otherwise.',
  },
  {
    of: ['generation.agreementShare', 'generation.agreementBy'],
    why: ({ generation }) => (generation.agreementAnswers === 0 ? 'No independent answers are asked for.' : null),
  },
  {
    of: ['generation.testSets'],
    why: ({ generation }) =>
      generation.heldOutRun === null ? 'Written tasks are not compared by their words (generation.heldOutRun).' : null,
  },
  {
    of: ['generation.embeddingModel', 'generation.embeddingKey'],
    why: ({ generation }) => (generation.embeddingUrl === null ? 'No embedding server is named.' : null),
  },
  { of: ['generation.offlineFile'], why: inMode('offline', 'reads a file of tasks') },
  { of: ['generation.rankCut', 'generation.rankRollouts'], why: inMode('release', 'ranks seeds') },
  {
    of: ['environment', 'curriculum.lambda', 'curriculum.filter', 'curriculum.warmupEpochs'],
    why: ({ mode }) => (mode === 'coevolve' ? null : `Mode “${mode}” does not train the environment.`),
  },
  {
    of: ['environment', 'curriculum.lambda', 'curriculum.filter', 'curriculum.warmupEpochs'],
    but: 'environment.update',
    why: ({ environment }) =>
      environment.update === 'none' ? 'The environment is not trained (environment.update).' : null,
  },
  {
    of: ['curriculum.lambda'],
    why: otherUpdate('rwr', 'weights texts by their reward'),
  },
  {
    of: ['environment.keepBest'],
    why: otherUpdate('rejection', 'cuts'),
  },
  {
    of: [
      'environment.loss',
      'environment.clipLow',
      'environment.clipHigh',
      'environment.advantageNorm',
      'environment.invalidReward',
    ],
    why: otherUpdate('grpo', 'has advantages'),
  },
  {
    of: ['environment.clipLow', 'environment.clipHigh'],
    why: ({ environment }) => (environment.loss === 'importance_sampling' ? 'This loss clips nothing.' : null),
  },
  {
    of: ['environment.bufferEpochs'],
    why: ({ environment }) =>
      environment.update === 'grpo' ? 'GRPO learns from the newest texts: it compares them by who wrote them.' : null,
  },
  {
    of: ['generation.editShare'],
    why: ({ mode }) =>
      mode === 'coevolve' || mode === 'random' ? null : `Mode “${mode}” writes from the tasks that it is given.`,
  },
  {
    of: ['generation.perSeed'],
    why: ({ mode }) =>
      mode === 'offline' || mode === 'release' ? `Mode “${mode}” asks for each seed once at most.` : null,
  },
  {
    of: ['curriculum.reward', 'curriculum.beta'],
    why: ({ mode }) => (mode === 'coevolve' ? null : `Mode “${mode}” only shows it: the environment is not trained.`),
  },
  {
    of: ['curriculum.kMin'],
    why: ({ mode, rollouts: { sampler } }) =>
      mode === 'coevolve' || sampler.kind === 'band'
        ? null
        : `Mode “${mode}” only shows it: the environment is not trained.`,
  },
  {
    of: ['curriculum.alphaBetween'],
    why: ({ curriculum }) => (curriculum.alphaPoints === null ? 'α is the same in every epoch.' : null),
  },
  {
    of: ['curriculum.control.every', 'curriculum.control.step', 'curriculum.control.low', 'curriculum.control.high'],
    why: ({ curriculum: { control } }) =>
      control.kind === 'off' ? 'α has no controller (curriculum.control.kind).' : null,
  },
  {
    of: ['curriculum.alpha'],
    why: ({ curriculum }) =>
      curriculum.alphaPoints?.[0]?.epoch === 1 ? 'The course of α begins in epoch 1 (curriculum.alphaPoints).' : null,
  },
  {
    of: ['curriculum.beta'],
    why: ({ curriculum: { reward } }) =>
      reward.kind === 'kernel' ? null : `Only reward “kernel” reads it; this one is “${reward.kind}”.`,
  },
  {
    of: ['curriculum.reward.repetition'],
    why: ({ curriculum: { reward } }) =>
      reward.kind === 'uncertainty' ? null : `Only reward “uncertainty” has a penalty; this one is “${reward.kind}”.`,
  },
  {
    of: ['curriculum.warmupEpochs'],
    why: ({ curriculum }) => (curriculum.filter === 'off' ? 'The filter is off in every epoch.' : null),
  },
  {
    of: ['curriculum.kMin'],
    why: ({ curriculum, rollouts: { sampler } }) =>
      curriculum.filter === 'off' && curriculum.reward.kind !== 'step' && sampler.kind !== 'band'
        ? 'The filter is off: k_min only marks the band in charts.'
        : null,
  },
  {
    of: [
      'generation.temperature',
      'generation.maxTokens',
      'generation.attempts',
      'generation.condition',
      'generation.duplicates',
      'generation.heldOutRun',
      'generation.testSets',
      'generation.embeddingUrl',
      'generation.embeddingModel',
      'generation.embeddingKey',
      'generation.agreementAnswers',
      'generation.agreementShare',
      'generation.agreementBy',
      'endpoints.environment.weights',
    ],
    why: ({ mode }) => (mode === 'offline' ? 'Mode “offline” has the environment write nothing.' : null),
  },
  {
    of: ['rollouts.poolShare'],
    why: ({ mode }) =>
      mode === 'static' || mode === 'offline' ? `Mode “${mode}” draws no tasks of earlier epochs.` : null,
  },
  {
    of: ['rollouts.baseShare', 'rollouts.poolShare'],
    why: ({ mode }) => (mode === 'release' ? 'Mode “release” trains on as many originals as new tasks.' : null),
  },
  {
    of: ['rollouts.sampler'],
    why: ({ mode }) => (mode === 'release' ? 'Mode “release” draws its originals by chance alone.' : null),
  },
  {
    of: ['rollouts.sampler.temperature'],
    why: ({ rollouts: { sampler } }) =>
      sampler.kind === 'plr' ? null : `Only sampler “plr” draws by rank; this one is “${sampler.kind}”.`,
  },
  {
    of: ['rollouts.sampler.staleness'],
    why: ({ rollouts: { sampler } }) =>
      sampler.kind === 'plr' || sampler.kind === 'band'
        ? null
        : `Only samplers “plr” and “band” draw by age; this one is “${sampler.kind}”.`,
  },
  {
    of: ['agent', 'rollouts.batch'],
    why: ({ agent }) => (agent.train ? null : 'The agent is not trained.'),
  },
  {
    of: ['rollouts.cutOff'],
    why: (experiment) =>
      trainsEnvironment(experiment) ? null : 'The environment does not learn: nothing hangs on a family’s place.',
  },
  {
    of: ['rollouts.staleness'],
    why: (experiment) =>
      experiment.agent.train || trainsEnvironment(experiment) ? null : 'No policy is trained: no version is old.',
  },
  {
    of: ['rollouts.order', 'rollouts.cutOff', 'rollouts.spare', 'rollouts.minGroup'],
    why: ({ agent, endpoints }) =>
      agent.train && endpoints.agent.kind === 'verl' ? 'A job makes all attempts of a batch by itself.' : null,
  },
  {
    of: ['environment.klCoefficient', 'environment.updateKlCap', 'environment.totalKlCap', 'environment.tokenWeights'],
    why: ({ endpoints }) =>
      endpoints.environment.kind === 'verl' ? 'A job learns resampled rows: it has no KL term, cap or weights.' : null,
  },
  {
    of: ['agent.clipLow', 'agent.clipHigh'],
    why: ({ agent }) => (agent.loss === 'importance_sampling' ? 'This loss clips nothing.' : null),
  },
  {
    of: ['validation', 'earlyStop.patience', 'earlyStop.minImprovement'],
    why: ({ validation }) => (validation.every === 0 ? 'No epoch is validated.' : null),
  },
  {
    of: ['evaluation'],
    why: ({ evaluation }) => (evaluation.every === 0 ? 'No epoch is evaluated on a benchmark.' : null),
  },
  {
    of: ['crossPlay.rollouts'],
    why: ({ crossPlay }) => (crossPlay.every === 0 ? 'Versions are not compared (crossPlay.every).' : null),
  },
  {
    of: ['evaluation.seed'],
    why: ({ evaluation }) => (evaluation.sample === null ? 'All tasks are attempted: none are drawn.' : null),
  },
  {
    of: ['earlyStop.patience', 'earlyStop.minImprovement'],
    why: ({ earlyStop }) => (earlyStop === null ? 'The run does not stop early.' : null),
  },
];

/** Switches stay enabled while the fields that they control are dimmed. */
const switches: ReadonlySet<string> = new Set<FieldPath>(['agent.train', 'validation.every', 'evaluation.every']);

/** Why a field has no say in this experiment; null when it has. */
export function whyIrrelevant(path: FieldPath, experiment: Experiment): string | null {
  if (switches.has(path)) return null;
  for (const { of, but, why } of rules) {
    if (path === but || !of.some((name) => path === name || path.startsWith(`${name}.`))) continue;
    const reason = why(experiment);
    if (reason !== null) return reason;
  }
  return null;
}
