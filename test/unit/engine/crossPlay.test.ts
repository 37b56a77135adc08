/** Versions against each other (`crossPlay`): which are compared, and that nothing else of the run notices. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anchorsOf, planCheck, spreadOverFamilies } from '../../../src/engine/crossPlay/plan.ts';
import { Rng } from '../../../src/engine/random.ts';
import { CheckpointLedger } from '../../../src/runs/store/checkpoints.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { eventSchema, type EventOf } from '../../../src/shared/journal/events.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const checked = (more: Parameters<typeof smallExperiment>[0] = {}): Experiment =>
  smallExperiment({ epochs: 6, ...more, crossPlay: { every: 2, rollouts: 60, ...more.crossPlay } });

const checks = ({ events }: MemoryRun): EventOf<'cross.played'>[] =>
  events.filter((event) => event.type === 'cross.played');

const increasing = fc
  .uniqueArray(fc.integer({ min: 1, max: 2000 }), { maxLength: 80 })
  .map((epochs) => epochs.toSorted((a, b) => a - b));

describe('cross-play: which versions', () => {
  it('anchors are at most six, the first among them, and those of a later check among those before and the newest', () => {
    assert.deepEqual(anchorsOf([2, 4, 6, 8, 10, 12]), [2, 4, 6, 8, 10, 12]);
    assert.deepEqual(anchorsOf([2, 4, 6, 8, 10, 12, 14]), [2, 6, 10, 14]);
    fc.assert(
      fc.property(increasing, (epochs) => {
        const anchors = anchorsOf(epochs);
        assert.ok(anchors.length <= 6 && anchors[0] === epochs[0]);
        const before = new Set([...anchorsOf(epochs.slice(0, -1)), epochs.at(-1)]);
        assert.ok(anchors.every((epoch) => before.has(epoch)));
      }),
    );
  });

  it('a check stays within its budget, and compares fewer versions where cells would be small', () => {
    assert.deepEqual(planCheck(6, [2, 4], 70), { rows: [1, 2, 4, 6], agents: [0, 2, 4], tasks: 10 });
    assert.deepEqual(planCheck(1, [], 32), { rows: [1], agents: [0], tasks: 16 });
    assert.deepEqual(planCheck(8, [2, 4, 6], 56), { rows: [1, 2, 6, 8], agents: [0, 2, 6], tasks: 8 });
    fc.assert(
      fc.property(increasing, fc.integer({ min: 32, max: 5000 }), (epochs, budget) => {
        const { rows, agents, tasks } = planCheck((epochs.at(-1) ?? 0) + 1, epochs, budget);
        assert.ok(tasks >= 8 && tasks * (rows.length + agents.length) <= budget);
      }),
    );
  });

  it('the first tasks of an order are of different families', async () => {
    const { tasks } = await runScripted(smallExperiment({ generation: { families: 4, variations: 3 } }));
    const written = tasks.filter(({ status, epoch }) => status === 'accepted' && epoch === 1);
    const families = new Set(written.map(({ family }) => family)).size;
    const order = spreadOverFamilies(written, Rng.from(1));
    assert.equal(new Set(order.slice(0, families).map(({ family }) => family)).size, families);
    assert.deepEqual(new Set(order), new Set(written));
  });
});

describe('cross-play in a run', function () {
  this.timeout(120_000);

  it('measures today’s agent on earlier tasks and earlier agents on today’s, every so many epochs and at the end', async () => {
    const run = await runScripted(checked({ epochs: 5 }));
    assert.deepEqual(
      checks(run).map(({ epoch, version }) => [epoch, version]),
      [
        [2, 'agent@2'],
        [4, 'agent@4'],
        [5, 'agent@5'],
      ],
    );
    const last = checks(run).at(-1);
    assert.deepEqual(
      last?.cells.map(({ tasks, agent }) => `${tasks}·${agent}`),
      ['1·5', '2·5', '4·5', '5·5', '5·0', '5·2', '5·4'],
    );
    const written = new Map(run.tasks.map((task) => [task.id, task]));
    for (const event of checks(run)) {
      assert.deepEqual(eventSchema.parse(JSON.parse(JSON.stringify(event))), event);
      assert.ok(event.rollouts <= 60);
      for (const { tasks, ids } of event.rows) assert.ok(ids.every((id) => written.get(id)?.epoch === tasks));
      for (const { tasks, outcomes } of event.cells) {
        assert.match(outcomes, /^[01]+$/);
        assert.equal(outcomes.length, event.rows.find((row) => row.tasks === tasks)?.ids.length);
      }
    }
    const [early, late] = checks(run).map(({ rows }) => rows.find(({ tasks }) => tasks === 1)?.ids ?? []);
    const both = Math.min(early?.length ?? 0, late?.length ?? 0);
    assert.ok(both > 0);
    assert.deepEqual(early?.slice(0, both), late?.slice(0, both), 'the same tasks at every check');
  });

  it('leaves everything else as it is without it: events, records, budgets', async () => {
    const without = await runScripted(smallExperiment({ epochs: 6 }));
    const run = await runScripted(checked());
    assert.ok(checks(run).length > 0);
    const plain = ({ events }: MemoryRun): unknown[] =>
      events.filter(({ type }) => type !== 'cross.played').map((event) => ({ ...event, seq: 0 }));
    assert.deepEqual(plain(run), plain(without));
    assert.deepEqual(run.traces, without.traces);
    assert.deepEqual(run.tasks, without.tasks);
  });

  it('a run killed before any append ends the same', async () => {
    const whole = await runScripted(checked());
    const appends = whole.events.length + whole.tasks.length + whole.traces.length;
    for (const at of Rng.from('crash')
      .shuffle([...Array(appends).keys()])
      .slice(0, 40)) {
      const crashed = await crashAt(checked(), at, {});
      await runScripted(checked(), crashed);
      assert.ok(crashed.text === whole.text, `journal after a crash before append ${at}`);
    }
    const atChecks = whole.events.flatMap(({ type }, i) => (type === 'cross.played' ? [i] : []));
    assert.equal(atChecks.length, 3);
  });

  it('checkpoints of compared agents are kept, and those of no longer compared ones are not', async () => {
    const experiment = checked({ epochs: 60, crossPlay: { every: 1, rollouts: 200 } });
    const run = await runScripted(experiment);
    const ledger = new CheckpointLedger();
    const seen: number[] = [];
    for (const event of run.events) {
      if (event.type === 'cross.played') {
        const kept = ledger.keep(experiment);
        const earlier = anchorsOf(seen);
        for (const { agent, version } of event.cells) {
          if (agent > 0) assert.ok(kept.has(version), `${version} at epoch ${event.epoch}`);
          assert.ok(agent === 0 || agent === event.epoch || earlier.includes(agent));
        }
        seen.push(event.epoch);
      }
      ledger.add(event);
    }
    assert.ok(ledger.keep(experiment).size <= 2 * 30);
  });

  it('an agent whose checkpoint is gone is told, and the others are compared', async () => {
    class Gone extends Error {
      readonly reason = 'checkpoint';
    }
    class Forgetful extends ScriptedPolicy {
      override restore(ref: { name: string; handle: string }): ReturnType<ScriptedPolicy['restore']> {
        return ref.name.startsWith('agent@2') ? Promise.reject(new Gone('The file is gone.')) : super.restore(ref);
      }
    }
    const run = new MemoryRun();
    await runScripted(checked({ epochs: 4 }), run, {
      ports: { agent: new Forgetful('agent', 4, run.checkpoints.agent) },
    });
    const last = checks(run).at(-1);
    assert.deepEqual(last?.absent, [{ agent: 2, version: 'agent@2', reason: 'The file is gone.' }]);
    assert.deepEqual(
      last.cells.map(({ tasks, agent }) => `${tasks}·${agent}`),
      ['1·4', '2·4', '4·4', '4·0'],
    );
  });

  it('an agent that is not trained has one version: only its tasks are compared', async () => {
    const run = await runScripted(checked({ epochs: 4, agent: { train: false } }));
    assert.ok(checks(run).every(({ cells, version }) => cells.every((cell) => cell.version === version)));
  });
});
