/** Time and cost before a run, at the pace of an earlier one on the same endpoints. */
import assert from 'node:assert/strict';
import { paceOfRuns } from '../../../src/runs/store/pace.ts';
import type { RunHead } from '../../../src/runs/store/runHead.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { expectedWork } from '../../../src/shared/experiment/workload.ts';
import { forecast, forecastOf, workAtPace, type RunPace } from '../../../src/shared/money/forecast.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { pricedServer } from '../../support/scripted/billing.ts';

const experiment = (over: object = {}) => resolveExperiment({ name: 'tiny', preset: 'embedded', ...over });
const { endpoints, mode } = experiment();
const rate = { p: 0.5, low: 0.4, high: 0.6, successes: 1, attempts: 2 };

const head = (
  name: string,
  spent: { tokens: number; rollouts: number } | null,
  over: Partial<RunHead> = {},
): RunHead => ({
  ...{ id: name, name, experiment: name, mode, endpoints, imported: null, state: 'finished', ending: 'epochs' },
  ...{ epoch: 1, current: 1, epochs: 1, startedAt: '2026-01-01T00:00:00.000Z' },
  label: { name: null, tags: [], note: '', pinned: false, archived: false, study: null },
  summary:
    spent === null
      ? null
      : {
          ...{ epoch: 1, successRate: rate, inBand: 1, environmentReward: 1, familiesKept: 1, families: 1 },
          ...{ effectiveSampleSize: 1, kl: { agent: null, environment: null }, taskLength: 1, answerLength: 1 },
          ...{ rejected: {}, seconds: 20, ...spent },
        },
  ...over,
});

/** As the form and the checks tell it. */
const told = (whole: Experiment, pace: RunPace) => {
  const work = workAtPace(whole, expectedWork(whole), pace);
  return { ...forecast(whole, work, pace), ends: work.ends, epochs: work.epochs, run: work.rollouts.run };
};

describe('a run’s time and cost before it starts', () => {
  it('goes by the newest run of the same endpoints that finished an epoch', () => {
    const elsewhere = experiment({ endpoints: { agent: { kind: 'embedded', weights: 'mine.bin' } } }).endpoints;
    const heads = [
      head('begun', null),
      head('elsewhere', { tokens: 10, rollouts: 1 }, { endpoints: elsewhere }),
      head('imported', { tokens: 10, rollouts: 1 }, { imported: 'verl' }),
      head('newest', { tokens: 1000, rollouts: 100 }),
      head('oldest', { tokens: 10, rollouts: 1 }),
    ];
    const pace = { run: 'newest', secondsPerToken: 0.02, tokensPerAttempt: 10, billedPerToken: 1 };
    assert.deepEqual(paceOfRuns(heads, endpoints), pace);
    const priced = { ...endpoints, agent: { ...endpoints.agent, pricePerHour: 4 } };
    assert.deepEqual(paceOfRuns(heads, priced), pace, 'a price is no other place');
    assert.equal(paceOfRuns(heads.slice(0, 1), endpoints), null);
    const [validated] = heads.slice(3);
    assert.ok(validated?.summary != null);
    validated.summary.validation = { ...rate, attempts: 100 };
    assert.equal(paceOfRuns(heads, endpoints)?.tokensPerAttempt, 5, 'its validation was sampled, too');
    validated.summary.evaluated = 300;
    assert.equal(paceOfRuns(heads, endpoints)?.tokensPerAttempt, 2, 'and its benchmark');
  });

  it('counts rollouts up to the budget that ends the run', () => {
    const pace = { run: 'newest', secondsPerToken: 0.02, tokensPerAttempt: 10, billedPerToken: 1 };
    const whole = experiment({ epochs: 10, validation: { every: 0 } });
    const { epoch } = expectedWork(whole).rollouts;
    assert.deepEqual(told(whole, pace), {
      run: epoch * 10,
      seconds: { epoch: epoch * 0.2, run: epoch * 10 * 0.2 },
      tokens: epoch * 100,
      cost: null,
      ...{ ends: null, epochs: 10 },
    });
    const short = experiment({ epochs: 10, validation: { every: 0 }, budget: { rollouts: 3 * epoch } });
    assert.equal(told(short, pace).tokens, 3 * epoch * 10);
    for (const [by, most] of [
      ['tokens', 3 * epoch * 10],
      ['seconds', 3 * epoch * 0.2],
      ['hours', (2.5 * epoch * 0.2) / 3600],
    ] as const) {
      const cut = told(experiment({ epochs: 10, validation: { every: 0 }, budget: { [by]: most } }), pace);
      assert.deepEqual([cut.ends, cut.tokens], [{ by, epochs: 3 }, 3 * epoch * 10], by);
      assert.deepEqual([cut.epochs, cut.run], [3, 3 * epoch], 'rollouts, tokens and time are of the same epochs');
    }
    const measured = experiment({ epochs: 10, validation: { every: 1 } });
    const { validation, rollouts } = expectedWork(measured);
    assert.equal(told(measured, pace).tokens, (validation.run + rollouts.run) * 10);
  });

  it('tells the servers’ hours and sampling apart', () => {
    const dear = experiment({ epochs: 10 });
    dear.endpoints.agent.pricePerHour = 3;
    const { cost, seconds } = told(dear, {
      run: 'one',
      secondsPerToken: 1,
      tokensPerAttempt: 1,
      billedPerToken: 1,
    });
    assert.deepEqual(cost, { hours: (seconds.run / 3600) * 3, sampling: 0 });
  });

  it('prices tokens as they were billed, turns sending all before them again', () => {
    const prices = { pricePrompt: 1, priceSampled: 4 };
    const server = { ...pricedServer, ...prices };
    const twice = { endpoints: { agent: server, environment: server } };
    const [once, more] = [1, 2.5].map((billedPerToken) =>
      forecastOf(twice, { run: 'one', secondsPerToken: 1, tokensPerAttempt: 10, billedPerToken }, 100),
    );
    assert.deepEqual([once?.tokens, more?.tokens], [1000, 1000]);
    assert.ok(Math.abs((once?.cost?.sampling ?? 0) - 1000 * 4e-6) < 1e-12);
    assert.ok(Math.abs((more?.cost?.sampling ?? 0) - 2500 * 4e-6) < 1e-12);
  });
});
