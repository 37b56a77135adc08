import assert from 'node:assert/strict';
import { batchTasks } from '../../../../src/shared/experiment/tasks/batchTasks.ts';
import type { EventOf, JournalEvent } from '../../../../src/shared/journal/events.ts';
import { roundsOf } from '../../../../src/engine/phases/rounds.ts';
import { runScripted, smallExperiment, type MemoryRun } from '../../../support/scripted/scriptedRun.ts';
import { makeTask } from '../../../support/runs/records.ts';

const ofType = <T extends JournalEvent['type']>(run: MemoryRun, type: T): EventOf<T>[] =>
  run.events.filter((event): event is EventOf<T> => event.type === type);

const inRounds = (batch: number | null) =>
  smallExperiment({ epochs: 2, generation: { families: 6, variations: 2 }, rollouts: { batch, baseShare: 0.25 } });

describe('rounds of an epoch', () => {
  const tasks = (family: string, count: number) =>
    Array.from({ length: count }, (_, i) => makeTask({ id: `${family}.v${i}`, family }));

  it('keep families whole, share base tasks evenly and leave nothing out', () => {
    const calibrated = [...tasks('a', 4), ...tasks('b', 1), ...tasks('c', 3), ...tasks('d', 4)];
    const mixed = Array.from({ length: 5 }, (_, i) => makeTask({ id: `base.${i}`, family: `base.${i}` }));
    const rounds = roundsOf({ calibrated, mixed }, 6);
    assert.equal(rounds.length, 3);
    assert.deepEqual(
      rounds.flatMap((round) => round.calibrated),
      calibrated,
    );
    assert.deepEqual(
      rounds.flatMap((round) => round.mixed),
      mixed,
    );
    for (const family of 'abcd') {
      assert.equal(rounds.filter((round) => round.calibrated.some((task) => task.family === family)).length, 1, family);
    }
    assert.ok(rounds.every((round) => round.mixed.length >= 1));
    assert.deepEqual(
      rounds.map(({ number, last }) => [number, last]),
      [
        [0, false],
        [1, false],
        [2, true],
      ],
    );
  });

  it('are one where none are asked for, with its tasks as they come', () => {
    const calibrated = [...tasks('a', 1), ...tasks('b', 1), ...tasks('a', 1)];
    assert.deepEqual(roundsOf({ calibrated, mixed: [] }, null), [{ calibrated, mixed: [], number: 0, last: true }]);
    assert.deepEqual(roundsOf({ calibrated, mixed: [] }, 3), [{ calibrated, mixed: [], number: 0, last: true }]);
  });

  it('are fewer where there are fewer families than rounds asked for', () => {
    const rounds = roundsOf({ calibrated: [...tasks('a', 4), ...tasks('b', 4)], mixed: [] }, 2);
    assert.deepEqual(
      rounds.map(({ number, last, calibrated }) => [number, last, calibrated.length]),
      [
        [0, false, 4],
        [1, true, 4],
      ],
    );
  });

  it('follow one another: each is attempted by the agent that the one before it left', async () => {
    const experiment = inRounds(4);
    const run = await runScripted(experiment);
    const count = Math.ceil(batchTasks(experiment) / 4);
    const [attempted, updated] = [ofType(run, 'rollouts.finished'), ofType(run, 'agent.updated')];
    assert.equal(attempted.length, 2 * count);
    assert.deepEqual(
      attempted.map(({ epoch, round }) => `${epoch}/${round}`),
      [1, 2].flatMap((epoch) => Array.from({ length: count }, (_, i) => `${epoch}/${i + 1}`)),
    );
    // Every round taught something here, so that each has a version of its own.
    assert.equal(updated.length, 2 * count);
    for (const [i, update] of updated.entries()) {
      assert.equal(update.version.name, `agent@${i + 1}`);
      const before = run.events
        .slice(0, run.events.indexOf(update))
        .findLast(({ type }) => type === 'rollouts.finished');
      assert.equal(before?.type === 'rollouts.finished' && before.round, update.round);
    }
    const versions = new Set(
      run.traces.filter(({ purpose, epoch }) => purpose === 'train' && epoch === 1).map(({ version }) => version),
    );
    assert.deepEqual(
      [...versions],
      Array.from({ length: count }, (_, i) => `agent@${i}`),
    );
    // One family, one version: its p̂ is of one agent.
    for (const [, traces] of Map.groupBy(
      run.traces.filter(({ purpose }) => purpose === 'train'),
      ({ epoch, family }) => `${epoch}/${family}`,
    ))
      assert.equal(new Set(traces.map(({ version }) => version)).size, 1);
  });

  it('cost and count what one round does', async () => {
    const [one, many] = [await runScripted(inRounds(null)), await runScripted(inRounds(4))];
    const total = (run: MemoryRun): number[] => ofType(run, 'epoch.finished').map(({ summary }) => summary.rollouts);
    assert.deepEqual(total(many), total(one));
    const [first] = ofType(many, 'epoch.finished');
    const rounds = ofType(many, 'rollouts.finished').filter(({ epoch }) => epoch === 1);
    assert.equal(
      first?.summary.rollouts,
      rounds.reduce((sum, { rollouts }) => sum + rollouts, 0),
    );
    assert.equal(
      many.state.spent.rollouts,
      total(many).reduce((sum, value) => sum + value, 0),
    );
    const [scored] = ofType(many, 'families.scored');
    assert.equal(scored?.successRate.attempts, 12 * 4);
    assert.ok(ofType(one, 'rollouts.finished').every(({ round }) => round === undefined));
  });
});

describe('a minibatch', () => {
  it('counts tasks where it is told to, their attempts together', async () => {
    const steps = async (agent: { minibatch: number; minibatchUnit: 'task' | 'sequence' }): Promise<number[]> =>
      ofType(await runScripted(smallExperiment({ epochs: 1, agent })), 'agent.updated').map((event) => event.steps);
    const [event] = ofType(await runScripted(smallExperiment({ epochs: 1 })), 'agent.updated');
    const groups = event?.groups.trained ?? 0;
    assert.ok(groups > 2);
    assert.deepEqual(await steps({ minibatch: 2, minibatchUnit: 'task' }), [Math.ceil(groups / 2)]);
    assert.deepEqual(await steps({ minibatch: 2, minibatchUnit: 'sequence' }), [Math.ceil((groups * 4) / 2)]);
  });
});
