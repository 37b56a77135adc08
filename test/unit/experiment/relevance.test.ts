import assert from 'node:assert/strict';
import { endpointDefaults } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { fields, isFieldPath } from '../../../src/shared/experiment/fields.ts';
import { kindOf } from '../../../src/shared/experiment/kind.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { whyIrrelevant } from '../../../src/shared/experiment/relevance.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';

const base = presets.embedded;
const dimmed = (experiment: Experiment): string[] =>
  Object.keys(fields).filter((path) => isFieldPath(path) && whyIrrelevant(path, experiment) !== null);

describe('fields that have no say', () => {
  it('are those of the other modes when both policies are trained', () => {
    assert.deepEqual(dimmed(base), [
      'domain.heldOut',
      'reward.seconds',
      'reward.megabytes',
      'reward.network',
      'curriculum.reward.repetition',
      'curriculum.reward.file',
      'curriculum.alphaBetween',
      'curriculum.control.every',
      'curriculum.control.step',
      'curriculum.control.low',
      'curriculum.control.high',
      'generation.embeddingModel',
      'generation.embeddingKey',
      'generation.staticFamilies',
      'generation.staticVariations',
      'generation.agreementAnswers',
      'generation.agreementShare',
      'generation.agreementBy',
      'generation.offlineFile',
      'generation.rankCut',
      'generation.rankRollouts',
      'rollouts.late',
      'rollouts.sampler.temperature',
      'rollouts.sampler.staleness',
      'evaluation.adapter',
      'evaluation.data',
      'evaluation.split',
      'evaluation.sample',
      'evaluation.attempts',
      'evaluation.temperature',
      'evaluation.seed',
      'crossPlay.rollouts',
      'environment.keepBest',
      'environment.loss',
      'environment.clipLow',
      'environment.clipHigh',
      'environment.advantageNorm',
      'environment.invalidReward',
      'earlyStop.patience',
      'earlyStop.minImprovement',
    ]);
  });

  it('are the environment’s where it is not trained, and say so', () => {
    const random = { ...base, mode: 'random' } satisfies Experiment;
    assert.match(whyIrrelevant('environment.adam.beta1', random) ?? '', /“random” does not train the environment/);
    assert.equal(whyIrrelevant('curriculum.alpha', random), null);
    assert.equal(whyIrrelevant('generation.temperature', random), null);
  });

  it('are those of a controller of α without one', () => {
    const control = { ...base.curriculum.control, kind: 'gain' } as const;
    const controlled = dimmed({ ...base, curriculum: { ...base.curriculum, control } });
    assert.deepEqual(
      controlled.filter((path) => path.startsWith('curriculum.control')),
      [],
    );
  });

  it('are those of the other samplers', () => {
    const under = (kind: Experiment['rollouts']['sampler']['kind'], mode: Experiment['mode'] = 'random') =>
      dimmed({ ...base, mode, rollouts: { ...base.rollouts, sampler: { ...base.rollouts.sampler, kind } } }).filter(
        (path) => path.startsWith('rollouts.sampler') || path === 'curriculum.kMin',
      );
    assert.deepEqual(under('plr'), ['curriculum.kMin']);
    assert.deepEqual(under('band'), ['rollouts.sampler.temperature']);
    const [k, temperature, age] = ['curriculum.kMin', 'rollouts.sampler.temperature', 'rollouts.sampler.staleness'];
    assert.deepEqual(under('easiest-first'), [k, temperature, age]);
    assert.deepEqual(under('plr', 'release'), [k, 'rollouts.sampler.kind', temperature, age]);
  });

  it('are those of the environment’s other updates', () => {
    const under = (update: Experiment['environment']['update'], loss: Experiment['environment']['loss'] = 'ppo') =>
      dimmed({ ...base, environment: { ...base.environment, update, loss } });
    const differ = (a: string[], b: string[]) => a.filter((path) => !b.includes(path));
    assert.deepEqual(differ(under('rejection'), under('rwr')), ['curriculum.lambda']);
    assert.deepEqual(differ(under('rwr'), under('rejection')), ['environment.keepBest']);
    assert.deepEqual(differ(under('grpo'), under('rwr')), ['curriculum.lambda']);
    assert.deepEqual(differ(under('grpo', 'importance_sampling'), under('grpo')), [
      'environment.clipLow',
      'environment.clipHigh',
    ]);
    assert.ok(under('none').includes('environment.learningRate') && !under('none').includes('environment.update'));
  });

  it('are those that a trainer of whole jobs has no place for', () => {
    const { verl } = endpointDefaults;
    const jobs = { ...base, endpoints: { agent: verl, environment: verl } } satisfies Experiment;
    const more = dimmed(jobs).filter((path) => !dimmed(base).includes(path));
    assert.deepEqual(more, [
      'rollouts.minGroup',
      'rollouts.order',
      'rollouts.cutOff',
      'rollouts.spare',
      'environment.tokenWeights',
      'environment.klCoefficient',
      'environment.updateKlCap',
      'environment.totalKlCap',
    ]);
    assert.match(whyIrrelevant('rollouts.minGroup', jobs) ?? '', /A job makes all attempts/);
  });

  it('are none that something else reads', () => {
    const { curriculum, environment, rollouts } = base;
    const grpo = { ...base, environment: { ...environment, update: 'grpo' } } satisfies Experiment;
    assert.equal(whyIrrelevant('environment.bufferEpochs', grpo), null, 'anchors at the target');
    const free = { ...grpo, environment: { ...grpo.environment, anchors: 'any' } } satisfies Experiment;
    assert.notEqual(whyIrrelevant('environment.bufferEpochs', free), null);
    const open = { ...base, curriculum: { ...curriculum, filter: 'off' } } satisfies Experiment;
    assert.equal(whyIrrelevant('curriculum.kMin', open), null, 'anchors at the target');
    const unanchored = { ...open, environment: free.environment };
    assert.notEqual(whyIrrelevant('curriculum.kMin', unanchored), null);
    const reward = { kind: 'file', file: 'a.curriculum.ts', repetition: 1 } as const;
    const own = { ...unanchored, curriculum: { ...unanchored.curriculum, reward } } satisfies Experiment;
    assert.equal(whyIrrelevant('curriculum.kMin', own), null, 'a file is given it');
    assert.equal(whyIrrelevant('curriculum.beta', own), null, 'a file is given it');
    for (const mode of ['static', 'offline'] as const)
      assert.equal(whyIrrelevant('rollouts.poolShare', { ...base, mode }), null, 'base tasks take its places');
    const ahead = { ...rollouts, staleness: 1, late: 0.1 };
    const frozen = { ...base, mode: 'random', agent: { ...base.agent, train: false }, rollouts: ahead } as const;
    assert.equal(whyIrrelevant('rollouts.staleness', frozen), null, 'seeds are drawn by an older success rate');
    assert.equal(whyIrrelevant('rollouts.late', frozen), null);
    const mine = { ...base, domain: { ...base.domain, name: 'file', file: 'a.domain.ts' } } satisfies Experiment;
    assert.equal(whyIrrelevant('generation.agreementShare', mine), null, 'its recipe may ask for it');
  });

  it('leave the switch that brings them back', () => {
    const frozen: Experiment = { ...base, agent: { ...base.agent, train: false } };
    assert.equal(whyIrrelevant('agent.train', frozen), null);
    assert.notEqual(whyIrrelevant('agent.learningRate', frozen), null);
    const unseen: Experiment = { ...base, validation: { ...base.validation, every: 0 } };
    assert.equal(whyIrrelevant('validation.every', unseen), null);
    assert.notEqual(whyIrrelevant('validation.tasks', unseen), null);
  });
});

describe('the kind of a field', () => {
  it('is read from the schema', () => {
    assert.deepEqual(kindOf('curriculum.kMin'), {
      kind: 'number',
      whole: false,
      nullable: false,
      share: true,
      least: 0,
      most: 1,
    });
    assert.deepEqual(kindOf('budget.tokens'), {
      kind: 'number',
      whole: true,
      nullable: true,
      share: false,
      least: 1,
      most: null,
    });
    assert.deepEqual(kindOf('mode'), {
      kind: 'choice',
      choices: ['coevolve', 'random', 'static', 'offline', 'release'],
    });
    assert.deepEqual(kindOf('domain.seeds'), { kind: 'file', nullable: true });
    assert.deepEqual(kindOf('name'), { kind: 'text', nullable: false });
    assert.deepEqual(kindOf('agent.train'), { kind: 'flag' });
    assert.deepEqual(kindOf('earlyStop'), { kind: 'section' });
    assert.deepEqual(kindOf('endpoints.agent.kind'), {
      kind: 'choice',
      choices: ['embedded', 'tinker', 'openai', 'verl'],
    });
  });
});
