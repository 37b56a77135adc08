import assert from 'node:assert/strict';
import { epochSeconds, secondsInPhases, secondsWorked } from '../../../src/engine/epochTime.ts';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

/** Every look at it takes a second: what runs side by side is seen as such. */
const tickingClock = () => {
  let at = 0;
  return { now: () => (at += 1000) };
};

const eventsOf = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

const experiment = smallExperiment({ epochs: 2, curriculum: { kMin: 0.5 } });

describe('how long an epoch took', () => {
  it('is what passed on the clock, though two updates run side by side', async () => {
    const run = await runScripted(experiment, new MemoryRun(), { ports: { clock: tickingClock() } });
    const updates = [...eventsOf(run, 'agent.updated'), ...eventsOf(run, 'environment.updated')];
    assert.equal(updates.length, 4, 'both policies are trained in both epochs');
    for (const { epoch, summary } of eventsOf(run, 'epoch.finished')) {
      const own = run.events.filter((event) => 'epoch' in event && event.epoch === epoch);
      const phases = own.filter((event) => 'seconds' in event);
      const sum = phases.reduce((all, { seconds }) => all + seconds, 0);
      assert.ok(secondsInPhases(phases) < sum, 'phases overlap');
      const [started] = own;
      const finished = own.at(-1);
      assert.ok(started?.type === 'epoch.started' && finished?.type === 'epoch.finished');
      // The clock was looked at once more when the last event was stamped.
      assert.equal(summary.seconds, (finished.at - started.at) / 1000 - 1);
    }
    const [zero] = eventsOf(run, 'validated');
    const whole = eventsOf(run, 'epoch.finished').reduce((all, { summary }) => all + summary.seconds, 0);
    assert.equal(run.state.spent.seconds, whole + (zero?.seconds ?? NaN), 'and what was measured before the first');
  });

  it('ends a run by its budget no sooner than the clock says', async () => {
    const free = await runScripted(experiment, new MemoryRun(), { ports: { clock: tickingClock() } });
    const [first] = eventsOf(free, 'epoch.finished');
    const [zero] = eventsOf(free, 'validated');
    assert.ok(first !== undefined && zero !== undefined);
    const spent = zero.seconds + first.summary.seconds;
    const last = async (seconds: number) => {
      const clock = tickingClock();
      const limited = { ...experiment, epochs: 3, budget: { ...experiment.budget, seconds } };
      const run = await runScripted(limited, new MemoryRun(), { ports: { clock } });
      return [eventsOf(run, 'run.finished')[0]?.reason, eventsOf(run, 'epoch.finished').length];
    };
    assert.deepEqual(await last(spent), ['budget-seconds', 1]);
    assert.deepEqual(await last(spent + 0.5), ['budget-seconds', 2]);
  });

  it('leaves out when nobody carried the run on', async () => {
    const whole = await runScripted(experiment, new MemoryRun(), { ports: { clock: tickingClock() } });
    const cut = whole.events.findIndex(({ type }) => type === 'rollouts.finished');
    const run = whole.cut(cut, whole.tasks.length, whole.traces.length);
    const from = run.events.at(-1)?.at ?? NaN;
    const day = 86_400_000;
    let at = from + day;
    await runScripted(experiment, run, {
      ports: { clock: { now: () => (at += 1000) }, stoodStill: [{ from, to: from + day }] },
    });
    const seconds = eventsOf(run, 'epoch.finished').map(({ summary }) => summary.seconds);
    assert.ok(
      seconds.every((some) => some > 0 && some < 100),
      `${seconds.join(' and ')} s`,
    );
  });

  it('is told of a run whose older version wrote the sum over its phases', async () => {
    const run = await runScripted(experiment, new MemoryRun(), { ports: { clock: tickingClock() } });
    let [sum, state] = [0, emptyState];
    for (const event of run.events) {
      if (event.type === 'epoch.started') sum = 0;
      if ('seconds' in event) sum += event.seconds;
      const old = event.type === 'epoch.finished' ? { ...event, summary: { ...event.summary, seconds: sum } } : event;
      state = applyEvent(state, old);
    }
    for (const [i, { seconds }] of state.summaries.entries()) {
      const clock = eventsOf(run, 'epoch.finished')[i]?.summary.seconds ?? NaN;
      // To the end of the last event, of which the run itself cannot know.
      assert.equal(seconds, clock + 1);
    }
  });

  it('counts what several phases share once, and takes what is written otherwise as it is', () => {
    const phases = [{ at: 10_000, seconds: 4 }, { at: 20_000, seconds: 8 }, { at: 20_000, seconds: 2 }, { at: 21_000 }];
    assert.equal(secondsInPhases(phases), 12);
    const finished = (seconds: number) => ({ at: 22_000, summary: { ...emptySummary, seconds } });
    // 1 s before the first phase, 2 s between, 2 s after the last.
    assert.equal(epochSeconds(finished(14), 5000, phases), 12 + 1 + 2 + 2);
    // Half an hour before the first phase was a pause.
    assert.equal(epochSeconds(finished(14), -1_800_000, phases), 12 + 2 + 2);
    assert.equal(epochSeconds(finished(12.5), 5000, phases), 12.5);
    assert.equal(
      secondsWorked({ from: 0, to: 9000 }, [
        { from: -5, to: 1000 },
        { from: 500, to: 2000 },
      ]),
      7,
    );
    assert.equal(secondsWorked({ from: 0, to: 9000 }, [{ from: 10_000, to: 12_000 }]), 9);
  });
});

const emptySummary: EventOf<'epoch.finished'>['summary'] = {
  epoch: 1,
  successRate: { successes: 0, attempts: 0, p: null, low: 0, high: 1 },
  ...{ inBand: 0, environmentReward: 0, familiesKept: 0, families: 0, effectiveSampleSize: 0 },
  kl: { agent: null, environment: null },
  ...{ taskLength: null, answerLength: null, rejected: {}, rollouts: 0, tokens: 0, seconds: 0 },
};
