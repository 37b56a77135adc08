/** Money of a run, so far, by phase, and still to come. */
import assert from 'node:assert/strict';
import { moneyLines } from '../../../src/cli/show/money.ts';
import { emptyState } from '../../../src/engine/state.ts';
import { outlayOf, SpendingFold } from '../../../src/runs/facts/spending.ts';
import { endpointDefaults } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { pricesOf } from '../../../src/shared/money/prices.ts';
import { WorkedTime } from '../../../src/runs/facts/workedTime.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const endpoint = { kind: 'embedded', weights: 'agent', pricePerHour: 3600 } as const;
const experiment = smallExperiment({ epochs: 4, endpoints: { agent: endpoint, environment: endpoint } });

describe('spending', () => {
  it('by the hour is of each server once, however its address is written', () => {
    const of = (agent: string, environment: string) =>
      pricesOf({
        agent: { ...endpointDefaults.tinker, url: agent, pricePerHour: 2 },
        environment: { ...endpointDefaults.openai, url: environment, pricePerHour: 3 },
      })?.hour;
    assert.equal(of('http://gpu:8000', 'http://gpu:8000'), 3);
    assert.equal(of('http://gpu:8000', 'http://GPU:8000/v1/'), 3);
    assert.equal(of('https://gpu', 'https://gpu:443/v1'), 3);
    assert.equal(of('http://gpu:8000', 'http://gpu:8000/v1, http://gpu:8001/v1'), 3);
    assert.equal(of('http://gpu:8000', 'http://gpu:8001'), 5);
    const sampler = 'http://gpu:8000/v1';
    const cluster = { ...endpointDefaults.verl, url: 'http://head:8265', sampler, pricePerHour: 20 };
    const own = { ...endpointDefaults.openai, url: 'http://gpu:8000', pricePerHour: 3 };
    assert.equal(pricesOf({ agent: cluster, environment: own })?.hour, 20);
  });

  it('of a server by the hour is its working time, by phase, and the mean of the last epochs for those left', async () => {
    const run = new MemoryRun();
    let now = 0;
    await runScripted(experiment, run, { ports: { clock: { now: () => (now += 500) } } });
    const [fold, worked] = [new SpendingFold(pricesOf(experiment.endpoints) ?? assert.fail()), new WorkedTime()];
    for (const event of run.events) {
      worked.add(event);
      fold.add(event, worked.epoch.seconds);
    }
    const over = outlayOf(run.state, experiment) ?? assert.fail();
    assert.ok(Math.abs(over.spent - run.state.spent.seconds) < 1e-9);
    assert.equal(over.left, 0);
    assert.ok(Math.abs(fold.shares.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
    assert.ok(fold.shares.some(({ phase, share }) => phase === 'attempts' && share > 0));

    const half = run.cut(
      run.events.findIndex((event) => event.type === 'epoch.finished' && event.epoch === 2) + 1,
      0,
      0,
    );
    const outlay = outlayOf(half.state, experiment) ?? assert.fail();
    const took = half.state.summaries.map(({ seconds }) => seconds);
    assert.ok(Math.abs((outlay.left ?? 0) - took.reduce((sum, one) => sum + one, 0)) < 1e-9);
    const capped = { ...experiment, budget: { ...experiment.budget, cost: outlay.spent + 1 } };
    assert.ok(Math.abs((outlayOf(half.state, capped)?.left ?? 0) - 1) < 1e-9);
    const lines = moneyLines(half.state, experiment, fold.shares);
    assert.match(lines[0] ?? '', /^time left {2}about .*by the last 2 epochs$/);
    assert.match(
      lines[1] ?? '',
      /^cost {7}[\d.]+ so far \(.*attempts [\d.]+ %.*\); about [\d.]+ left, by the last 2 epochs$/,
    );
  });

  it('is unknown before the first epoch, and absent without prices', () => {
    assert.deepEqual(outlayOf(emptyState, experiment), { spent: 0, left: null, epochs: 0 });
    assert.equal(outlayOf(emptyState, smallExperiment()), null);
    assert.deepEqual(moneyLines(emptyState, experiment, []), [
      'time left  not known before an epoch has finished',
      'cost       0.00 so far; cost left not known',
    ]);
  });
});
