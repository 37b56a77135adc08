/** Families of tasks that the environment wrote itself (`generation.editShare`). */
import assert from 'node:assert/strict';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';

const edits = (generation: Partial<Experiment['generation']> = {}) => ({
  ...{ mode: 'random' as const, epochs: 4 },
  generation: { families: 5, variations: 2, editShare: 0.6, condition: true, ...generation },
  rollouts: { poolShare: 0.3, sampler: { kind: 'plr' as const, temperature: 0.01, staleness: 0 } },
});

describe('tasks that are edited', () => {
  it('are those of the agent pool that the sampler scores highest, as far as there are some', async () => {
    const { run, domain } = await runReference(referenceExperiment(edits()));
    const spreads = new Map<string, number>();
    for (const { epoch, draws } of eventsOf(run, 'tasks.drawn')) {
      const edited = draws.find(({ from }) => from === 'edit');
      const seeds = run.tasks.filter((task) => task.epoch === epoch).map(({ seed }) => seed ?? '');
      const own = seeds.filter((seed) => !seed.startsWith('base.'));
      assert.deepEqual(new Set(own), new Set(edited?.tasks.map(({ id }) => id)), `epoch ${epoch}`);
      if (epoch === 1) assert.equal(edited, undefined, 'the pool is empty');
      else assert.equal(edited?.tasks.length, 3, 'three of five families');
      const best = [...spreads.values()].sort((a, b) => b - a).slice(0, 3);
      assert.deepEqual(edited?.tasks.map(({ value }) => value ?? NaN).sort((a, b) => b - a) ?? [], best);
      for (const { measures = [] } of eventsOf(run, 'families.scored').filter((one) => one.epoch === epoch)) {
        for (const { id, spread } of measures)
          if (run.tasks.some((task) => task.id === id && task.status === 'accepted')) spreads.set(id, spread ?? NaN);
      }
    }
    assert.ok(domain.told.some(({ recentSuccess, seed }) => recentSuccess !== null && seed.origin === 'generated'));
  });

  it('are told with how often the agent solved them, where the environment is told anything', async () => {
    const { run, domain } = await runReference(referenceExperiment(edits()));
    const edited = domain.told.find(({ seed }) => seed.origin === 'generated');
    const [measures = []] = eventsOf(run, 'families.scored').map((event) => event.measures);
    const own = measures.find(({ id }) => id === edited?.seed.id);
    assert.ok(own !== undefined && own.attempts > 0);
    assert.equal(edited?.recentSuccess, own.successes / own.attempts);
    const silent = await runReference(referenceExperiment(edits({ condition: false })));
    assert.ok(silent.domain.told.every(({ recentSuccess }) => recentSuccess === null));
  });
});
