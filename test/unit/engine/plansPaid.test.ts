/** Plans, texts that wait for independent answers, and these answers: all are paid for before a task is made of them. */
import assert from 'node:assert/strict';
import type { Policy } from '../../../src/engine/ports.ts';
import { useOfPlan } from '../../../src/engine/spending/billed.ts';
import { largestEffort, spentOn } from '../../../src/engine/spending/forecast.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { pricesOf } from '../../../src/shared/money/prices.ts';
import { costOf, priceOfUse } from '../../../src/shared/money/used.ts';
import { completionRecordSchema } from '../../../src/shared/records/completionRecord.ts';
import { sum } from '../../../src/shared/sum.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { Unexecuted, pricedServer } from '../../support/scripted/billing.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment, type RunOptions } from '../../support/scripted/scriptedRun.ts';
import { unreliable } from '../../support/scripted/unreliablePolicy.ts';

const endpoints = { agent: pricedServer, environment: pricedServer };
const priced = (more: Parameters<typeof smallExperiment>[0]): Experiment => smallExperiment({ endpoints, ...more });
const prices = pricesOf(endpoints) ?? assert.fail();
const domain = new LadderDomain({ plans: true });

/** Answers in flight when a run is killed: the run is recording one, and the server is generating the next. */
const atWork = 2;

const written = ({ events }: MemoryRun): EventOf<'tasks.generated'>[] =>
  events.filter((event) => event.type === 'tasks.generated');

/** A policy that counts what its server bills: an answer that does not arrive is billed to no one. */
function billing(policy: Policy, billed: { prompt: number; sampled: number }): Policy {
  async function* sample(...asked: Parameters<Policy['sample']>) {
    for await (const answer of policy.sample(...asked)) {
      if (!('failure' in answer)) {
        billed.prompt += answer.promptTokens.length;
        billed.sampled += answer.tokens.length;
      }
      yield answer;
    }
  }
  const restore: Policy['restore'] = async (ref) => billing(await policy.restore(ref), billed);
  return { ...policy, sample, restore };
}

/** The environment's server. @param lost answers (`request#index`) that never arrive */
function serving(run: MemoryRun, lost: (id: string) => boolean = () => false) {
  const billed = { prompt: 0, sampled: 0 };
  const scripted = new ScriptedPolicy('environment', 5.4, run.checkpoints.environment, run.bill);
  const environment = billing(unreliable(scripted, { fails: (id) => (lost(id) ? 'away' : null) }), billed);
  return { billed, options: { ports: { domain, environment } } satisfies RunOptions };
}

/** Money that is used up by the plans of the second epoch. */
async function untilPlanned(more: Parameters<typeof smallExperiment>[0]): Promise<number> {
  const whole = await runScripted(priced(more), new MemoryRun(), { ports: { domain } });
  const at = whole.events.findIndex((event) => event.type === 'tasks.generated' && event.epoch === 2);
  const { recent, ...before } = whole.cut(at, 0, 0).state;
  const updates = largestEffort(recent.map((epoch) => epoch.updates)).used;
  const plans = whole.completions.filter(({ epoch }) => epoch === 2);
  assert.equal(plans.length, 3);
  return (
    spentOn(before, prices) + sum(plans.map((plan) => priceOfUse(useOfPlan(plan), prices))) + costOf(updates, 0, prices)
  );
}

describe('completions paid for before a task is made of it', () => {
  it('is billed where a budget closes between plans and their texts', async () => {
    const cost = await untilPlanned({ epochs: 4 });
    const run = new MemoryRun();
    const { billed, options } = serving(run);
    await runScripted(priced({ epochs: 4, budget: { cost } }), run, options);
    const [first, cut] = written(run);
    assert.equal(first?.plansAlone, undefined);
    assert.deepEqual([cut?.written, cut?.cut?.left], [0, 6]);
    assert.ok(cut?.plansAlone !== undefined && cut.plansAlone.plans > 1);
    assert.deepEqual([cut.tokens, cut.plansAlone.tokens], [(cut.sampled ?? 0) + (cut.sent ?? 0), cut.tokens]);
    const { prompt, sampled } = run.state.used.environment;
    assert.deepEqual({ prompt, sampled }, billed);
    for (const record of run.completions) completionRecordSchema.parse(record);
  });

  it('is known to a run that is resumed, which buys no plan again', async () => {
    const experiment = priced({ epochs: 4, budget: { cost: await untilPlanned({ epochs: 4 }) } });
    const kinds: string[] = [];
    const whole = new MemoryRun();
    const beforeAppend = (kind: string): void => void kinds.push(kind);
    await runScripted(experiment, whole, { ...serving(whole).options, beforeAppend });
    for (const [at, kind] of kinds.entries()) {
      if (kind !== 'completion' && kinds[at - 1] !== 'completion') continue;
      const run = await crashAt(experiment, at, (own) => serving(own).options);
      await runScripted(experiment, run, serving(run).options);
      const plans = run.completions.map(({ id }) => id);
      assert.equal(new Set(plans).size, plans.length, `killed before append ${at}`);
      const asked = run.bill.samples.filter((sample) => sample.endsWith('/plan#0'));
      assert.ok(asked.length - plans.length <= atWork, `killed before append ${at}`);
      const bought = run.completions.filter(({ epoch }) => epoch === 2).length;
      assert.equal(written(run)[1]?.plansAlone?.plans, bought, `killed before append ${at}`);
      assert.ok(spentOn(run.state, prices) <= (experiment.budget.cost ?? 0), `killed before append ${at}`);
    }
  });

  for (const [what, lost, isAlone] of [
    ['the first text of a plan', /^e1\.f0\/\d+#0$/, (plans: number) => plans === 0],
    ['every text of a plan', /^e1\.f0\/1#/, (plans: number) => plans === 1],
    ['every text of a family', /^e1\.f0\/\d+#/, (plans: number) => plans > 1],
  ] as const) {
    it(`is billed where ${what} never arrives`, async () => {
      const run = new MemoryRun();
      const { billed, options } = serving(run, (id) => lost.test(id));
      await runScripted(priced({ epochs: 1 }), run, options);
      const { prompt, sampled } = run.state.used.environment;
      assert.deepEqual({ prompt, sampled }, billed);
      assert.ok(isAlone(written(run)[0]?.plansAlone?.plans ?? 0));
    });
  }

  for (const agreementBy of ['agent', 'environment'] as const) {
    it(`is asked for once where answers of the ${agreementBy} are waited for and the run is killed`, async () => {
      const generation = { families: 6, agreementAnswers: 3, agreementShare: 0.3, agreementBy };
      const experiment = priced({ epochs: 1, generation, validation: { every: 0 } });
      const options: RunOptions = { ports: { domain: new Unexecuted() } };
      const kinds: string[] = [];
      const beforeAppend = (kind: string): void => void kinds.push(kind);
      const whole = await runScripted(experiment, new MemoryRun(), { ...options, beforeAppend });
      assert.deepEqual(new Set(whole.completions.map(({ kind }) => kind)), new Set(['plan', 'text', 'answer']));
      for (const [at, kind] of kinds.entries()) {
        if (kind !== 'completion' && kind !== 'task') continue;
        const run = await crashAt(experiment, at, options);
        await runScripted(experiment, run, options);
        assert.equal(run.text, whole.text, `killed before append ${at}`);
        assert.deepEqual(run.tasks, whole.tasks);
        const twice = run.bill.samples.length - whole.bill.samples.length;
        assert.ok(twice <= atWork, `${twice} answers were asked for twice, killed before append ${at}`);
      }
    });
  }
});
