/** How the form is laid out: which fields stand together. The header has the name, the preset and the mode. */
import * as l10n from '@vscode/l10n';
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fields, isFieldPath } from '../../src/shared/experiment/fields.ts';

export interface Group {
  id: string;
  title: string;
  /** The subject of the group: one sentence. */
  about: string;
  parts: readonly { title: string; fields: readonly FieldPath[] }[];
}

const adam = ['beta1', 'beta2', 'epsilon', 'weightDecay', 'gradClipNorm'] as const;

/** The fields of every kind of endpoint; the form shows those of the kind that is chosen. */
const endpointFields = (role: 'agent' | 'environment'): FieldPath[] =>
  Object.keys(fields)
    .filter(isFieldPath)
    .filter((path) => path.startsWith(`endpoints.${role}.`));

/** A button is called “Run”, too, which is another word in other languages. */
export const titleOf = ({ id, title }: Group): string =>
  id === 'run' ? l10n.t({ message: 'Run', comment: 'Heads a group of settings' }) : l10n.t(title);

export const headerFields: readonly FieldPath[] = ['name', 'preset', 'mode'];

export const groups: readonly Group[] = [
  {
    id: 'curriculum',
    title: 'Curriculum',
    about: 'Which difficulty the environment is rewarded for, and on how many attempts difficulty is measured.',
    parts: [
      {
        title: '',
        fields: [
          'method',
          'curriculum.reward.kind',
          'curriculum.reward.repetition',
          'curriculum.reward.file',
          'curriculum.alpha',
          'curriculum.alphaPoints',
          'curriculum.alphaBetween',
          'curriculum.control.kind',
          'curriculum.control.every',
          'curriculum.control.step',
          'curriculum.control.low',
          'curriculum.control.high',
          'curriculum.beta',
          'curriculum.lambda',
          'curriculum.kMin',
        ],
      },
      {
        title: 'Measured on',
        fields: [
          'generation.variations',
          'generation.perSeed',
          'generation.editShare',
          'rollouts.group',
          'curriculum.scope',
          'curriculum.estimate',
        ],
      },
      { title: 'Filter', fields: ['curriculum.filter', 'curriculum.warmupEpochs'] },
    ],
  },
  {
    id: 'run',
    title: 'Run',
    about: 'How long it goes, and when it ends before that.',
    parts: [
      { title: '', fields: ['epochs', 'seed'] },
      {
        title: 'Budget',
        fields: ['budget.tokens', 'budget.rollouts', 'budget.seconds', 'budget.hours', 'budget.cost'],
      },
      { title: 'Early stop', fields: ['earlyStop', 'earlyStop.patience', 'earlyStop.minImprovement'] },
    ],
  },
  {
    id: 'inputs',
    title: 'Tasks and Models',
    about: 'What both policies start from.',
    parts: [
      {
        title: 'Base tasks',
        fields: [
          'domain.name',
          'domain.file',
          'domain.baseTasks',
          'domain.taskSeed',
          'domain.seeds',
          'domain.heldOut',
          'domains',
        ],
      },
      { title: 'Reward', fields: ['reward.file', 'reward.seconds', 'reward.megabytes', 'reward.network'] },
      { title: 'Agent', fields: endpointFields('agent') },
      { title: 'Environment', fields: endpointFields('environment') },
    ],
  },
  {
    id: 'generation',
    title: 'Generation',
    about: 'How the environment writes tasks.',
    parts: [
      {
        title: '',
        fields: [
          'generation.families',
          'generation.temperature',
          'generation.maxTokens',
          'generation.maxSequence',
          'generation.attempts',
          'generation.condition',
          'generation.duplicates',
        ],
      },
      { title: 'What is measured on', fields: ['generation.heldOutRun', 'generation.testSets'] },
      {
        title: 'Golds that nothing executes',
        fields: ['generation.agreementAnswers', 'generation.agreementShare', 'generation.agreementBy'],
      },
      {
        title: 'Diversity by embeddings',
        fields: ['generation.embeddingUrl', 'generation.embeddingModel', 'generation.embeddingKey'],
      },
      { title: 'Mode static', fields: ['generation.staticFamilies', 'generation.staticVariations'] },
      { title: 'Mode offline', fields: ['generation.offlineFile'] },
      { title: 'Mode release', fields: ['generation.rankCut', 'generation.rankRollouts'] },
    ],
  },
  {
    id: 'rollouts',
    title: 'Rollouts',
    about: 'How the agent attempts tasks, and which tasks a batch holds besides the generated ones.',
    parts: [
      {
        title: '',
        fields: ['rollouts.temperature', 'rollouts.maxTokens', 'rollouts.maxSequence', 'rollouts.maxTurns'],
      },
      {
        title: 'Batch',
        fields: [
          'rollouts.batch',
          'rollouts.order',
          'rollouts.cutOff',
          'rollouts.spare',
          'rollouts.staleness',
          'rollouts.late',
          'rollouts.baseShare',
          'rollouts.poolShare',
          'rollouts.minGroup',
        ],
      },
      {
        title: 'Which given tasks',
        fields: ['rollouts.sampler.kind', 'rollouts.sampler.temperature', 'rollouts.sampler.staleness'],
      },
    ],
  },
  {
    id: 'agent',
    title: 'Agent Update',
    about: 'How the agent learns from its attempts: GRPO.',
    parts: [
      {
        title: '',
        fields: [
          'agent.train',
          'agent.learningRate',
          'agent.loss',
          'agent.clipLow',
          'agent.clipHigh',
          'agent.advantageNorm',
          'agent.normalisation',
          'agent.minibatch',
          'agent.minibatchUnit',
          'agent.passes',
          'agent.stream',
          'agent.klCoefficient',
        ],
      },
      { title: 'Optimiser', fields: adam.map((name): FieldPath => `agent.adam.${name}`) },
    ],
  },
  {
    id: 'environment',
    title: 'Environment Update',
    about: 'How the environment learns from its reward, on its own texts.',
    parts: [
      {
        title: '',
        fields: [
          'environment.update',
          'environment.keepBest',
          'environment.loss',
          'environment.clipLow',
          'environment.clipHigh',
          'environment.advantageNorm',
          'environment.invalidReward',
          'environment.learningRate',
          'environment.steps',
          'environment.minibatch',
          'environment.tokenWeights',
          'environment.bufferEpochs',
          'environment.minFamilies',
          'environment.baseShare',
          'environment.anchors',
        ],
      },
      {
        title: 'Distance to the initial simulator',
        fields: ['environment.klCoefficient', 'environment.updateKlCap', 'environment.totalKlCap'],
      },
      { title: 'Optimiser', fields: adam.map((name): FieldPath => `environment.adam.${name}`) },
    ],
  },
  {
    id: 'validation',
    title: 'Validation',
    about: 'How often the agent is measured on held-out tasks, which are never trained on.',
    parts: [
      {
        title: '',
        fields: ['validation.every', 'validation.tasks', 'validation.rollouts', 'validation.temperature'],
      },
      {
        title: 'On a benchmark',
        fields: [
          'evaluation.every',
          'evaluation.adapter',
          'evaluation.data',
          'evaluation.split',
          'evaluation.sample',
          'evaluation.attempts',
          'evaluation.temperature',
          'evaluation.seed',
        ],
      },
      { title: 'Versions against each other', fields: ['crossPlay.every', 'crossPlay.rollouts'] },
    ],
  },
];
