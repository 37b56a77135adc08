import assert from 'node:assert/strict';
import { totals } from '../../../src/benchmarks/bfcl/totals.ts';

const near = (actual: number | undefined, expected: number): void =>
  assert.ok(Math.abs((actual ?? NaN) - expected) < 1e-12);

describe('BFCL totals', () => {
  const scores = new Map([
    ['simple_python', { right: 200, records: 400 }],
    ['simple_java', { right: 100, records: 100 }],
    ['simple_javascript', { right: 0, records: 50 }],
    ['multiple', { right: 200, records: 200 }],
    ['parallel', { right: 100, records: 200 }],
    ['parallel_multiple', { right: 0, records: 200 }],
    ['irrelevance', { right: 60, records: 240 }],
    ['live_simple', { right: 258, records: 258 }],
    ['live_multiple', { right: 0, records: 1053 }],
    ['live_parallel', { right: 16, records: 16 }],
    ['live_parallel_multiple', { right: 24, records: 24 }],
  ]);

  it('gives languages and kinds of calls equal weight, live categories their records', () => {
    const { simple, nonLive, live, irrelevance, overall, multiTurn } = totals(scores, 'v4');
    near(simple?.accuracy, 0.5);
    near(nonLive?.accuracy, 0.5);
    near(live?.accuracy, 298 / 1351);
    near(irrelevance?.accuracy, 0.125);
    near(overall?.accuracy, 0.1 * (0.5 + 298 / 1351 + 0.125));
    assert.deepEqual([nonLive?.isComplete, live?.isComplete, irrelevance?.isComplete], [true, true, false]);
    assert.deepEqual([multiTurn, overall?.isComplete], [{ accuracy: 0, isComplete: false }, false]);
  });

  it('counts irrelevance with the others in the older version, and a category that was not run with all its records', () => {
    const { nonLive, live, overall } = totals(scores, 'v3');
    near(nonLive?.accuracy, (4 * 0.5 + 0.25) / 5);
    near(live?.accuracy, 298 / (1351 + 884 + 16));
    near(overall?.accuracy, (0.45 + 298 / 2251) / 3);
  });
});
