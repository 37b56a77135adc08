/** Families that are cut off once their place outside the band is certain (`rollouts.cutOff`). */
import assert from 'node:assert/strict';
import { attemptsInAnyCase, fewestToDecide, isDecided, nextStage } from '../../../src/engine/cutOff/decided.ts';
import { inBand } from '../../../src/engine/math/curriculum.ts';
import { estimateOf } from '../../../src/engine/math/successRate.ts';
import type { PolicyVersion, Ports, SampleRequest } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { unreliable } from '../../support/scripted/unreliablePolicy.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../support/scripted/scriptedRun.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;

const band = { alpha: 0.5, kMin: 0.25, estimate: 'mean' } as const;

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

const byId = <T extends { id: string }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Families far from the band on both sides, and some inside. */
const cut = (more: Overrides = {}): Experiment =>
  smallExperiment({
    epochs: 4,
    ...more,
    curriculum: { kMin: 0.1, ...more.curriculum },
    generation: { families: 6, ...more.generation },
    rollouts: { group: 8, poolShare: 0.2, cutOff: 'band', ...more.rollouts },
  });

class OutOfOrder extends ScriptedPolicy {
  override readonly capabilities = { ...new ScriptedPolicy('agent', 0).capabilities, deterministic: false };

  /** The last first. */
  override async *sample(version: PolicyVersion, requests: readonly SampleRequest[], signal: AbortSignal) {
    const answers = await Array.fromAsync(super.sample(version, requests, signal));
    yield* answers.reverse();
  }
}

const unordered = (): RunOptions => ({ ports: { agent: new OutOfOrder('agent', 4) } });

describe('a family’s place outside the band', () => {
  it('is certain exactly where no end of the others, judged or not, brings p̂ inside', () => {
    for (const estimate of ['mean', 'posterior'] as const) {
      for (const kMin of [0.1, 0.25]) {
        for (const alpha of [0.2, 0.5, 0.8]) {
          const own = { alpha, kMin, estimate };
          for (let attempts = 1; attempts <= 12; attempts++) {
            for (let successes = 0; successes <= attempts; successes++) {
              const left = 12 - attempts;
              const ends = Array.from({ length: left + 1 }, (_, a) =>
                Array.from({ length: left + 1 - a }, (__, b) => estimateOf(successes + a, attempts + a + b, estimate)),
              ).flat();
              const expected =
                ends.every((p) => p > alpha && !inBand(p, own)) || ends.every((p) => p < alpha && !inBand(p, own));
              const told = isDecided({ successes, attempts, left }, own);
              assert.equal(told, expected, `${successes} of ${attempts}, ${left} left, ${JSON.stringify(own)}`);
            }
          }
        }
      }
    }
  });

  it('is looked for after the fewest attempts that can make it certain', () => {
    assert.equal(nextStage({ successes: 0, attempts: 0, left: 32 }, 32, band), 25);
    assert.equal(fewestToDecide({ successes: 1, attempts: 25, left: 7 }, band), 1);
    assert.equal(nextStage({ successes: 1, attempts: 25, left: 7 }, 32, band), 4, 'an eighth of the family at least');
    assert.equal(nextStage({ successes: 12, attempts: 25, left: 7 }, 32, band), 7, 'all that are left');
    assert.equal(fewestToDecide({ successes: 0, attempts: 0, left: 4 }, { ...band, kMin: 0.5 }), 4, 'never before');
  });

  it('hangs on no attempt that is made in any case, however many tasks the family has', () => {
    for (const estimate of ['mean', 'posterior'] as const) {
      for (const alpha of [0.2, 0.5, 0.9]) {
        const own = { ...band, alpha, estimate };
        const first = attemptsInAnyCase(8, 4, own);
        for (let tasks = 1; tasks <= 4; tasks++) {
          const all = 8 * tasks;
          assert.ok(first * tasks <= nextStage({ successes: 0, attempts: 0, left: all }, all, own));
        }
      }
    }
    assert.equal(attemptsInAnyCase(8, 4, band), 6);
  });
});

describe('families that are cut off', () => {
  it('lack attempts that could not have brought them into the band, and are not kept', async () => {
    const whole = await runScripted(cut({ rollouts: { cutOff: 'off' } }));
    const run = await runScripted(cut());
    const scored = ofType(run, 'families.scored')[0];
    const all = ofType(whole, 'families.scored')[0];
    const families = scored?.families ?? [];
    const lacking = families.filter(({ cutOff }) => cutOff !== undefined);
    assert.ok(lacking.length > 0 && lacking.length < families.length, `${lacking.length} of ${families.length}`);
    for (const [i, family] of families.entries()) {
      const before = all?.families[i];
      assert.equal(family.id, before?.id);
      assert.equal(family.successRate.attempts + (family.cutOff ?? 0), before?.successRate.attempts);
      assert.equal(family.kept, before?.kept, 'the verdict of all attempts');
      assert.equal(family.weight, before?.weight);
      if (family.cutOff === undefined) assert.deepEqual(family.tasks, before?.tasks);
      else assert.equal(family.kept, 0);
    }
    const { cutOff = [] } = ofType(run, 'rollouts.finished')[0] ?? {};
    assert.deepEqual(
      cutOff,
      lacking.map(({ id, cutOff: left }) => ({ family: id, left })),
    );
  });

  it('have the first attempts of all their tasks, which are those of a run without a cut-off', async () => {
    const whole = await runScripted(cut({ epochs: 1, rollouts: { cutOff: 'off' } }));
    const run = await runScripted(cut({ epochs: 1 }));
    const known = new Map(whole.traces.map((trace) => [trace.id, trace]));
    const own = run.traces.filter(({ purpose }) => purpose === 'train');
    assert.ok(own.length < whole.traces.filter(({ purpose }) => purpose === 'train').length);
    for (const trace of own) assert.deepEqual(trace, known.get(trace.id));
    for (const traces of Map.groupBy(own, ({ task }) => task).values()) {
      const indices = traces.map(({ id }) => Number(id.split('/r')[1])).sort((a, b) => a - b);
      assert.deepEqual(indices, [...indices.keys()], 'none is left out between others');
    }
  });

  it('are the same where the endpoint answers in another order', async () => {
    const [inOrder, other] = [await runScripted(cut()), await runScripted(cut(), new MemoryRun(), unordered())];
    assert.ok(ofType(other, 'rollouts.finished').some(({ cutOff }) => cutOff !== undefined));
    assert.ok(other.text === inOrder.text, 'the same journal');
    assert.deepEqual(byId(other.traces), byId(inOrder.traces));
  });

  it('are none in warm-up epochs, and none among base data and pool tasks', async () => {
    const run = await runScripted(cut({ curriculum: { warmupEpochs: 2 } }));
    assert.deepEqual(
      ofType(run, 'rollouts.finished').map(({ epoch, cutOff }) => [epoch, cutOff !== undefined]),
      [1, 2, 3, 4].map((epoch) => [epoch, epoch > 2]),
    );
    const mixed = Map.groupBy(
      run.traces.filter(({ purpose, epoch, task }) => purpose === 'train' && !task.startsWith(`e${epoch}.`)),
      ({ epoch, task }) => `${epoch} ${task}`,
    );
    assert.ok(mixed.size > 0);
    for (const traces of mixed.values()) assert.equal(traces.length, 8);
  });

  it('are none where the environment does not learn', async () => {
    const run = await runScripted(cut({ environment: { update: 'none' } }));
    assert.ok(ofType(run, 'rollouts.finished').every(({ cutOff }) => cutOff === undefined));
  });

  it('do not ask again for attempts that were not answered', async () => {
    let refused = 0;
    const fails = (id: string): string | null => {
      if (!id.endsWith('#3')) return null;
      refused += 1;
      return 'not this one';
    };
    for (const order of [false, true]) {
      refused = 0;
      const agent = unreliable(new ScriptedPolicy('agent', 4), { fails, unordered: order });
      const experiment = cut({ rollouts: { minGroup: 2 }, validation: { every: 0 } });
      const run = await runScripted(experiment, new MemoryRun(), { ports: { agent } });
      const told = ofType(run, 'rollouts.finished').reduce((sum, { unanswered }) => sum + (unanswered?.count ?? 0), 0);
      assert.equal(told, refused);
      assert.ok(refused > 0);
    }
  });

  for (const [name, more, options = {}] of [
    ['a run', {}],
    ['one whose endpoint answers in another order', {}, { isUnordered: true }],
    ['one that samples early', { rollouts: { staleness: 1 } }, { isUnordered: true }],
    ['one in rounds', { rollouts: { batch: 4 } }],
    ['one of several turns', { rollouts: { maxTurns: 3 } }, { turns: 2 }],
    ['one with the longest first', { rollouts: { order: 'longest' } }, { isUnordered: true }],
  ] satisfies [string, Overrides, { isUnordered?: boolean; turns?: number }?][]) {
    it(`${name} continues after a crash to the same journal and attempts`, async () => {
      const { isUnordered = false, turns } = options;
      const portsOf = (run: MemoryRun): Partial<Ports> => ({
        ...(isUnordered && { agent: new OutOfOrder('agent', 4, run.checkpoints.agent) }),
        ...(turns !== undefined && { domain: new LadderDomain({ turns }) }),
      });
      const experiment = cut(more);
      const whole = new MemoryRun();
      await runScripted(experiment, whole, { ports: portsOf(whole) });
      assert.ok(whole.text.includes('"cutOff"'), 'some are cut off');
      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      const moments = Rng.from('crash', name).shuffle(Array.from({ length: appends }, (_, i) => i));
      for (const at of moments.slice(0, 30)) {
        const crashed = await crashAt(experiment, at, (run) => ({ ports: portsOf(run) }));
        await runScripted(experiment, crashed, { ports: portsOf(crashed) });
        assert.ok(crashed.text === whole.text, `journal after a crash before append ${at}`);
        assert.deepEqual(byId(crashed.traces), byId(whole.traces), `attempts after a crash before append ${at}`);
      }
    });
  }
});
