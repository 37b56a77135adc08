import assert from 'node:assert/strict';
import { BfclRecipe } from '../../../src/benchmarks/recipes/bfcl/bfcl.ts';
import { RecipeDomain } from '../../../src/benchmarks/recipes/domain.ts';
import { bfclSeed, bfclText, rulesOf } from '../../support/recipes/seeds.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const guests = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** A table for 2 to 9, each a task of its own. */
const tableFor = (people: number): string =>
  bfclText({
    question: `Please book a table for ${guests[people - 2] ?? ''} at Luigi ${people}.`,
    calls: [{ name: 'book_table', arguments: { restaurant: `Luigi ${people}`, people } }],
  });

describe('two policies that co-evolve over a recipe', () => {
  it('learn from what was verified alone, and from no held-out task', async () => {
    const rules = await rulesOf('bfcl');
    const seeds = [
      bfclSeed('base.one'),
      { ...bfclSeed('base.two'), prompt: [{ role: 'user' as const, content: 'Oslo?' }] },
    ];
    const recipe = new BfclRecipe(rules);
    const domain = new RecipeDomain(recipe, { base: seeds, heldOut: [] });
    const parsed = domain.parseTask(tableFor(2), '', bfclSeed());
    assert.ok(parsed.ok);
    const heldOut = { ...bfclSeed('validation.two'), ...parsed.draft };
    const run = new MemoryRun();
    const environment = new ScriptedPolicy('environment', 5, run.checkpoints.environment, run.bill, (_, rng) =>
      rng.next() < 0.2 ? 'no task' : tableFor(2 + (rng.next() < 0.3 ? 0 : rng.int(8))),
    );
    const agent = new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill, (prompt, rng) => {
      const people = /Luigi (\d)/.exec(prompt)?.[1] ?? '0';
      return rng.next() < 0.5 ? `[book_table(restaurant='Luigi ${people}', people=${people})]` : 'No function fits.';
    });
    const experiment = smallExperiment({
      epochs: 1,
      curriculum: { kMin: 0.5, filter: 'hard' },
      generation: { families: 3, variations: 2, attempts: 3 },
      validation: { tasks: 1 },
    });
    const ports = { domain: new RecipeDomain(recipe, { base: seeds, heldOut: [heldOut] }), scorer: rules };
    await runScripted(experiment, run, { ports: { ...ports, agent, environment } });
    const accepted = run.tasks.filter(({ status }) => status === 'accepted');
    assert.ok(accepted.length >= 2);
    const causes = new Set(run.tasks.map(({ cause }) => cause));
    assert.ok(causes.has('unparseable') && causes.has('held-out'), [...causes].join(' '));
    assert.ok(accepted.every(({ gold }) => gold?.includes('[2]') === false));
    for (const { text } of run.tasks.flatMap(({ cause, generation }) =>
      cause === 'held-out' && generation ? [generation] : [],
    )) {
      assert.equal(text, tableFor(2));
    }
    const scored = run.events.flatMap((event) => (event.type === 'families.scored' ? event.families : []));
    const known = new Set(accepted.map(({ id }) => id));
    for (const { tasks } of scored) for (const { id } of tasks) assert.ok(known.has(id));
    assert.ok(scored.some(({ kept }) => kept > 0));
    for (const role of ['agent', 'environment'] as const) {
      assert.ok(
        run.events.some(({ type }) => type === `${role}.updated`),
        role,
      );
    }
  });
});
