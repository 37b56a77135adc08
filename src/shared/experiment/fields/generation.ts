import type { FieldsOf } from '../field.ts';

/** How the environment writes tasks. */
export const generationFields: FieldsOf<'generation'> = {
  'generation.families': {
    label: 'Families',
    meaning: 'How many seed tasks the environment is asked to vary in an epoch.',
    unit: 'per epoch',
    paper: '544, every base sample',
    step: 1,
  },
  'generation.variations': {
    label: 'Variations',
    symbol: 'n',
    meaning: 'How many tasks are written from each seed; together they are one family.',
    unit: 'per family',
    paper: '4 per prompt and epoch',
    step: 1,
  },
  'generation.perSeed': {
    label: 'Families of a seed',
    meaning: 'How many families of an epoch are written from the same seed task, each by itself, with its own plan.',
    unit: 'per epoch',
    paper: '1',
    step: 1,
  },
  'generation.editShare': {
    label: 'Families of edited tasks',
    meaning:
      'Share of an epoch’s families whose seed is a task of the agent pool, drawn by the sampler, and not a base task. The environment reads how often the agent solved it.',
    paper: '0',
    step: 0.1,
  },
  'generation.temperature': {
    label: 'Temperature',
    meaning: 'Sampling temperature of the environment.',
    paper: 'not given (its release: 1)',
    step: 0.05,
  },
  'generation.maxTokens': {
    label: 'Longest task',
    meaning: 'Tokens after which a text of the environment is cut.',
    unit: 'tokens',
    paper: null,
    step: 'ratio',
  },
  'generation.maxSequence': {
    label: 'Longest prompt and task',
    meaning: 'Tokens that a prompt of the environment and its text may have together.',
    unit: 'tokens',
    paper: '9,000',
    step: 'ratio',
    none: 'what the model holds',
  },
  'generation.attempts': {
    label: 'Tries',
    meaning: 'How often a variation that was rejected is written again before it is given up.',
    unit: 'per variation',
    paper: null,
    step: 1,
  },
  'generation.condition': {
    label: 'Tell the agent’s success',
    meaning: 'Puts the agent’s recent success rate into the environment’s prompt.',
    paper: 'yes',
  },
  'generation.duplicates': {
    label: 'Refuse duplicates of',
    meaning: 'Against which earlier tasks a new one is compared.',
    paper: null,
    choices: { epoch: 'This epoch’s tasks.', run: 'All tasks of the run.' },
  },
  'generation.heldOutRun': {
    label: 'Refuse what repeats test tasks',
    meaning:
      'Words in a row that a new task may not share with a held-out task, the run’s benchmark or the test sets, unless a ' +
      'seed task has them, too.',
    unit: 'words',
    paper: null,
    step: 1,
    none: 'equal tasks alone are refused',
  },
  'generation.testSets': {
    label: 'Test sets',
    meaning:
      'Adapter, task file, or folder of adapters whose tasks must not be written either; “found” takes all adapters with tests beside the experiment and below.',
    paper: null,
    none: 'no others',
    file: { kind: 'Test sets', endings: ['adapter.json', 'jsonl'] },
  },
  'generation.embeddingUrl': {
    label: 'Embedding server',
    meaning:
      'Base address of an OpenAI-compatible server whose vectors also measure how diverse written tasks are; without it, or while it fails, words alone do.',
    paper: null,
    none: 'words alone',
  },
  'generation.embeddingModel': {
    label: 'Embedding model',
    meaning: 'Model that turns tasks into vectors, as this server names it.',
    paper: null,
    none: 'not named',
  },
  'generation.embeddingKey': {
    label: 'Key of the embedding server',
    meaning: 'Where its key is found: ${env:NAME} or ${secret:NAME}.',
    paper: null,
    none: 'no key',
  },
  'generation.staticFamilies': {
    label: 'Static families',
    meaning: 'Families that mode “static” writes once, before the first epoch.',
    unit: 'families',
    paper: '544',
    step: 1,
  },
  'generation.staticVariations': {
    label: 'Static variations',
    meaning: 'Variations per family that mode “static” writes.',
    unit: 'per family',
    paper: '5',
    step: 1,
  },
  'generation.agreementAnswers': {
    label: 'Independent answers',
    meaning:
      'How often a new question is answered without its gold before it counts, where nothing can execute the gold; 0 ' +
      'asks for none.',
    unit: 'per task',
    paper: null,
    step: 1,
  },
  'generation.agreementShare': {
    label: 'Share that must agree',
    meaning: 'Share of these answers that must say what the gold says.',
    paper: null,
    step: 0.05,
  },
  'generation.agreementBy': {
    label: 'Answered by',
    meaning: 'Whose answers they are.',
    paper: null,
    choices: {
      environment: 'The environment’s model as it was at the start, which does not learn to agree with itself.',
      agent: 'The agent as it is now: tasks that it cannot solve at all are then never written.',
    },
  },
  'generation.offlineFile': {
    label: 'Offline tasks',
    meaning: 'JSONL of tasks made elsewhere that mode “offline” trains on.',
    paper: '957 or 1,777 tasks by Gemini 2.5 Pro',
    none: 'no file',
    file: { kind: 'Tasks', endings: ['jsonl'] },
  },
  'generation.rankCut': {
    label: 'Cut by rank',
    meaning: 'Share of the ranked seeds that mode “release” leaves out at each end.',
    paper: 'not given (its release: 0.1)',
    step: 0.01,
  },
  'generation.rankRollouts': {
    label: 'Rollouts for the rank',
    meaning: 'Attempts per seed on which mode “release” ranks the seeds.',
    unit: 'per seed',
    paper: 'not given (its release: 4)',
    step: 1,
  },
};
