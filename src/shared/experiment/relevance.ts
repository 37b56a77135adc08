/** Fields that have no say under the other settings, and why: in the editor's language. */
import * as l10n from '@vscode/l10n';
import { trainsEnvironment } from './trains.ts';
import { drawsTasks, isProgram } from './tasks/shippedDomains.ts';
import { mayAskAgain } from './tasks/askedFor.ts';
import { domainsOf } from './tasks/domains.ts';
import type { FieldPath } from './field.ts';
import type { Experiment } from './schema.ts';

interface Rule {
  /** Fields, or sections with all their fields. */
  of: readonly (
    | FieldPath
    | 'environment'
    | 'agent'
    | 'validation'
    | 'evaluation'
    | 'curriculum.reward'
    | 'rollouts.sampler'
  )[];
  /** Fields of those sections that it does not hold for. */
  but?: readonly FieldPath[];
  /** Whether they still decide something beside the training: what is held out, shown, recorded or exported. */
  beside?: true;
  /** Why they have none; null where they do. */
  why: (experiment: Experiment) => string | null;
}

/** @param why a text, made when the page knows its language */
const inMode =
  (mode: Experiment['mode'], why: () => string) =>
  (experiment: Experiment): string | null =>
    experiment.mode === mode ? null : why();

const otherUpdate =
  (update: Experiment['environment']['update'], why: (other: string) => string) =>
  ({ environment }: Experiment): string | null =>
    environment.update === update ? null : why(environment.update);

const environmentFrozen = ({ mode }: Experiment): string | null =>
  mode === 'coevolve' ? null : l10n.t('Mode “{0}” does not train the environment.', mode);

const updatesNothing = ({ environment }: Experiment): string | null =>
  environment.update === 'none' ? l10n.t('The environment is not trained (environment.update).') : null;

const writesNothing = ({ mode }: Experiment): string | null =>
  mode === 'offline' ? l10n.t('Mode “offline” has the environment write nothing.') : null;

const agentFrozen = ({ agent }: Experiment): string | null =>
  agent.train ? null : l10n.t('The agent is not trained.');

const unvalidated = ({ validation }: Experiment): string | null =>
  validation.every === 0 ? l10n.t('No epoch is validated.') : null;

/** Whether anchors are chosen by what was measured at texts of the last epochs. */
const anchorsAtTarget = (experiment: Experiment): boolean => {
  const { anchors, baseShare } = experiment.environment;
  return trainsEnvironment(experiment) && anchors === 'target' && baseShare > 0;
};

/** They weigh the texts of the environment pool, which is recorded and exported whatever learns from it. */
const weighing = ['environment.keepBest', 'environment.tokenWeights'] as const;

const rules: readonly Rule[] = [
  {
    of: ['reward.seconds', 'reward.megabytes', 'reward.network'],
    why: (experiment) =>
      experiment.reward.file === null &&
      experiment.curriculum.reward.kind !== 'file' &&
      domainsOf(experiment).every(({ settings }) => !isProgram(settings))
        ? l10n.t('No reward file, no domain file and no curriculum file is named.')
        : null,
  },
  {
    of: ['generation.staticFamilies', 'generation.staticVariations'],
    why: inMode('static', () => l10n.t('Only mode “static” writes its tasks once.')),
  },
  {
    of: ['domain.name', 'domain.file', 'domain.seeds', 'domain.heldOut', 'domain.baseTasks', 'domain.taskSeed'],
    why: ({ domains }) =>
      domains === undefined ? null : l10n.t('The run has several domains, which are listed apart.'),
  },
  {
    of: ['domain.heldOut'],
    why: ({ domain }) =>
      domain.name === 'storekeeper' && domain.seeds === null
        ? l10n.t('This domain has held-out tasks of its own.')
        : null,
  },
  {
    of: ['domain.taskSeed'],
    why: ({ domain }) => (drawsTasks(domain) ? null : l10n.t('Only the storekeeper draws tasks of its own.')),
  },
  {
    of: ['generation.agreementAnswers', 'generation.agreementShare', 'generation.agreementBy'],
    why: (experiment) =>
      mayAskAgain(experiment) ? null : l10n.t('The golds of this domain are executed, or proven otherwise.'),
  },
  {
    of: ['generation.agreementShare', 'generation.agreementBy'],
    why: ({ generation }) =>
      generation.agreementAnswers === 0 ? l10n.t('No independent answers are asked for.') : null,
  },
  {
    of: ['generation.testSets'],
    why: ({ generation }) =>
      generation.heldOutRun === null
        ? l10n.t('Written tasks are not compared by their words (generation.heldOutRun).')
        : null,
  },
  {
    of: ['generation.embeddingModel', 'generation.embeddingKey'],
    why: ({ generation }) => (generation.embeddingUrl === null ? l10n.t('No embedding server is named.') : null),
  },
  {
    of: ['generation.offlineFile'],
    why: inMode('offline', () => l10n.t('Only mode “offline” reads a file of tasks.')),
  },
  {
    of: ['generation.rankCut', 'generation.rankRollouts'],
    why: inMode('release', () => l10n.t('Only mode “release” ranks seeds.')),
  },
  {
    of: ['environment'],
    but: ['environment.update', ...weighing],
    why: environmentFrozen,
  },
  {
    of: ['environment.update', ...weighing, 'curriculum.lambda', 'curriculum.filter', 'curriculum.warmupEpochs'],
    beside: true,
    why: environmentFrozen,
  },
  {
    of: ['environment'],
    but: ['environment.update', ...weighing],
    why: updatesNothing,
  },
  {
    of: [...weighing, 'curriculum.lambda', 'curriculum.filter', 'curriculum.warmupEpochs'],
    beside: true,
    why: updatesNothing,
  },
  {
    of: ['curriculum.lambda'],
    why: otherUpdate('rwr', (other) =>
      l10n.t('Only update “rwr” weights texts by their reward; this one is “{0}”.', other),
    ),
  },
  {
    of: ['environment.keepBest'],
    why: otherUpdate('rejection', (other) => l10n.t('Only update “rejection” cuts; this one is “{0}”.', other)),
  },
  {
    of: [
      'environment.loss',
      'environment.clipLow',
      'environment.clipHigh',
      'environment.advantageNorm',
      'environment.invalidReward',
    ],
    why: otherUpdate('grpo', (other) => l10n.t('Only update “grpo” has advantages; this one is “{0}”.', other)),
  },
  {
    of: ['environment.clipLow', 'environment.clipHigh'],
    why: ({ environment }) => (environment.loss === 'importance_sampling' ? l10n.t('This loss clips nothing.') : null),
  },
  {
    of: ['environment.bufferEpochs'],
    why: (experiment) =>
      experiment.environment.update === 'grpo' && !anchorsAtTarget(experiment)
        ? l10n.t('GRPO learns from the newest texts: it compares them by who wrote them.')
        : null,
  },
  {
    of: ['environment.anchors'],
    why: ({ environment: { baseShare } }) =>
      baseShare === 0 ? l10n.t('The update takes no anchors: environment.baseShare is 0.') : null,
  },
  {
    of: ['generation.condition'],
    why: ({ mode }) =>
      mode === 'static' ? l10n.t('Mode “static” writes in epoch 1 alone, before anything is measured.') : null,
  },
  {
    of: ['generation.editShare'],
    why: ({ mode }) =>
      mode === 'coevolve' || mode === 'random'
        ? null
        : l10n.t('Mode “{0}” writes from the tasks that it is given.', mode),
  },
  {
    of: ['generation.perSeed'],
    why: ({ mode }) =>
      mode === 'offline' || mode === 'release' ? l10n.t('Mode “{0}” asks for each seed once at most.', mode) : null,
  },
  {
    of: ['curriculum.reward', 'curriculum.beta'],
    beside: true,
    why: ({ mode }) =>
      mode === 'coevolve' ? null : l10n.t('Mode “{0}” only shows it: the environment is not trained.', mode),
  },
  {
    of: ['curriculum.kMin'],
    beside: true,
    why: ({ mode, rollouts: { sampler } }) =>
      mode === 'coevolve' || sampler.kind === 'band'
        ? null
        : l10n.t('Mode “{0}” only shows it: the environment is not trained.', mode),
  },
  {
    of: ['curriculum.alphaBetween'],
    why: ({ curriculum }) => (curriculum.alphaPoints === null ? l10n.t('α is the same in every epoch.') : null),
  },
  {
    of: ['curriculum.control.every', 'curriculum.control.step', 'curriculum.control.low', 'curriculum.control.high'],
    why: ({ curriculum: { control } }) =>
      control.kind === 'off' ? l10n.t('α has no controller (curriculum.control.kind).') : null,
  },
  {
    of: ['curriculum.alpha'],
    why: ({ curriculum }) =>
      curriculum.alphaPoints?.[0]?.epoch === 1
        ? l10n.t('The course of α begins in epoch 1 (curriculum.alphaPoints).')
        : null,
  },
  {
    of: ['curriculum.beta'],
    why: ({ curriculum: { reward } }) =>
      reward.kind === 'kernel' || reward.kind === 'file'
        ? null
        : l10n.t('Only reward “kernel” reads it; this one is “{0}”.', reward.kind),
  },
  {
    of: ['curriculum.reward.repetition'],
    why: ({ curriculum: { reward } }) =>
      reward.kind === 'uncertainty'
        ? null
        : l10n.t('Only reward “uncertainty” has a penalty; this one is “{0}”.', reward.kind),
  },
  {
    of: ['curriculum.reward.file'],
    why: ({ curriculum: { reward } }) =>
      reward.kind === 'file' ? null : l10n.t('Only reward “file” reads it; this one is “{0}”.', reward.kind),
  },
  {
    of: ['curriculum.warmupEpochs'],
    why: ({ curriculum }) => (curriculum.filter === 'off' ? l10n.t('The filter is off in every epoch.') : null),
  },
  {
    of: ['curriculum.kMin'],
    beside: true,
    why: (experiment) =>
      experiment.curriculum.filter === 'off' &&
      !['step', 'file'].includes(experiment.curriculum.reward.kind) &&
      experiment.rollouts.sampler.kind !== 'band' &&
      !anchorsAtTarget(experiment)
        ? l10n.t('The filter is off: k_min only marks the band in charts.')
        : null,
  },
  {
    of: [
      'generation.temperature',
      'generation.maxTokens',
      'generation.attempts',
      'generation.condition',
      'generation.duplicates',
      'generation.embeddingUrl',
      'generation.embeddingModel',
      'generation.embeddingKey',
      'generation.agreementAnswers',
      'generation.agreementShare',
      'generation.agreementBy',
      'endpoints.environment.weights',
    ],
    why: writesNothing,
  },
  {
    of: ['generation.heldOutRun', 'generation.testSets'],
    beside: true,
    why: writesNothing,
  },
  {
    of: ['rollouts.baseShare', 'rollouts.poolShare'],
    why: ({ mode }) => (mode === 'release' ? l10n.t('Mode “release” trains on as many originals as new tasks.') : null),
  },
  {
    of: ['rollouts.sampler'],
    why: ({ mode }) => (mode === 'release' ? l10n.t('Mode “release” draws its originals by chance alone.') : null),
  },
  {
    of: ['rollouts.sampler.temperature'],
    why: ({ rollouts: { sampler } }) =>
      sampler.kind === 'plr' ? null : l10n.t('Only sampler “plr” draws by rank; this one is “{0}”.', sampler.kind),
  },
  {
    of: ['rollouts.sampler.staleness'],
    why: ({ rollouts: { sampler } }) =>
      sampler.kind === 'plr' || sampler.kind === 'band'
        ? null
        : l10n.t('Only samplers “plr” and “band” draw by age; this one is “{0}”.', sampler.kind),
  },
  {
    of: ['agent', 'rollouts.batch'],
    but: ['agent.advantageNorm'],
    why: agentFrozen,
  },
  {
    of: ['agent.advantageNorm'],
    beside: true,
    why: agentFrozen,
  },
  {
    of: ['rollouts.cutOff'],
    why: (experiment) =>
      trainsEnvironment(experiment)
        ? null
        : l10n.t('The environment does not learn: nothing hangs on a family’s place.'),
  },
  {
    of: ['rollouts.late'],
    why: ({ rollouts: { staleness } }) =>
      staleness > 0
        ? null
        : l10n.t('With rollouts.staleness = 0 no epoch is attempted beside another: its updates wait for all groups.'),
  },
  {
    of: ['rollouts.order', 'rollouts.cutOff', 'rollouts.spare', 'rollouts.minGroup'],
    why: ({ agent, endpoints }) =>
      agent.train && endpoints.agent.kind === 'verl' ? l10n.t('A job makes all attempts of a batch by itself.') : null,
  },
  {
    of: ['environment.klCoefficient', 'environment.updateKlCap', 'environment.totalKlCap', 'environment.tokenWeights'],
    why: ({ endpoints }) =>
      endpoints.environment.kind === 'verl'
        ? l10n.t('A job learns resampled rows: it has no KL term, cap or weights.')
        : null,
  },
  {
    of: ['agent.clipLow', 'agent.clipHigh'],
    why: ({ agent }) => (agent.loss === 'importance_sampling' ? l10n.t('This loss clips nothing.') : null),
  },
  {
    of: ['validation', 'earlyStop.patience', 'earlyStop.minImprovement'],
    but: ['validation.tasks'],
    why: unvalidated,
  },
  {
    of: ['validation.tasks'],
    beside: true,
    why: unvalidated,
  },
  {
    of: ['evaluation'],
    why: ({ evaluation }) => (evaluation.every === 0 ? l10n.t('No epoch is evaluated on a benchmark.') : null),
  },
  {
    of: ['crossPlay.rollouts'],
    why: ({ crossPlay }) => (crossPlay.every === 0 ? l10n.t('Versions are not compared (crossPlay.every).') : null),
  },
  {
    of: ['evaluation.seed'],
    why: ({ evaluation }) => (evaluation.sample === null ? l10n.t('All tasks are attempted: none are drawn.') : null),
  },
  {
    of: ['earlyStop.patience', 'earlyStop.minImprovement'],
    why: ({ earlyStop }) => (earlyStop === null ? l10n.t('The run does not stop early.') : null),
  },
];

/** Switches stay enabled while the fields that they control are dimmed. */
const switches: ReadonlySet<string> = new Set<FieldPath>(['agent.train', 'validation.every', 'evaluation.every']);

/** Why a field has no say in the training of this experiment; null when it has. */
export const whyIrrelevant = (path: FieldPath, experiment: Experiment): string | null =>
  firstReason(rules, path, experiment);

const whole = rules.filter(({ beside }) => beside !== true);

/** Why a field has no effect at all; null when it has one. */
export const whyIdle = (path: FieldPath, experiment: Experiment): string | null => firstReason(whole, path, experiment);

function firstReason(some: readonly Rule[], path: FieldPath, experiment: Experiment): string | null {
  if (switches.has(path)) return null;
  for (const { of, but = [], why } of some) {
    if (but.includes(path) || !of.some((name) => path === name || path.startsWith(`${name}.`))) continue;
    const reason = why(experiment);
    if (reason !== null) return reason;
  }
  return null;
}
