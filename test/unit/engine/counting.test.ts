/** The counted and the skipped texts, by the records. */
import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/shared/records/trace.ts';
import { eventsOf, referenceExperiment, runReference } from '../../support/reference/referenceRun.ts';
import { ReferenceScorer } from '../../support/reference/referenceTasks.ts';

/** Its checker fails on every answer that begins so. */
class FailsOn extends ReferenceScorer {
  readonly #start: string;

  constructor(start: string) {
    super();
    this.#start = start;
  }

  override score(...args: Parameters<ReferenceScorer['score']>): Verdict {
    const verdict = super.score(...args);
    const starts = args[1].messages.some(({ content }) => content.startsWith(this.#start));
    return starts ? { ...verdict, success: false, reward: 0, error: 'The checker failed.' } : verdict;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('what is counted', () => {
  it('a validation leaves out what its checker could not judge', async () => {
    const experiment = referenceExperiment({ epochs: 1, validation: { rollouts: 2, temperature: 0 } });
    const { run } = await runReference(experiment, { ports: { scorer: new FailsOn('3') } });
    const [start] = eventsOf(run, 'validated');
    // Greedily every task is solved, and the third has the gold 3.
    assert.equal(start?.outcomes, '11-111');
    assert.deepEqual([start.successRate.successes, start.successRate.attempts, start.successRate.p], [10, 10, 1]);
  });

  it('a text whose attempts nobody could judge teaches nothing, and its traces are in no pool', async () => {
    const experiment = referenceExperiment({
      ...{ epochs: 1, curriculum: { filter: 'off' }, environment: { minFamilies: 1 } },
      generation: { variations: 1 },
    });
    class OneBlind extends ReferenceScorer {
      override score(...args: Parameters<ReferenceScorer['score']>): Verdict {
        const verdict = super.score(...args);
        return args[0].gold === '3' ? { ...verdict, error: 'The checker failed.' } : verdict;
      }
    }
    const { run } = await runReference(experiment, { ports: { scorer: new OneBlind() } });
    const [scored] = eventsOf(run, 'families.scored');
    const blind = (scored?.families ?? []).filter(({ successRate }) => successRate.attempts === 0);
    assert.ok(blind.length > 0 && blind.length < (scored?.families.length ?? 0), `${blind.length} blind families`);
    const [updated] = eventsOf(run, 'environment.updated');
    assert.equal(updated?.families, (scored?.families.length ?? 0) - blind.length);
    const judged = run.traces.filter(({ purpose, verdict }) => purpose === 'train' && verdict.error === undefined);
    assert.equal(
      eventsOf(run, 'pools.grown')[0]?.agent.addedTraces,
      judged.filter(({ verdict }) => verdict.valid).length,
    );
  });

  it('a ranking leaves out what no checker could judge, and costs its rollouts and tokens', async () => {
    const experiment = referenceExperiment({
      ...{ mode: 'release', epochs: 2, rollouts: { batch: 4 }, generation: { rankCut: 0, rankRollouts: 2 } },
    });
    const broken = await runReference(experiment, { ports: { scorer: new FailsOn('') } });
    assert.ok(eventsOf(broken.run, 'tasks.generated').every(({ families }) => families === 0));
    const [alone] = eventsOf(broken.run, 'rollouts.finished');
    assert.equal(alone?.tasks, 1, 'without anything written one original is left to attempt');

    const { run } = await runReference(experiment);
    for (const { epoch, summary } of eventsOf(run, 'epoch.finished')) {
      const rounds = eventsOf(run, 'rollouts.finished').filter((event) => event.epoch === epoch);
      const traces = run.traces.filter((trace) => trace.epoch === epoch);
      const ranked = traces.filter(({ purpose }) => purpose === 'rank');
      const trained = traces.filter(({ purpose }) => purpose === 'train');
      const tokens = (some: typeof traces): number =>
        sum(some.flatMap(({ sequences }) => sequences.map(({ spans }) => spans.at(-1)?.[1] ?? 0)));
      const said = trained.map(({ sequences }) =>
        sum(sequences.flatMap(({ spans }) => spans.map(([start, end]) => end - start))),
      );
      assert.ok(rounds.length > 1 && ranked.length === 12, `${rounds.length} rounds, ${ranked.length} ranked`);
      assert.deepEqual(
        rounds.map(({ ranking }) => ranking),
        [{ rollouts: 12, tokens: tokens(ranked) }, ...rounds.slice(1).map(() => undefined)],
      );
      assert.equal(sum(rounds.map((event) => event.tokens ?? NaN)), tokens(ranked) + tokens(trained));
      assert.ok(Math.abs((summary.answerLength ?? 0) - sum(said) / said.length) < 1e-9);
    }
  });
});
