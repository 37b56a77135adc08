import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spentOn } from '../../../../src/engine/spending/forecast.ts';
import { applyEvent, emptyState } from '../../../../src/engine/state.ts';
import { costOf, pricesIn, type Bill } from '../../../../src/features/runTable/core/cost.ts';
import { Rows } from '../../../../src/features/runTable/host/rows.ts';
import { EpochFold } from '../../../../src/runs/facts/epochFold.ts';
import { readJournal } from '../../../../src/runs/journal/journalFile.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { pricesOf } from '../../../../src/shared/money/prices.ts';
import { ScriptedCatalog } from '../../../support/host/scriptedCatalog.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { withTempRuns, type TempRuns } from '../../../support/runs/tempRuns.ts';
import { pricedServer } from '../../../support/scripted/billing.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const server = (model: string, url: string): Experiment['endpoints']['agent'] => ({
  ...{ kind: 'tinker', url, key: null, model, rank: 8, tokenizer: null, inFlight: null },
});
const embedded = smallExperiment().endpoints.agent;

async function finished(runs: TempRuns, endpoints: Partial<Experiment['endpoints']>) {
  const settings = smallExperiment({ epochs: 2, validation: { every: 1 }, endpoints });
  const { dir } = await finishedRun(runs.store(), settings);
  let state = emptyState;
  const fold = new EpochFold();
  for await (const { event } of readJournal(join(dir, 'journal.jsonl'))) {
    fold.add(event);
    state = applyEvent(state, event);
  }
  const { used, totals } = fold;
  const spent = { ...totals, tokens: totals.tokens ?? NaN };
  const bill: Bill = { endpoints: settings.endpoints, used, spent };
  return { bill, state, fold };
}

describe('the cost of a run in the table', () => {
  it('is what every bill says where endpoints have prices, whatever the setting says', () =>
    withTempRuns(async (runs) => {
      for (const endpoints of [{ agent: pricedServer, environment: pricedServer }, { agent: pricedServer }]) {
        const { bill, state } = await finished(runs, endpoints);
        const prices = pricesOf(bill.endpoints);
        assert.ok(prices !== null);
        const spent = spentOn(state, prices);
        assert.ok(spent > 0);
        for (const setting of [{}, { m: 10 }]) assert.ok(Math.abs((costOf(bill, setting) ?? NaN) / spent - 1) < 1e-9);
      }
    }));

  it('is that of the setting where they have none, and nothing is made up where a price is missing', () =>
    withTempRuns(async (runs) => {
      const { bill, fold } = await finished(runs, {});
      const of = (agent: Experiment['endpoints']['agent'], environment: Experiment['endpoints']['environment']) => ({
        ...{ ...bill, endpoints: { agent, environment } },
      });
      const written = fold.rows.reduce((sum, row) => sum + row.tokens.generate, 0);
      const solved = (fold.totals.tokens ?? NaN) - written;
      const [small, large] = [server('small', 'https://a'), server('large', 'https://b')];
      const cost = costOf(of(small, large), { small: 2, 'https://b': 10 }) ?? NaN;
      assert.ok(Math.abs(cost - (10 * written + 2 * solved) / 1e6) < 1e-12);
      assert.equal(costOf(of(small, large), { small: 2 }), null);
      const unknown = { ...of(small, large), spent: { ...bill.spent, tokens: null } };
      assert.equal(costOf(unknown, { small: 2, 'https://b': 10 }), null, 'tokens that nothing counted');
      const half = costOf(of(small, embedded), { small: 2 }) ?? NaN;
      assert.ok(Math.abs(half - (2 * solved) / 1e6) < 1e-12, 'an embedded policy costs nothing');
      assert.equal(costOf(of(embedded, embedded), { small: 2 }), null);
    }));

  it('leaves out an invalid price of the setting alone', () => {
    assert.deepEqual(pricesIn({ good: 0.4, bad: '0,4', below: -1 }), { good: 0.4 });
    assert.deepEqual(pricesIn('0.4'), {});
  });

  it('follows the setting', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const endpoints = { agent: server('small', 'https://a') };
      const { id } = await finishedRun(store, smallExperiment({ epochs: 1, endpoints }));
      const { manifest } = await store.openReader(id).then(async (reader) => (await reader.close(), reader));
      const catalog = new ScriptedCatalog(store);
      await catalog.look();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      let prices = { small: 10 };
      const rows = new Rows({
        catalog: { runs: catalog.runs, get: (dir) => catalog.get(dir), manifest: () => manifest },
        ...{ prices: () => prices, told: resolve, failed: reject },
      });
      const cost = (): number => rows.all()[0]?.figures?.cost ?? NaN;
      assert.ok(Number.isNaN(cost()));
      await promise;
      const before = cost();
      assert.ok(before > 0);
      prices = { small: 20 };
      assert.equal(cost(), 2 * before);
      rows.dispose();
    }));
});
