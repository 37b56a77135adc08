import assert from 'node:assert/strict';
import { Rng } from '../../../src/engine/random.ts';
import { LoopError } from '../../../src/engine/errors.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { sameRecords } from '../../support/scripted/sameRecords.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../support/scripted/scriptedRun.ts';

async function resumesEverywhere(experiment: Experiment, options: RunOptions = {}): Promise<void> {
  const whole = await runScripted(experiment, new MemoryRun(), options);
  const { text } = whole;
  const appends = whole.events.length + whole.tasks.length + whole.traces.length;
  const moments = Rng.from('crash', experiment.mode).shuffle(Array.from({ length: appends }, (_, i) => i));
  for (const at of moments.slice(0, 60)) {
    const crashed = await crashAt(experiment, at, options);
    const paid = crashed.traces.length;
    const billed = crashed.bill.samples.length;
    await runScripted(experiment, crashed, options);
    assert.equal(crashed.text, text, `journal after a crash before append ${at}`);
    sameRecords(crashed.tasks, whole.tasks);
    sameRecords(crashed.traces, whole.traces);
    assert.ok(
      crashed.bill.samples.length - billed <= whole.bill.samples.length - paid,
      'no finished rollout is paid for twice',
    );
  }
}

describe('resume', () => {
  it('continues a crashed run to the byte-identical journal and records', () => resumesEverywhere(smallExperiment()));

  it('does so with a plan turn, a buffer of epochs, pool tasks and KL to the reference', () =>
    resumesEverywhere(
      smallExperiment({
        epochs: 4,
        rollouts: { poolShare: 0.2 },
        agent: { klCoefficient: 0.1 },
        curriculum: { scope: 'task', filter: 'soft' },
      }),
      { ports: { domain: new LadderDomain({ plans: true }) } },
    ));

  it('does so with GRPO over the environment’s texts, and with the best of them', async () => {
    const curriculum = { scope: 'task', filter: 'off' } as const;
    const grpo = { update: 'grpo', klCoefficient: 0.05, steps: 3, minibatch: 4 } as const;
    await resumesEverywhere(
      smallExperiment({ curriculum, environment: grpo, generation: { families: 4, perSeed: 2 } }),
      {
        ports: { domain: new LadderDomain({ plans: true }) },
      },
    );
    await resumesEverywhere(smallExperiment({ curriculum, environment: { update: 'rejection', keepBest: 0.4 } }));
  });

  it('does so with every sampler of given tasks', async () => {
    const sampler = { temperature: 0.5, staleness: 0.3 };
    await resumesEverywhere(
      smallExperiment({
        epochs: 4,
        rollouts: { poolShare: 0.4, baseShare: 0.2, batch: 4, sampler: { kind: 'plr', ...sampler } },
      }),
    );
    await resumesEverywhere(
      smallExperiment({
        mode: 'random',
        epochs: 4,
        rollouts: { poolShare: 0.4, sampler: { kind: 'band', ...sampler } },
      }),
    );
    await resumesEverywhere(
      smallExperiment({
        ...{ mode: 'random', epochs: 4, generation: { families: 4, editShare: 0.5 } },
        rollouts: { poolShare: 0.4, sampler: { kind: 'plr', ...sampler } },
      }),
    );
    await resumesEverywhere(
      smallExperiment({ mode: 'static', epochs: 4, rollouts: { sampler: { kind: 'easiest-first', ...sampler } } }),
    );
  });

  it('does so with every controller of α', async () => {
    for (const kind of ['gain', 'learnability', 'success'] as const) {
      const control = { kind, every: 1, step: 0.1, low: 0.3, high: 0.7 };
      await resumesEverywhere(smallExperiment({ epochs: 5, curriculum: { control }, validation: { every: 1 } }));
    }
  });

  it('does so in multi-turn episodes', () =>
    resumesEverywhere(smallExperiment({ rollouts: { maxTurns: 3 } }), {
      ports: { domain: new LadderDomain({ turns: 2 }) },
    }));

  it('does so in rounds of attempts and agent updates', () =>
    resumesEverywhere(
      smallExperiment({ rollouts: { batch: 3, poolShare: 0.2 }, agent: { minibatch: 2, minibatchUnit: 'task' } }),
    ));

  it('finishes an epoch that had begun, although the budget is spent by then', async () => {
    const experiment = smallExperiment({ budget: { rollouts: 1 } });
    const whole = await runScripted(experiment);
    assert.deepEqual(
      whole.events.map(({ type }) => type).filter((type) => /^(epoch|run)\.finished$/.test(type)),
      ['epoch.finished', 'run.finished'],
    );
    await resumesEverywhere(experiment);
  });

  it('measures once after the epoch that a budget ends it with, wherever it was killed', async () => {
    const small = (budget: object): Experiment => smallExperiment({ epochs: 100, validation: { every: 50 }, budget });
    const measuredIn = ({ events }: MemoryRun): number[] =>
      events.flatMap((event) => (event.type === 'validated' ? [event.epoch] : []));
    const first = await runScripted(small({ rollouts: 1 }));
    assert.deepEqual(measuredIn(first), [0, 1]);
    await resumesEverywhere(small({ rollouts: 1 }));
    const tokens = 1 + (first.events.find((event) => event.type === 'validated')?.tokens ?? 0);
    assert.deepEqual(measuredIn(await runScripted(small({ tokens }))), [0, 1]);
    let now = 0;
    const clock = { now: () => (now += 10_000) };
    const timed = await runScripted(small({ seconds: 1000 }), new MemoryRun(), { ports: { clock } });
    assert.deepEqual(measuredIn(timed), [0, timed.state.summaries.length]);
  });

  for (const mode of ['random', 'static', 'release'] as const) {
    it(`does so in mode ${mode}`, () => resumesEverywhere(smallExperiment({ mode })));
  }

  it('a pause keeps every finished rollout and carries on exactly', async () => {
    const experiment = smallExperiment();
    const whole = await runScripted(experiment);
    const controller = new AbortController();
    const run = new MemoryRun();
    const pausing = runScripted(experiment, run, {
      ports: { signal: controller.signal },
      onProgress: ({ phase, done }) => {
        if (phase === 'attempt' && done === 5) controller.abort();
      },
    });
    await assert.rejects(pausing, (error) => LoopError.is(error, 'paused'));
    assert.equal(run.traces.filter(({ purpose }) => purpose === 'train').length, 5);
    await runScripted(experiment, run);
    assert.equal(run.text, whole.text);
  });

  it('a pause at a boundary stops between phases', async () => {
    const boundary = new AbortController();
    const run = new MemoryRun();
    const pausing = runScripted(smallExperiment(), run, {
      ports: { boundary: boundary.signal },
      onProgress: ({ phase }) => {
        if (phase === 'attempt') boundary.abort();
      },
    });
    await assert.rejects(pausing, (error) => LoopError.is(error, 'paused'));
    assert.equal(run.events.at(-1)?.type, 'families.scored');
  });

  it('a finished run has nothing left to do', async () => {
    const run = await runScripted(smallExperiment());
    const before = run.text;
    await runScripted(smallExperiment(), run);
    assert.equal(run.text, before);
  });
});
