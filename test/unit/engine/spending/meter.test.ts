/** Requests that a budget turns away, and those that it lets pass. */
import assert from 'node:assert/strict';
import { Meter } from '../../../../src/engine/spending/meter.ts';
import { Pace } from '../../../../src/engine/spending/pace.ts';
import { emptyState } from '../../../../src/engine/state.ts';
import { pricedServer } from '../../../support/scripted/billing.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const atOnce = { concurrency: 8, deterministic: false };
const request = (id: string) => ({ id, messages: [], n: 1, seed: 0, maxTokens: 9, temperature: 1 });

/** Sampled tokens at a price of 1 each. */
function budgetOf(cost: number): Meter {
  const server = { ...pricedServer, pricePrompt: 0, priceSampled: 1e6 };
  const experiment = smallExperiment({ endpoints: { agent: server, environment: server }, budget: { cost } });
  return new Meter({ state: () => emptyState, experiment: () => experiment, ports: { clock: { now: () => 0 } } });
}
const paid = (meter: Meter, id: string, sampled: number): void =>
  meter.record('written', 1, id, [{ role: 'environment', prompt: 0, sampled, trained: 0 }]);

describe('a budget of money', () => {
  it('is asked only where something waits: what is under way may turn out cheaper than likely', () => {
    const meter = budgetOf(39);
    const pace = new Pace([1, 2, 3, 4].map(String).map(request), meter.gate('written'), atOnce);
    assert.equal(pace.next().length, 4);
    for (const [id, sampled] of [
      ['1', 10],
      ['2', 10],
      ['3', 10],
      ['4', 2],
    ] as const) {
      paid(meter, id, sampled);
      pace.ended();
      assert.deepEqual(pace.next(), []);
    }
    pace.settled();
    assert.equal(meter.refused, null);
    const attempts = new Pace([request('5')], meter.gate('attempted'), atOnce);
    assert.equal(attempts.next().length, 1);
  });

  it('turns away what waits, and everything after it', () => {
    const meter = budgetOf(39);
    const pace = new Pace([1, 2].map(String).map(request), meter.gate('written'), { ...atOnce, concurrency: 1 });
    assert.equal(pace.next().length, 1);
    paid(meter, '1', 40);
    pace.ended();
    assert.deepEqual(pace.next(), []);
    assert.deepEqual(meter.refused, { by: 'cost', budget: 39 });
    assert.deepEqual(new Pace([request('5')], meter.gate('attempted'), atOnce).next(), []);
    assert.equal(meter.gate('attempted')?.isClosed(), true);
  });
});
