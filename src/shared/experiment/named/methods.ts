/**
 * Curricula of other papers by name: what each changes of a preset. A file names one in `method`; its own fields stand
 * above these. What differs from the papers and from their code: docs/curricula.md.
 */
import type { FieldPath, FieldValue } from '../field.ts';
import type { Experiment } from '../schema.ts';

export type MethodName = Experiment['method'];

export type MethodChanges = Readonly<Partial<Record<FieldPath, FieldValue>>>;

/** Texts of one context are compared, each by its own reward, bad ones too. */
const compared = {
  mode: 'coevolve',
  'environment.update': 'grpo',
  'curriculum.scope': 'task',
  'curriculum.filter': 'off',
} as const;

/** The environment writes and is not trained; half of a batch are tasks that come again. */
const replayed = { mode: 'random', 'rollouts.baseShare': 0, 'rollouts.poolShare': 0.5 } as const;

export const methods: Readonly<Record<MethodName, MethodChanges>> = {
  genenv: {},
  'r-zero': {
    ...compared,
    'curriculum.reward.kind': 'uncertainty',
    'curriculum.reward.repetition': 1,
    'environment.advantageNorm': 'group-std',
    'environment.invalidReward': 0,
  },
  'absolute-zero': {
    ...compared,
    'curriculum.reward.kind': 'proposer',
    'environment.advantageNorm': 'group-std',
    'environment.invalidReward': -1,
  },
  'proposer-solver': {
    ...compared,
    'curriculum.reward.kind': 'variance',
    'environment.advantageNorm': 'none',
    'environment.invalidReward': null,
    'agent.advantageNorm': 'none',
  },
  sfl: {
    ...replayed,
    'curriculum.reward.kind': 'learnability',
    'curriculum.scope': 'task',
    'curriculum.alpha': 0.5,
    'curriculum.kMin': 0,
    'rollouts.sampler.kind': 'band',
    'rollouts.sampler.staleness': 0,
  },
  vcrl: {
    ...replayed,
    'curriculum.reward.kind': 'variance',
    'curriculum.scope': 'task',
    'curriculum.alpha': 0.5,
    'curriculum.kMin': 0.125,
    'rollouts.sampler.kind': 'band',
    'rollouts.sampler.staleness': 0,
  },
  plr: {
    ...replayed,
    'curriculum.reward.kind': 'advantage',
    'curriculum.scope': 'task',
    'rollouts.sampler.kind': 'plr',
    'rollouts.sampler.temperature': 0.1,
    'rollouts.sampler.staleness': 0.1,
  },
  accel: {
    ...replayed,
    'generation.editShare': 0.8,
    'curriculum.reward.kind': 'regret',
    'curriculum.scope': 'task',
    'rollouts.sampler.kind': 'plr',
    'rollouts.sampler.temperature': 0.3,
    'rollouts.sampler.staleness': 0.3,
  },
  random: { mode: 'random' },
  static: { mode: 'static' },
  offline: { mode: 'offline' },
};

const changed = new Set(Object.values(methods).flatMap((changes) => Object.keys(changes)));

/** Every field that some method changes: a method named for one run sets all of these. */
export const methodFields: readonly string[] = [...changed].sort();

/** Whether a value names a method. */
export const isMethod = (value: unknown): value is MethodName =>
  typeof value === 'string' && Object.hasOwn(methods, value);
