/** No setting is without effect: each, changed where it has a say, changes what a run leaves. */
import assert from 'node:assert/strict';
import type { FieldPath } from '../../../src/shared/experiment/field.ts';
import { fields, isFieldPath } from '../../../src/shared/experiment/fields.ts';
import { nested, overlay } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import { referenceExperiment, runReference, type Settings } from '../../support/reference/referenceRun.ts';
import { ReferenceDomain } from '../../support/reference/referenceTasks.ts';

/** Settings under which nearly everything has a say. */
const usual: Settings = {
  epochs: 3,
  curriculum: { filter: 'soft', warmupEpochs: 1, alpha: 0.6 },
  rollouts: { poolShare: 0.2, baseShare: 0.2 },
  agent: { passes: 2, klCoefficient: 0.05 },
  environment: { steps: 2, bufferEpochs: 2, baseShare: 0.25, klCoefficient: 0.05, minFamilies: 1 },
};

interface Change {
  /** The field's other value. */
  to: unknown;
  /** Further settings that must hold. */
  under?: Settings;
  domain?: () => ReferenceDomain;
}

class UnprovenGolds extends ReferenceDomain {
  needsAgreement(): boolean {
    return true;
  }
}
const unproven = (): ReferenceDomain => new UnprovenGolds();
const agreed: Settings = { generation: { agreementAnswers: 3, agreementShare: 0.5 } };
const stopping: Settings = { epochs: 6, agent: { learningRate: 1e-9 } };

const compared = {
  curriculum: { filter: 'off', scope: 'task' },
  environment: { update: 'grpo', steps: 4, minibatch: 4, learningRate: 0.1 },
} as const satisfies Settings;

const repeated: Settings = { epochs: 6 };
const plr = { kind: 'plr', temperature: 0.1, staleness: 0 } as const;

const often = { kind: 'off', every: 1, step: 0.1, low: 0.4, high: 0.7 } as const;
const moving = { ...often, kind: 'learnability' } as const;

const changes: Partial<Record<FieldPath, Change>> = {
  mode: { to: 'random' },
  seed: { to: 2 },
  epochs: { to: 2 },
  'curriculum.alpha': { to: 0.4 },
  'curriculum.alphaPoints': { to: [{ epoch: 2, alpha: 0.4 }] },
  'curriculum.alphaBetween': {
    to: 'line',
    under: { curriculum: { alphaPoints: [{ epoch: 3, alpha: 0.3 }] } },
  },
  'curriculum.control.kind': { to: 'learnability', under: { curriculum: { control: often } } },
  'curriculum.control.every': { to: 2, under: { curriculum: { control: moving } } },
  'curriculum.control.step': { to: 0.05, under: { curriculum: { control: moving } } },
  'curriculum.control.low': { to: 0.55, under: { curriculum: { control: moving } } },
  'curriculum.control.high': {
    to: 0.62,
    under: { curriculum: { alpha: 0.6, control: { ...moving, low: 0.6 } } },
  },
  'curriculum.beta': { to: 9 },
  'curriculum.lambda': { to: 4 },
  'curriculum.kMin': { to: 0.05 },
  'curriculum.scope': { to: 'task' },
  'curriculum.reward.kind': { to: 'learnability' },
  'curriculum.reward.repetition': {
    to: 0.25,
    under: { curriculum: { reward: { kind: 'uncertainty', repetition: 1, file: null } } },
  },
  'curriculum.estimate': { to: 'posterior' },
  'curriculum.filter': { to: 'hard' },
  'curriculum.warmupEpochs': { to: 3, under: { curriculum: { kMin: 0.05 } } },
  'generation.families': { to: 4 },
  'generation.variations': { to: 3 },
  'generation.perSeed': { to: 2 },
  'generation.editShare': { to: 0.5, under: { rollouts: { sampler: plr } } },
  'generation.temperature': { to: 0.7 },
  'generation.maxTokens': { to: 7 },
  'generation.maxSequence': { to: 44 },
  'generation.attempts': { to: 1 },
  'generation.condition': { to: false },
  'generation.duplicates': { to: 'epoch', under: { epochs: 6, generation: { families: 12, temperature: 0.3 } } },
  'generation.staticFamilies': { to: 5, under: { mode: 'static' } },
  'generation.staticVariations': { to: 2, under: { mode: 'static' } },
  'generation.agreementAnswers': { to: 0, under: agreed, domain: unproven },
  'generation.agreementShare': { to: 1, under: agreed, domain: unproven },
  'generation.agreementBy': { to: 'agent', under: agreed, domain: unproven },
  'generation.rankCut': { to: 0.3, under: { mode: 'release' } },
  'generation.rankRollouts': { to: 2, under: { mode: 'release' } },
  'rollouts.group': { to: 5 },
  'rollouts.batch': { to: 4 },
  'rollouts.order': { to: 'longest' },
  'rollouts.cutOff': { to: 'band', under: { curriculum: { scope: 'family', filter: 'hard' }, epochs: 4 } },
  'rollouts.spare': { to: 0.5 },
  'rollouts.staleness': { to: 1 },
  'rollouts.late': { to: 0.5, under: { rollouts: { staleness: 1 } } },
  'rollouts.baseShare': { to: 0.4 },
  'rollouts.poolShare': { to: 0 },
  'rollouts.sampler.kind': { to: 'band' },
  'rollouts.sampler.temperature': { to: 4, under: { ...repeated, rollouts: { poolShare: 0.4, sampler: plr } } },
  'rollouts.sampler.staleness': { to: 1, under: { ...repeated, rollouts: { poolShare: 0.4, sampler: plr } } },
  'rollouts.temperature': { to: 0.7 },
  'rollouts.maxTokens': { to: 2 },
  'rollouts.maxSequence': { to: 12 },
  'rollouts.maxTurns': { to: 2, domain: () => new ReferenceDomain({ turns: 3 }) },
  'validation.every': { to: 2 },
  'validation.tasks': { to: 4 },
  'validation.rollouts': { to: 2 },
  'validation.temperature': { to: 1 },
  'agent.train': { to: false },
  'agent.learningRate': { to: 0.01 },
  'agent.loss': { to: 'cispo' },
  'agent.clipLow': { to: 0.99 },
  'agent.clipHigh': { to: 1.01 },
  'agent.advantageNorm': { to: 'none' },
  'agent.normalisation': { to: 'seq-mean' },
  'agent.minibatch': { to: 5 },
  'agent.minibatchUnit': { to: 'task' },
  'agent.passes': { to: 1 },
  'agent.stream': { to: true },
  'agent.klCoefficient': { to: 0.5 },
  'agent.adam.beta1': { to: 0.5 },
  'agent.adam.beta2': { to: 0.5 },
  'agent.adam.epsilon': { to: 0.1 },
  'agent.adam.weightDecay': { to: 0.2 },
  'agent.adam.gradClipNorm': { to: 0.01 },
  'environment.learningRate': { to: 0.01 },
  'environment.steps': { to: 3 },
  'environment.minibatch': { to: 5 },
  'environment.tokenWeights': { to: 'instance' },
  'environment.bufferEpochs': { to: 1 },
  'environment.baseShare': { to: 0.5 },
  'environment.anchors': { to: 'any' },
  'environment.klCoefficient': { to: 0.5 },
  'environment.updateKlCap': { to: 1e-6 },
  'environment.totalKlCap': { to: 1e-6 },
  'environment.minFamilies': { to: 40 },
  'environment.update': { to: 'rejection' },
  'environment.keepBest': { to: 0.9, under: { environment: { update: 'rejection', keepBest: 0.2 } } },
  'environment.loss': {
    to: 'importance_sampling',
    under: { ...compared, environment: { ...compared.environment, clipLow: 0.99, clipHigh: 1.01 } },
  },
  'environment.clipLow': { to: 0.999, under: compared },
  'environment.clipHigh': { to: 1.001, under: compared },
  'environment.advantageNorm': { to: 'group-std', under: compared },
  'environment.invalidReward': { to: -1, under: compared },
  'environment.adam.beta1': { to: 0.5 },
  'environment.adam.beta2': { to: 0.5 },
  'environment.adam.epsilon': { to: 0.1 },
  'environment.adam.weightDecay': { to: 0.2 },
  'environment.adam.gradClipNorm': { to: 0.01 },
  earlyStop: { to: { patience: 1, minImprovement: 0 }, under: stopping },
  'earlyStop.patience': { to: 3, under: { ...stopping, earlyStop: { patience: 1, minImprovement: 0 } } },
  'earlyStop.minImprovement': {
    to: 0,
    under: {
      ...{ epochs: 4, earlyStop: { patience: 2, minImprovement: 0.9 }, agent: { klCoefficient: 0, learningRate: 0.3 } },
      validation: { tasks: 6, rollouts: 8, temperature: 1 },
    },
  },
  'budget.tokens': { to: 1 },
  'budget.rollouts': { to: 1 },
};

/** Settings with an effect outside the loop, or only on a server; by section or field, with the place of their test. */
const elsewhere: Readonly<Record<string, string>> = {
  version: 'the format',
  name: 'a label',
  preset: 'what a file leaves out: experiment/parse.test.ts',
  method: 'what it sets: experiment/methods.test.ts',
  domain: 'which tasks there are: launch',
  domains: 'engine/mixture.test.ts',
  endpoints: 'where policies live: endpoints',
  reward: 'whose verdicts: rewards',
  evaluation: 'engine/phases/evaluate.test.ts',
  crossPlay: 'engine/crossPlay.test.ts',
  'curriculum.reward.file': 'process/curricula/run.test.ts',
  'generation.offlineFile': 'engine/loop.test.ts, mode offline',
  'generation.heldOutRun': 'engine/sharedRuns.test.ts',
  'generation.testSets': 'launch/testSets.test.ts',
  'generation.embeddingUrl': 'engine/phases/embedded.test.ts, process/launch/embeddings.test.ts',
  'generation.embeddingModel': 'endpoints/openai/embeddings.test.ts',
  'generation.embeddingKey': 'endpoints/openai/embeddings.test.ts',
  'rollouts.minGroup': 'engine/unanswered.test.ts',
  'budget.seconds': 'engine/loop.test.ts, by a clock that goes',
  'budget.hours': 'engine/budget.test.ts, by a clock that goes',
  'budget.cost': 'engine/budget.test.ts, with prices of tokens',
};

const merged = (...some: Settings[]): Settings =>
  some.reduce<Settings>((under, over) => overlay({ ...under }, { ...over }), {});

async function left(experiment: Experiment, domain: ReferenceDomain): Promise<string> {
  const { run } = await runReference(experiment, { domain });
  return JSON.stringify([run.text, run.tasks, run.traces]);
}

describe('settings', () => {
  it('are each changed here, or held to their effect elsewhere', () => {
    const forgotten = Object.keys(fields).filter(
      (field) => isFieldPath(field) && !(field in changes) && !(field in elsewhere) && !(sectionOf(field) in elsewhere),
    );
    assert.deepEqual(forgotten, []);
  });

  for (const [field, { to, under = {}, domain = () => new ReferenceDomain() }] of Object.entries(changes)) {
    it(`${field} changes what a run leaves`, async () => {
      const before = referenceExperiment(merged(usual, under));
      const after = experimentSchema.parse(overlay({ ...before }, nested(field.split('.'), to)));
      assert.notDeepEqual(after, before, 'another value');
      assert.notEqual(await left(after, domain()), await left(before, domain()));
    });
  }
});

const sectionOf = (field: string): string => field.split('.')[0] ?? '';
