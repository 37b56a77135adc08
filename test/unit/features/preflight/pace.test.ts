/** The time and money that checks expect of a run. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endedAtPace, measuredPace, paceSentence } from '../../../../src/features/preflight/node/pace.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { workSentences } from '../../../../src/features/preflight/node/sentences.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { about } from '../../../../src/features/preflight/node/words.ts';
import { expectedWork, type Workload } from '../../../../src/shared/experiment/workload.ts';
import { forecast, workAtPace } from '../../../../src/shared/money/forecast.ts';
import { aboutDuration } from '../../../../src/shared/text/figures/durations.ts';
import { fixed } from '../../../../src/shared/text/figures/numbers.ts';

const experiment = (pricePerHour: number | null = null) =>
  resolveExperiment({
    ...{ name: 'tiny', preset: 'embedded' },
    endpoints: {
      agent: { kind: 'embedded', weights: 'agent', pricePerHour },
      environment: { kind: 'embedded', weights: 'environment' },
    },
  });

const amount = { epoch: 10, run: 100 };
const measured = { ...amount, start: 0 };
const work: Workload = {
  ...{ epochs: 10, spent: {}, rollouts: amount, validation: measured, evaluation: measured, texts: amount },
  ...{
    tokens: { epoch: 36_000, run: 360_000 },
    billedPerToken: 1,
    basis: 'measured',
    mayBeFewer: false,
    fewBase: false,
    spare: 0,
    late: 0,
    ends: null,
  },
};

const trial = {
  ...{ written: 10, accepted: 10, rejected: {}, without: [], attempts: 20, solved: 0, valid: 20, checkerErrors: 0 },
  ...{ truncated: 0, seconds: 4, lengths: { text: 20, attempt: 10, given: 10, accepted: 1, billedPerToken: 1 } },
  bytes: { text: 1, attempt: 1, validation: 1, checkpoint: 1 },
};

describe('the pace of a run to come', () => {
  let root = '';
  const quiet = { info: () => undefined, warn: () => undefined };
  const needs = () => ({ root, clock: { now: () => 0 }, log: quiet });

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-pace-'));
  });
  after(() => rm(root, { recursive: true }));

  it('is that of the tasks tried where no run was on these endpoints', async () => {
    const pace = await measuredPace(experiment(), trial, needs());
    assert.deepEqual(pace, { secondsPerToken: 0.01, run: null });
    assert.equal(
      paceSentence(experiment(6), work, pace),
      'At the pace of the tasks tried, a few at once, sampling takes at most about 6 min an epoch and 1 h 00 min in all; ' +
        'at 6 an hour the servers cost 6.00; updates come on top.',
    );
  });

  it('is not known without either', async () => {
    assert.equal(await measuredPace(experiment(), null, needs()), null);
    assert.equal(await measuredPace(experiment(), null, { ...needs(), root: join(root, 'none') }), null);
    assert.equal(paceSentence(experiment(), work, null), '');
    assert.match(paceSentence(experiment(6), work, null), /^An hour costs 6; how many it takes is not known/);
  });

  it('and the tokens are those of a run on these endpoints, as the form has them, before the tasks tried', () => {
    const own = experiment(6);
    const pace = { run: 'before', secondsPerToken: 0.02, tokensPerAttempt: 55, billedPerToken: 2 };
    const told = forecast(own, workAtPace(own, expectedWork(own), pace), pace);
    for (const lengths of [trial.lengths, null]) {
      const ended = endedAtPace(own, expectedWork(own, lengths), pace);
      assert.deepEqual([ended.tokens.run, ended.billedPerToken, ended.basis], [told.tokens, 2, 'run']);
      const said = workSentences(ended, { run: 'before', tried: null }).join(' ');
      assert.match(said, /At the tokens an attempt of run “before” on the same endpoints\./);
      assert.ok(said.includes(`about ${about(told.tokens)} tokens`), said);
      const { hours } = told.cost ?? assert.fail('it has a price');
      const sentence = paceSentence(own, ended, pace);
      assert.ok(
        sentence.includes(
          `${aboutDuration(told.seconds.run)} in all; at 6 an hour the servers cost ${fixed(hours, 2)}`,
        ),
      );
    }
    const spends = { ...own, budget: { ...own.budget, tokens: 2_500_000 } };
    assert.deepEqual(endedAtPace(spends, expectedWork(spends, trial.lengths), pace), {
      ...workAtPace(spends, expectedWork(spends), pace),
    });
  });

  it('says where the tasks tried are longer or shorter than those of that run', () => {
    const ended: Workload = { ...work, basis: 'run' };
    const said = (epoch: number): string =>
      workSentences(ended, { run: 'before', tried: { ...work, tokens: { epoch, run: 10 * epoch } } }).join(' ');
    assert.match(said(72_000), /By the lengths of the tasks tried, an epoch would take about 72,000 tokens\./);
    assert.match(said(12_000), /would take about 12,000 tokens\./);
    assert.doesNotMatch(said(40_000), /By the lengths/);
  });

  it('ends a run with the budget of time or money that is used up first', () => {
    const pace = { secondsPerToken: 0.02, run: 'before', tokensPerAttempt: 1200, billedPerToken: 1 };
    // An epoch takes 720 s, and costs 1.2 at 6 an hour.
    const under = (budget: Partial<Experiment['budget']>, known: typeof pace | null = pace): Workload => {
      const own = experiment(6);
      return endedAtPace({ ...own, epochs: 10, budget: { ...own.budget, ...budget } }, work, known);
    };
    assert.deepEqual(under({ seconds: 2000 }).ends, { by: 'seconds', epochs: 3 });
    assert.deepEqual(under({ hours: 1, cost: 3 }).ends, { by: 'cost', epochs: 3 });
    assert.deepEqual(under({ hours: 0.4, cost: 3 }).ends, { by: 'hours', epochs: 2 });
    assert.equal(under({ hours: 3 }).ends, null);
    assert.equal(under({ seconds: 2000 }, null).ends, null);
    const ended = under({ hours: 0.4 });
    assert.equal(
      workSentences(ended)[1],
      'Until the budget of hours ends the run, after about 2 epochs: about 72,000 tokens, 60 attempts.',
    );
    const longest = workSentences({ ...work, basis: 'limits', ends: { by: 'tokens', epochs: 2 } });
    assert.equal(longest[1], 'All 10 epochs: at most 360,000 tokens, 300 attempts.');
    assert.equal(longest.at(-1), 'The budget of tokens may end the run before, after 2 epochs at the earliest.');
    assert.match(paceSentence(experiment(6), ended, pace), /about 12 min an epoch and 24 min in all; .* cost 2\.40\.$/);
  });

  it('is that of a run, with its updates', () => {
    const pace = { secondsPerToken: 0.02, run: 'before', tokensPerAttempt: 1200, billedPerToken: 1 };
    assert.equal(
      paceSentence(experiment(), work, pace),
      'At the pace of run “before” on the same endpoints it takes about 12 min an epoch and 2 h 00 min in all.',
    );
  });
});
