import assert from 'node:assert/strict';
import type { ChangeRequest, Changes } from '../../../../src/engine/ports.ts';
import { changeable, epochsAhead, valueAt } from '../../../../src/shared/experiment/changeable.ts';
import type { EventOf, JournalEvent } from '../../../../src/shared/journal/events.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

/** Requests in memory: what a crash cannot take. */
class Waiting implements Changes {
  requests: ChangeRequest[];
  constructor(...requests: ChangeRequest[]) {
    this.requests = requests;
  }
  waiting(): Promise<readonly ChangeRequest[]> {
    return Promise.resolve(this.requests);
  }
  taken(id: string, fields: readonly string[]): Promise<void> {
    assert.ok(fields.length > 0, 'what is not due yet is left alone');
    this.requests = this.requests
      .map((one) =>
        one.id === id ? { ...one, changes: one.changes.filter(({ field }) => !fields.includes(field)) } : one,
      )
      .filter(({ changes }) => changes.length > 0);
    return Promise.resolve();
  }
}

const request = (id: string, values: Record<string, unknown>): ChangeRequest => ({
  id,
  author: 'ada',
  changes: Object.entries(values).map(([field, to]) => ({ field, to })),
});

const isChange = (event: JournalEvent): event is EventOf<'settings.changed'> => event.type === 'settings.changed';
const typesOf = (run: MemoryRun): string[] => run.events.map(({ type }) => type);

/** Runs, and asks for changes at a moment of the run. */
async function changed(values: Record<string, unknown>, at: (event: string, epoch: number) => boolean) {
  const waiting = new Waiting();
  const run = new MemoryRun();
  await runScripted(smallExperiment(), run, {
    ports: { changes: waiting },
    onProgress: ({ phase, epoch }) => {
      if (at(phase, epoch) && !run.events.some(isChange) && waiting.requests.length === 0) {
        waiting.requests = [request('a', values)];
      }
    },
  });
  return { run, waiting };
}

describe('settings changed while a run goes', () => {
  it('reach the scoring of the epoch under way, in one event that says from and to', async () => {
    const { run, waiting } = await changed(
      { 'curriculum.alpha': 0.9, 'curriculum.beta': 2 },
      (phase, epoch) => phase === 'attempt' && epoch === 2,
    );
    const event = run.events.find(isChange);
    assert.deepEqual(event?.changes, [
      { field: 'curriculum.alpha', from: 0.5, to: 0.9 },
      { field: 'curriculum.beta', from: 4, to: 2 },
    ]);
    assert.equal(event.author, 'ada');
    assert.equal(event.epoch, 2);
    const types = typesOf(run);
    assert.equal(types[types.indexOf('settings.changed') + 1], 'families.scored');
    const scored = run.events.find((one) => one.type === 'families.scored' && one.epoch === 2);
    assert.ok(scored?.type === 'families.scored');
    for (const { estimate, environmentReward } of scored.families) {
      assert.ok(Math.abs((environmentReward ?? NaN) - Math.exp(-2 * (estimate - 0.9) ** 2)) < 1e-12);
    }
    const third = run.events.find((one) => one.type === 'epoch.started' && one.epoch === 3);
    assert.deepEqual(third?.type === 'epoch.started' && third.settings.alpha, 0.9);
    assert.deepEqual(waiting.requests, []);
  });

  it('take effect in the epoch that the message names, with epochs sampled ahead', async () => {
    const experiment = smallExperiment({ epochs: 6, rollouts: { staleness: 2, group: 4 } });
    const waiting = new Waiting();
    const run = new MemoryRun();
    await runScripted(experiment, run, {
      ports: { changes: waiting },
      beforeAppend: (_, { events }) => {
        if (events.at(-1)?.type === 'epoch.finished' && !events.some(isChange))
          waiting.requests = [request('a', { 'rollouts.group': 6 })];
      },
    });
    const { epoch } = run.events.find(isChange) ?? assert.fail('nothing changed');
    const groups = run.events.flatMap((event) =>
      event.type === 'rollouts.finished' && event.rollouts === 6 * event.tasks ? [event.epoch] : [],
    );
    assert.equal(groups[0], epoch + epochsAhead(experiment, 'rollouts.group'));
    assert.deepEqual(
      ['rollouts.group', 'generation.families', 'environment.steps'].map((field) => epochsAhead(experiment, field)),
      [2, 2, 0],
    );
  });

  it('wait for the next epoch where the batch depends on them, so that one request is taken in two parts', async () => {
    const { run } = await changed(
      { 'curriculum.kMin': 0.4, 'rollouts.group': 6 },
      (phase, epoch) => phase === 'attempt' && epoch === 1,
    );
    const events = run.events.filter(isChange);
    assert.deepEqual(
      events.map(({ epoch, changes }) => [epoch, changes.map(({ field }) => field)]),
      [
        [1, ['curriculum.kMin']],
        [2, ['rollouts.group']],
      ],
    );
    const attempts = (epoch: number) =>
      run.traces.filter((trace) => trace.epoch === epoch && trace.purpose === 'train');
    const tasks = new Set(attempts(2).map(({ task }) => task));
    assert.equal(attempts(2).length, 6 * tasks.size);
    assert.equal(attempts(1).length, 4 * new Set(attempts(1).map(({ task }) => task)).size);
  });

  it('are left waiting until they are due, and those that never are are dropped at once', async () => {
    const later = await changed({ 'rollouts.group': 6 }, (phase, epoch) => phase === 'attempt' && epoch === 1);
    assert.deepEqual(
      later.run.events.filter(isChange).map(({ epoch }) => epoch),
      [2],
    );
    const never = await changed({ seed: 3 }, (phase, epoch) => phase === 'attempt' && epoch === 3);
    assert.deepEqual([never.run.events.some(isChange), never.waiting.requests], [false, []]);
  });

  it('that change nothing, do not fit or may not change leave no event and do not wait for ever', async () => {
    const waiting = new Waiting(
      request('same', { 'curriculum.alpha': 0.5 }),
      request('wrong', { 'curriculum.alpha': 'high' }),
      request('fixed', { seed: 3 }),
      request('partly', { 'curriculum.beta': 9, seed: 3 }),
      request('unknown', { 'curriculum.gamma': 3 }),
    );
    const told: string[] = [];
    const run = await runScripted(smallExperiment(), new MemoryRun(), {
      ports: { changes: waiting, log: { info: () => undefined, warn: (line) => told.push(line) } },
    });
    assert.equal(run.events.some(isChange), false);
    assert.deepEqual(waiting.requests, []);
    assert.deepEqual(told, [
      'A change was left out, because its values do not fit: curriculum.alpha="high"',
      'A change was left out, because its values do not fit: seed=3',
      'A change was left out, because its values do not fit: curriculum.beta=9, seed=3',
      'A change was left out, because its values do not fit: curriculum.gamma=3',
    ]);
    assert.equal(run.text, (await runScripted(smallExperiment())).text);
  });

  it('hold for a resumed run, wherever it crashed', async () => {
    const values = { 'curriculum.alpha': 0.7, 'environment.steps': 1, 'rollouts.group': 3 };
    const whole = await runScripted(smallExperiment(), new MemoryRun(), {
      ports: { changes: new Waiting(request('a', values)) },
    });
    class Crash extends Error {}
    const appends = whole.events.length + whole.tasks.length + whole.traces.length;
    for (let at = 0; at < appends; at += 3) {
      const run = new MemoryRun();
      const waiting = new Waiting(request('a', values));
      let done = 0;
      const beforeAppend = (): void => {
        if (done++ === at) throw new Crash();
      };
      await assert.rejects(
        runScripted(smallExperiment(), run, { ports: { changes: waiting }, beforeAppend }),
        Crash,
        `append ${at}`,
      );
      await runScripted(smallExperiment(), run, { ports: { changes: waiting } });
      assert.equal(run.text, whole.text, `journal after a crash before append ${at}`);
      assert.deepEqual(run.traces, whole.traces);
    }
  });

  it('are fields that an experiment has', () => {
    for (const field of changeable) assert.notEqual(valueAt(smallExperiment(), field), undefined, field);
  });
});
