/** Attempts have an advantage exactly where an update of the agent learned from them. */
import assert from 'node:assert/strict';
import { agentLearning } from '../../../src/runs/journal/agentLearning.ts';
import { computeReward, groupIn } from '../../../src/runs/records/rewardComputation.ts';
import type { Imported } from '../../../src/runs/store/manifest.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { lateExperiment } from '../../support/scripted/lateExperiment.ts';
import { type MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const computedFor = async (
  experiment: Experiment,
  { traces }: Pick<MemoryRun, 'traces'>,
  events: readonly JournalEvent[],
  imported: Imported | null = null,
) => {
  const manifest = { parent: null, ancestors: [], experiment, imported };
  const learningOf = await agentLearning({ dir: '/runs/one', manifest, events: () => events });
  const byTask = Map.groupBy(traces, ({ task, purpose }) => `${purpose} ${task}`);
  return traces.map((trace: Trace) => {
    const group = groupIn(byTask.get(`${trace.purpose} ${trace.task}`) ?? [], trace);
    return { trace, ...computeReward(trace, group, learningOf(trace)) };
  });
};

const trainedOn = (events: readonly JournalEvent[]): number =>
  events.reduce((sum, event) => sum + (event.type === 'agent.updated' ? event.sequences : 0), 0);

const cases: Readonly<Record<string, Experiment>> = {
  usual: smallExperiment(),
  'rounds, each attempted by the agent that the one before left': smallExperiment({ rollouts: { batch: 2 } }),
  'spare groups': smallExperiment({ rollouts: { spare: 0.5, baseShare: 0.25 } }),
  'late groups': lateExperiment(),
  'stale attempts': smallExperiment({ rollouts: { staleness: 1 } }),
  'sequences that are too long': smallExperiment({ rollouts: { maxSequence: 12 } }),
  'mode static': smallExperiment({ mode: 'static' }),
};

describe('advantages that are shown', () => {
  for (const [name, experiment] of Object.entries(cases)) {
    it(`are those that updates trained on, at any time of a run: ${name}`, async () => {
      const run = await runScripted(experiment);
      for (let known = 0; known <= run.events.length; known++) {
        const events = run.events.slice(0, known);
        const computed = await computedFor(experiment, run, events);
        const taught = computed.filter(({ advantage }) => advantage !== null);
        assert.equal(taught.length, trainedOn(events), `after ${events.at(-1)?.type}`);
        assert.ok(computed.every(({ advantage, why }) => (advantage === null) === (why !== null)));
      }
      assert.ok(trainedOn(run.events) > 0);
    });
  }

  it('are none where the run does not train its agent, or was imported', async () => {
    const frozen = smallExperiment({ agent: { train: false } });
    const run = await runScripted(frozen);
    const train = (all: Awaited<ReturnType<typeof computedFor>>) =>
      new Set(all.flatMap(({ trace, why }) => (trace.purpose === 'train' ? [why] : [])));
    assert.deepEqual(train(await computedFor(frozen, run, run.events)), new Set(['frozen']));
    const imported = { format: 'verl', from: '1.jsonl', steps: [1] };
    assert.deepEqual(train(await computedFor(frozen, run, run.events, imported)), new Set(['imported']));
  });

  it('say why there is none', async () => {
    const spare = cases['spare groups'] ?? assert.fail();
    const run = await runScripted(spare);
    const dropped = run.events.flatMap((event) =>
      event.type === 'rollouts.finished'
        ? (event.dropped?.groups.map(({ task }) => `${event.epoch} ${task}`) ?? [])
        : [],
    );
    assert.ok(dropped.length > 0);
    for (const { trace, why } of await computedFor(spare, run, run.events)) {
      if (dropped.includes(`${trace.epoch} ${trace.task}`)) assert.equal(why, 'fell out', trace.id);
    }
    const open = run.events.slice(
      0,
      run.events.findIndex(({ type }) => type === 'agent.updated'),
    );
    const whys = new Set((await computedFor(spare, run, open)).map(({ why }) => why));
    assert.deepEqual(whys, new Set(['not trained on', 'fell out', 'not updated']));
    const long = cases['sequences that are too long'] ?? assert.fail();
    const some = await runScripted(long);
    assert.ok((await computedFor(long, some, some.events)).some(({ why }) => why === 'too long'));
  });
});
