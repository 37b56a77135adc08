/** Fields that have no say under the other settings, and why. */
import { isProgram } from './tasks/shippedDomains.ts';
import { domainsOf } from './tasks/domains.ts';
import type { FieldPath } from './field.ts';
import type { Experiment } from './schema.ts';

interface Rule {
  /** Fields, or sections with all their fields. */
  of: readonly (FieldPath | 'environment' | 'agent' | 'validation' | 'evaluation' | 'curriculum.reward')[];
  /** Why they have none; null where they do. */
  why: (experiment: Experiment) => string | null;
}

const inMode =
  (mode: Experiment['mode'], does: string) =>
  (experiment: Experiment): string | null =>
    experiment.mode === mode ? null : `Only mode “${mode}” ${does}.`;

const rules: readonly Rule[] = [
  {
    of: ['reward.seconds', 'reward.megabytes', 'reward.network'],
    why: (experiment) =>
      experiment.reward.file === null &&
      domainsOf(experiment).every(({ settings }) => settings.file === null && !isProgram(settings))
        ? 'No reward file and no domain file is named.'
        : null,
  },
  { of: ['generation.staticFamilies', 'generation.staticVariations'], why: inMode('static', 'writes its tasks once') },
  {
    of: ['domain.name', 'domain.file', 'domain.seeds', 'domain.heldOut', 'domain.baseTasks'],
    why: ({ domains }) => (domains === undefined ? null : 'The run has several domains, which are listed apart.'),
  },
  {
    of: ['domain.heldOut'],
    why: ({ domain }) => (domain.name === 'storekeeper' ? 'This domain has held-out tasks of its own.' : null),
  },
  {
    of: ['generation.agreementAnswers', 'generation.agreementShare', 'generation.agreementBy'],
    why: (experiment) =>
      domainsOf(experiment).some(({ settings }) => settings.name === 'bamboogle')
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
  { of: ['generation.offlineFile'], why: inMode('offline', 'reads a file of tasks') },
  { of: ['generation.rankCut', 'generation.rankRollouts'], why: inMode('release', 'ranks seeds') },
  {
    of: ['environment', 'curriculum.lambda', 'curriculum.filter', 'curriculum.warmupEpochs'],
    why: ({ mode }) => (mode === 'coevolve' ? null : `Mode “${mode}” does not train the environment.`),
  },
  {
    of: ['curriculum.reward', 'curriculum.beta', 'curriculum.kMin'],
    why: ({ mode }) => (mode === 'coevolve' ? null : `Mode “${mode}” only shows it: the environment is not trained.`),
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
    why: ({ curriculum }) =>
      curriculum.filter === 'off' && curriculum.reward.kind !== 'step'
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
    of: ['agent', 'rollouts.batch'],
    why: ({ agent }) => (agent.train ? null : 'The agent is not trained.'),
  },
  {
    of: ['rollouts.minGroup'],
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
    of: ['evaluation.seed'],
    why: ({ evaluation }) => (evaluation.sample === null ? 'All tasks are attempted: none are drawn.' : null),
  },
  {
    of: ['earlyStop.patience', 'earlyStop.minImprovement'],
    why: ({ earlyStop }) => (earlyStop === null ? 'The run does not stop early.' : null),
  },
];

/** Switches stay live where what they switch is dimmed. */
const switches: ReadonlySet<string> = new Set<FieldPath>(['agent.train', 'validation.every', 'evaluation.every']);

/** Why a field has no say in this experiment; null when it has. */
export function whyIrrelevant(path: FieldPath, experiment: Experiment): string | null {
  if (switches.has(path)) return null;
  for (const { of, why } of rules) {
    if (!of.some((name) => path === name || path.startsWith(`${name}.`))) continue;
    const reason = why(experiment);
    if (reason !== null) return reason;
  }
  return null;
}
