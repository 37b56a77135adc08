/** Where a run stops when it is asked to, and what it does not begin with. */
import assert from 'node:assert/strict';
import { coevolve } from '../../../src/engine/coevolve.ts';
import { LoopError } from '../../../src/engine/errors.ts';
import { isDue, outcome } from '../../../src/engine/phases/measuring/validate.ts';
import type { Benchmark, Ports } from '../../../src/engine/ports.ts';
import { emptyState } from '../../../src/engine/state.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { eventsOf } from '../../support/reference/referenceRun.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { LadderDomain, LadderScorer } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const domain = new LadderDomain();
const benchmark: Benchmark = {
  ...{ name: 'Rungs', rule: 'exact', digest: 'abc', tasks: domain.seeds('validation').slice(0, 2) },
  ...{ domain, scorer: new LadderScorer() },
};
const experiment = smallExperiment({
  ...{ epochs: 1, rollouts: { batch: 4 }, curriculum: { filter: 'off' } },
  evaluation: { every: 1, adapter: 'rungs', attempts: 1, temperature: 1 },
});
const lastOf = ({ events }: MemoryRun): string | undefined => events.at(-1)?.type;

/** Asks for a pause right after the n-th event of a type is durable. */
function pausing(
  type: JournalEvent['type'],
  how: 'signal' | 'boundary',
  nth = 1,
): { run: MemoryRun; ports: Partial<Ports> } {
  const [run, controller] = [new MemoryRun(), new AbortController()];
  let seen = 0;
  const append = (event: JournalEvent): Promise<void> => {
    run.events.push(event);
    if (event.type === type && (seen += 1) === nth) controller.abort();
    return Promise.resolve();
  };
  return { run, ports: { benchmark, journal: { append }, [how]: controller.signal } };
}

describe('a run that is asked to pause', () => {
  it('stops before the next phase, and ends as it would have', async () => {
    const whole = await runScripted(experiment, new MemoryRun(), { ports: { benchmark } });
    const types = [
      'epoch.started',
      'tasks.generated',
      'rollouts.finished',
      'agent.updated',
      'families.scored',
    ] as const;
    for (const type of [...types, 'pools.grown'] as const) {
      for (const how of ['boundary', 'signal'] as const) {
        const { run, ports } = pausing(type, how);
        await assert.rejects(runScripted(experiment, run, { ports }), (error) => LoopError.is(error, 'paused'));
        assert.equal(lastOf(run), type, how);
        await runScripted(experiment, run, { ports: { benchmark } });
        assert.equal(run.text, whole.text);
      }
    }
    // The start is validated, too.
    const { run, ports } = pausing('validated', 'boundary', 2);
    await assert.rejects(runScripted(experiment, run, { ports }), (error) => LoopError.is(error, 'paused'));
    assert.equal(lastOf(run), 'validated');
  });

  it('is paused whatever its endpoint throws then, and the cause is kept', async () => {
    const controller = new AbortController();
    const agent = new ScriptedPolicy('agent', 4);
    agent.score = () => {
      controller.abort();
      return Promise.reject(new Error('socket closed'));
    };
    const broken = runScripted(experiment, new MemoryRun(), { ports: { agent, signal: controller.signal } });
    await assert.rejects(
      broken,
      (error) =>
        LoopError.is(error, 'paused') && error.cause instanceof Error && error.cause.message === 'socket closed',
    );
  });
});

describe('a run', () => {
  it('validates only where it is asked to, and says on how many tasks', async () => {
    const never = await runScripted(smallExperiment({ epochs: 1, validation: { every: 0 } }));
    assert.deepEqual(eventsOf(never, 'validated'), []);
    class Open extends LadderDomain {
      override seeds(split: 'base' | 'validation'): readonly Task[] {
        return split === 'validation' ? [] : super.seeds(split);
      }
    }
    const open = await runScripted(smallExperiment({ epochs: 1 }), new MemoryRun(), { ports: { domain: new Open() } });
    assert.deepEqual(eventsOf(open, 'validated'), []);
    const due = (every: number): number[] => [0, 1, 2, 3, 4, 5].filter((epoch) => isDue(every, epoch, epoch === 5));
    assert.deepEqual([due(0), due(1), due(2), due(9)], [[], [0, 1, 2, 3, 4, 5], [0, 2, 4, 5], [0, 5]]);
    assert.deepEqual([outcome(0, 0), outcome(1, 2), outcome(2, 3), outcome(1, 3)], ['-', '0', '1', '0']);
    const all = await runScripted(smallExperiment({ epochs: 1, validation: { tasks: 50 } }));
    const measured = all.traces.filter(({ purpose }) => purpose === 'validation');
    assert.ok(measured.length > 0 && measured.every(({ sequences }) => sequences[0]?.tokens.length === 0));
    assert.deepEqual(
      eventsOf(all, 'run.started').map(({ base, validation }) => [base, validation]),
      [[12, 12]],
    );
  });

  it('does not go on from a journal that names no policies', async () => {
    const { state } = await crashAt(smallExperiment(), 4, {});
    const scripted = { agent: new ScriptedPolicy('agent', 4), environment: new ScriptedPolicy('environment', 5) };
    const ports: Ports = {
      ...{ ...scripted, domain, scorer: new LadderScorer(), clock: { now: () => 0 } },
      journal: { append: () => Promise.reject(new Error('Nothing is written.')) },
      records: {
        appendTasks: () => Promise.resolve(),
        appendTraces: () => Promise.resolve(),
        tasksOf: () => Promise.resolve([]),
        tracesOf: () => Promise.resolve([]),
        appendCompletions: () => Promise.resolve(),
        completionsOf: () => Promise.resolve([]),
      },
      log: { info: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
    };
    assert.ok(state.started !== null);
    for (const without of [{ agent: null }, { environment: null }, { agent: null, environment: null }]) {
      const from = { ...emptyState, ...state, ...without };
      await assert.rejects(coevolve(smallExperiment(), ports, from).next(), (error) =>
        LoopError.is(error, 'corrupt-run'),
      );
    }
  });

  it('does not go on from a journal with a setting that no experiment may have', async () => {
    const run = await crashAt(smallExperiment(), 4, {});
    const { seq } = run.state;
    run.events.push({
      ...{ v: 1, seq, at: 0, type: 'settings.changed', epoch: 1, author: 'ada' },
      changes: [{ field: 'curriculum.alpha', from: 0.5, to: 7 }],
    });
    await assert.rejects(runScripted(smallExperiment(), run), (error) => LoopError.is(error, 'corrupt-run'));
  });
});
