import assert from 'node:assert/strict';
import { groupOf } from '../../../../src/host/trees/runs/familyGroups.ts';
import { orderRuns } from '../../../../src/host/trees/runs/roots/runOrder.ts';
import {
  everything,
  filters,
  parseRange,
  reachesEpoch,
  showsFamily,
  showsRun,
  treeFilterSchema,
} from '../../../../src/host/trees/runs/treeFilter.ts';
import type { RunHead } from '../../../../src/runs/store/runHead.ts';
import { successRate } from '../../../../src/engine/math/successRate.ts';
import type { FamilyScore } from '../../../../src/shared/journal/events.ts';
import { noLabel } from '../../../../src/runs/store/runLabel.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import { epochSummary } from '../../../support/journal.ts';

const head = (over: Partial<RunHead>): { dir: string; head: RunHead } => ({
  dir: `/runs/${over.id ?? 'a'}`,
  head: {
    id: 'a',
    name: 'demo',
    experiment: 'demo',
    label: noLabel,
    mode: 'coevolve',
    imported: null,
    endpoints: presets.embedded.endpoints,
    state: 'finished',
    ending: 'epochs',
    epoch: 3,
    current: 3,
    epochs: 3,
    startedAt: '2026-11-21T12:00:00.000Z',
    summary: null,
    ...over,
  },
});

const family = (successes: number, attempts: number, over: Partial<FamilyScore> = {}): FamilyScore => ({
  id: 'e1.f0',
  seed: null,
  origin: 'generated',
  plan: 'steps 3',
  tasks: [],
  successRate: successRate(successes, attempts),
  estimate: 0,
  environmentReward: 0,
  kept: 0,
  weight: 0,
  complexity: {},
  ...over,
});

const band = { alpha: 0.5, kMin: 0.1 };

describe('runs tree: filter', () => {
  it('of runs asks for their name, id, state and mode', () => {
    const run = head({ id: '20261121-beta', name: 'Beta 15', state: 'paused', mode: 'random' });
    const shows = (runs: object) => showsRun({ runs, families: {} }, run);
    assert.equal(shows({}), true);
    assert.equal(shows({ text: 'bEta ' }), true);
    assert.equal(shows({ text: '1121' }), true);
    assert.equal(shows({ text: 'gamma' }), false);
    assert.equal(shows({ states: ['paused', 'failed'] }), true);
    assert.equal(shows({ states: ['running'] }), false);
    assert.equal(shows({ modes: ['random'], text: 'beta' }), true);
    assert.equal(shows({ modes: ['coevolve'], text: 'beta' }), false);
  });

  it('of one run’s families leaves the other runs out', () => {
    const filter = { runs: {}, families: { run: '/runs/a', text: 'x' } };
    assert.equal(showsRun(filter, head({ id: 'a' })), true);
    assert.equal(showsRun(filter, head({ id: 'b' })), false);
  });

  it('of families takes bounds in, as they are written', () => {
    const shows = (one: FamilyScore, families: object) => showsFamily({ runs: {}, families }, one, band);
    assert.equal(shows(family(3, 10), { successRate: [0.3, 0.5] }), true);
    assert.equal(shows(family(5, 10), { successRate: [0.3, 0.5] }), true);
    assert.equal(shows(family(6, 10), { successRate: [0.3, 0.5] }), false);
    assert.equal(shows(family(0, 0), { successRate: [0, 1] }), false);
    assert.equal(shows(family(6, 10), { band: 'in band' }), true);
    assert.equal(shows(family(7, 10), { band: 'in band' }), false);
    assert.equal(shows(family(7, 10), { band: 'too easy', text: 'STEPS' }), true);
    assert.equal(shows(family(7, 10), { text: 'f1' }), false);
  });

  it('of epochs takes the first and the last in', () => {
    const within = (epoch: number) => reachesEpoch({ runs: {}, families: { epochs: [3, 5] } }, epoch);
    assert.deepEqual([2, 3, 4, 5, 6].map(within), [false, true, true, true, false]);
    assert.equal(reachesEpoch(everything, 7), true);
  });

  it('that asks for nothing is none', () => {
    assert.equal(filters(everything), false);
    assert.equal(filters({ runs: { text: undefined }, families: { band: undefined } }), false);
    assert.equal(filters({ runs: {}, families: { run: '/runs/a' } }), true);
  });

  it('can be kept and read again', () => {
    const filter = { runs: { states: ['failed'] }, families: { successRate: [0.2, 0.4], epochs: [1, 9] } };
    assert.deepEqual(treeFilterSchema().parse(JSON.parse(JSON.stringify(filter))), filter);
    assert.equal(treeFilterSchema().safeParse({ runs: { states: ['gone'] }, families: {} }).success, false);
  });

  it('reads a range of success rates as people write it', () => {
    assert.deepEqual(parseRange('0.4–0.6'), [0.4, 0.6]);
    assert.deepEqual(parseRange('0,4 - 0,6'), [0.4, 0.6]);
    assert.deepEqual(parseRange('0.4 to 1'), [0.4, 1]);
    assert.deepEqual(parseRange('0.7–'), [0.7, 1]);
    assert.deepEqual(parseRange('–0.3'), [0, 0.3]);
    assert.deepEqual(parseRange('0.5'), [0.5, 0.5]);
    for (const wrong of ['', '–', '0.6–0.4', '40–60', 'high', '0.1–0.2–0.3'])
      assert.equal(parseRange(wrong), null, wrong);
  });
});

describe('runs tree: sides of the band', () => {
  it('count its edges as inside', () => {
    assert.deepEqual(
      [0, 0.39, 0.4, 0.5, 0.6, 0.61, null].map((p) => groupOf(p, band)),
      ['too hard', 'too hard', 'in band', 'in band', 'in band', 'too easy', 'not measured'],
    );
  });
});

describe('runs tree: order', () => {
  const measured = (p: number, validation?: number) =>
    epochSummary(3, {
      successRate: successRate(100 * p, 100),
      ...(validation === undefined ? {} : { validation: successRate(100 * validation, 100) }),
    });
  const runs = [
    head({
      id: 'a',
      name: 'run 10',
      state: 'finished',
      startedAt: '2026-11-21T12:00:00.000Z',
      summary: measured(0.5, 0.2),
    }),
    head({ id: 'b', name: 'run 9', state: 'failed', startedAt: '2026-11-21T14:00:00.000Z', summary: measured(0.3) }),
    head({ id: 'c', name: 'run 9', state: 'running', startedAt: '2026-11-21T13:00:00.000Z' }),
  ];
  const ids = (order: Parameters<typeof orderRuns>[1]) => orderRuns(runs, order).map(({ head: { id } }) => id);

  it('is by what was asked for; what is alike stands newest first, what was not measured last', () => {
    assert.deepEqual(ids('started'), ['b', 'c', 'a']);
    assert.deepEqual(ids('name'), ['b', 'c', 'a']);
    assert.deepEqual(ids('state'), ['c', 'b', 'a']);
    assert.deepEqual(ids('success rate'), ['a', 'b', 'c']);
    assert.deepEqual(ids('validation'), ['a', 'b', 'c']);
  });
});
