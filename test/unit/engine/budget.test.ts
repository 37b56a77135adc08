/** Budgets of money and hours, which hold within an epoch. */
import assert from 'node:assert/strict';
import { Rng } from '../../../src/engine/random.ts';
import { tokensOf } from '../../../src/engine/phases/attempts/traceTokens.ts';
import type { PolicyVersion, SampleRequest } from '../../../src/engine/ports.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { pricesOf } from '../../../src/shared/money/prices.ts';
import { costOf, priceOfUse, usesOf } from '../../../src/shared/money/used.ts';
import { largestEffort, spentOn } from '../../../src/engine/spending/forecast.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { ThreeTurns, Unexecuted, pricedServer as server } from '../../support/scripted/billing.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../support/scripted/scriptedRun.ts';

type Fields = Parameters<typeof smallExperiment>[0];
const priced = (budget: Partial<Experiment['budget']>, more: Fields = {}): Experiment =>
  smallExperiment({ epochs: 6, ...more, endpoints: { agent: server, environment: server }, budget });

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

function spent({ endpoints }: Experiment, { state }: MemoryRun): number {
  return spentOn(state, pricesOf(endpoints) ?? assert.fail());
}

/** Counts what a server would: every prompt that is sent, every token that it answers with. */
class Billing extends ScriptedPolicy {
  readonly billed = { prompt: 0, sampled: 0 };

  override async *sample(version: PolicyVersion, requests: readonly SampleRequest[], signal: AbortSignal) {
    for await (const completion of super.sample(version, requests, signal)) {
      this.billed.prompt += completion.promptTokens.length;
      this.billed.sampled += completion.tokens.length;
      yield completion;
    }
  }
}

/** Few at once, in any order, as a server answers. */
class Server extends ScriptedPolicy {
  override readonly capabilities = {
    ...new ScriptedPolicy('agent', 0).capabilities,
    ...{ deterministic: false, concurrency: 8 },
  };
}

/** Money that is used up by half of an epoch’s attempts and its updates. */
function untilAmidst(experiment: Experiment, whole: MemoryRun, epoch: number): number {
  const prices = pricesOf(experiment.endpoints) ?? assert.fail();
  const at = whole.events.findIndex((event) => event.type === 'rollouts.finished' && event.epoch === epoch);
  const before = whole.cut(at, 0, 0).state;
  const [attempts = assert.fail()] = usesOf(whole.events[at] ?? assert.fail());
  const updates = largestEffort(before.recent.map(({ updates }) => updates)).used;
  return spentOn(before, prices) + priceOfUse(attempts, prices) / 2 + costOf(updates, 0, prices);
}

/** A second passes with each record. */
const ticking = (run: MemoryRun): RunOptions => ({
  ports: { clock: { now: () => 1000 * (run.tasks.length + run.traces.length) } },
});

const served = (run: MemoryRun): RunOptions => ({
  ports: {
    agent: new Server('agent', 4, run.checkpoints.agent, run.bill),
    environment: new Server('environment', 5.4, run.checkpoints.environment, run.bill),
  },
});

describe('budgets of money and hours', () => {
  it('cost what the records say: every token of every text, attempt and update once', async () => {
    const run = await runScripted(priced({}));
    const length = (some: readonly { tokens: readonly number[]; spans: readonly [number, number][] }[]) => ({
      whole: some.reduce((sum, { tokens }) => sum + tokens.length, 0),
      sampled: some.reduce((sum, { spans }) => sum + spans.reduce((n, [from, to]) => n + to - from, 0), 0),
    });
    const texts = length(run.tasks.flatMap(({ generation }) => generation ?? []));
    const trained = run.traces.filter(({ purpose }) => purpose === 'train').flatMap(({ sequences }) => sequences);
    const { environment, agent } = run.state.used;
    assert.deepEqual([environment.sampled, environment.prompt], [texts.sampled, texts.whole - texts.sampled]);
    const validated = ofType(run, 'validated');
    const asked = validated.reduce((sum, { sampled = 0 }) => sum + sampled, 0);
    assert.ok(asked > 0);
    assert.equal(agent.sampled, length(trained).sampled + asked);
    const updates = [...ofType(run, 'agent.updated'), ...ofType(run, 'environment.updated')];
    assert.ok(
      updates.every(({ trained = 0, tokens }) => trained > (tokens ?? Infinity)),
      'prompts are trained on, too',
    );
  });

  for (const mode of ['release', 'coevolve'] as const) {
    it(`bill a prompt as often as a turn sends it, mode ${mode}`, async () => {
      const run = new MemoryRun();
      const [agent, environment] = [new Billing('agent', 4), new Billing('environment', 5.4)];
      await runScripted(priced({}, { mode, rollouts: { maxTurns: 3 } }), run, {
        ports: { agent, environment, domain: new ThreeTurns() },
      });
      const { used, summaries, recent } = run.state;
      const billed = ({ prompt, sampled }: { prompt: number; sampled: number }): number[] => [prompt, sampled];
      assert.deepEqual(billed(used.agent), billed(agent.billed));
      assert.deepEqual(billed(used.environment), billed(environment.billed));
      const counted = run.traces.reduce((sum, trace) => sum + tokensOf(trace), 0);
      assert.ok(used.agent.prompt + used.agent.sampled > 1.5 * counted, 'turns send all before them again');
      const { agent: last, environment: wrote } = recent.at(-1)?.whole.used ?? assert.fail();
      assert.equal(summaries.at(-1)?.billed, last.prompt + last.sampled + wrote.prompt + wrote.sampled);
    });
  }

  for (const agreementBy of ['agent', 'environment'] as const) {
    it(`servers bill a plan once, and answers to new tasks to the ${agreementBy} that gives them`, async () => {
      const run = new MemoryRun();
      const agent = new Billing('agent', 4, run.checkpoints.agent, run.bill);
      const environment = new Billing('environment', 5.4, run.checkpoints.environment, run.bill);
      const generation = { families: 6, variations: 3, agreementAnswers: 4, agreementShare: 0.2, agreementBy };
      await runScripted(priced({}, { epochs: 3, generation }), run, {
        ports: { agent, environment, domain: new Unexecuted() },
      });
      assert.ok(run.tasks.some(({ agreement }) => agreement !== undefined));
      const { used, summaries, recent } = run.state;
      const billed = ({ prompt, sampled }: { prompt: number; sampled: number }): number[] => [prompt, sampled];
      assert.deepEqual(billed(used.agent), billed(agent.billed));
      assert.deepEqual(billed(used.environment), billed(environment.billed));
      const { agent: last, environment: wrote } = recent.at(-1)?.whole.used ?? assert.fail();
      assert.equal(summaries.at(-1)?.billed, last.prompt + last.sampled + wrote.prompt + wrote.sampled);
      const byAgent = ofType(run, 'tasks.generated').some((event) => event.byAgent !== undefined);
      assert.equal(byAgent, agreementBy === 'agent');
    });
  }

  it('journals without prices say nothing of them', async () => {
    const run = await runScripted(smallExperiment());
    assert.ok(!/"(sampled|sent|billed|cut)":/.test(run.text));
    assert.ok(ofType(run, 'agent.updated').every((event) => !('trained' in event)));
  });

  for (const [name, options] of [
    ['in order', () => ({})],
    ['out of order', served],
  ] satisfies [string, (run: MemoryRun) => RunOptions][]) {
    it(`money ends an epoch early and is not overspent, on an endpoint that answers ${name}`, async () => {
      const whole = new MemoryRun();
      await runScripted(priced({}), whole, options(whole));
      const cost = untilAmidst(priced({}), whole, 4);
      const experiment = priced({ cost });
      const run = new MemoryRun();
      await runScripted(experiment, run, options(run));
      const end = ofType(run, 'run.finished')[0] ?? assert.fail();
      assert.equal(end.reason, 'budget-cost');
      const attempts = ofType(run, 'rollouts.finished');
      const { cut, rollouts } = attempts.at(-1) ?? assert.fail();
      assert.deepEqual([cut?.by, cut?.budget], ['cost', cost]);
      assert.ok(cut !== undefined && rollouts > 0 && cut.left > 0);
      assert.equal(cut.left + rollouts, attempts[0]?.rollouts, 'every attempt was made, or counted as not begun');
      assert.ok(attempts.slice(0, -1).every((event) => event.cut === undefined));
      const last = run.state.summaries.at(-1)?.epoch ?? assert.fail();
      assert.equal(last, 4);
      assert.ok(
        run.events.some((event) => event.type === 'agent.updated' && event.epoch === last),
        'it is learned from',
      );
      const share = spent(experiment, run) / cost;
      assert.ok(share > 0.9 && share <= 1.03, `spent ${share} of it`);
      assert.match(end.note, new RegExp(`spent of a budget of ${cost}; ${cut.left} more were not begun`));
    });
  }

  it('hours end an epoch early, too', async () => {
    const run = new MemoryRun();
    const experiment = smallExperiment({ epochs: 6, budget: { hours: 150 / 3600 } });
    await runScripted(experiment, run, ticking(run));
    assert.equal(ofType(run, 'run.finished')[0]?.reason, 'budget-hours');
    assert.equal(ofType(run, 'rollouts.finished').at(-1)?.cut?.by, 'hours');
    assert.ok(Math.abs(run.state.spent.seconds - 150) <= 16, String(run.state.spent.seconds));
  });

  it('a server by the hour costs its time, once for both policies', () => {
    const hour = { ...server, pricePerHour: 16 };
    const prices = pricesOf({ agent: hour, environment: { ...hour, pricePerHour: 16 } }) ?? assert.fail();
    assert.equal(prices.hour, 16);
    const two = pricesOf({ agent: hour, environment: { ...hour, url: 'http://b', pricePerHour: 4 } });
    assert.equal(two?.hour, 20);
    const used = { prompt: 1, sampled: 2, trained: 3 };
    assert.equal(costOf({ agent: used, environment: used }, 0.5, prices).toFixed(6), (8 + 2 * 1.3).toFixed(6));
  });

  it('a raised budget carries the run on', async () => {
    const experiment = priced({ cost: untilAmidst(priced({}), await runScripted(priced({})), 4) });
    const cutBy = (event: JournalEvent | undefined): boolean => event?.type === 'epoch.finished' && event.epoch === 4;
    const run = new MemoryRun();
    let stop = false;
    const crash = (kind: string): void => {
      if (kind !== 'event') return;
      if (stop) throw new Error('killed');
      stop = run.state.open?.cut !== undefined && run.state.open.pools !== undefined;
    };
    await assert.rejects(runScripted(experiment, run, { beforeAppend: crash }));
    assert.ok(run.events.some(cutBy), JSON.stringify(run.events.at(-1)));
    const raised: Experiment = { ...experiment, budget: { ...experiment.budget, cost: null } };
    await runScripted(raised, run);
    assert.deepEqual([ofType(run, 'run.finished')[0]?.reason, run.state.summaries.length], ['epochs', 6]);
  });

  for (const staleness of [0, 1]) {
    it(`a killed run resumes within its budget and pays for nothing twice, staleness ${staleness}`, async () => {
      const more = { rollouts: { staleness } };
      const full = await runScripted(priced({}, more));
      const experiment = priced({ cost: untilAmidst(priced({}, more), full, 4) }, more);
      const whole = await runScripted(experiment);
      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      const moments = Rng.from('crash', 'budget').shuffle(Array.from({ length: appends }, (_, i) => i));
      for (const at of moments.slice(0, 40)) {
        const run = await crashAt(experiment, at, {});
        await runScripted(experiment, run);
        assert.equal(ofType(run, 'run.finished')[0]?.reason, 'budget-cost', `killed before append ${at}`);
        const share = spent(experiment, run) / (experiment.budget.cost ?? 0);
        assert.ok(share > 0.8 && share <= 1.05, `spent ${share} of it, killed before append ${at}`);
        const ids = run.traces.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length, 'no attempt is recorded twice');
        const cuts = ofType(run, 'rollouts.finished').filter(({ cut }) => cut !== undefined);
        // An epoch that was sampled ahead may end the budget between two epochs.
        assert.ok(staleness === 0 ? cuts.length === 1 : cuts.length <= 1, 'it ends with the epoch that was cut');
      }
    });
  }

  it('a run killed after an early end of its attempts ends byte by byte as one that was not', async () => {
    const experiment = priced({ cost: untilAmidst(priced({}), await runScripted(priced({})), 4) });
    const whole = await runScripted(experiment);
    const cutAt = whole.events.findIndex((event) => event.type === 'rollouts.finished' && event.cut !== undefined);
    const before = cutAt + 1 + whole.tasks.length + whole.traces.length;
    const appends = whole.events.length + whole.tasks.length + whole.traces.length;
    for (let at = before; at < appends; at++) {
      const run = await crashAt(experiment, at, {});
      await runScripted(experiment, run);
      assert.equal(run.text, whole.text, `killed before append ${at}`);
    }
  });
});
