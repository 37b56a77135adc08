import assert from 'node:assert/strict';
import type { RecipeDomain } from '../../../src/benchmarks/recipes/domain.ts';
import { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import { openShipped } from '../../../src/domains/shipped/openShipped.ts';
import type { Task } from '../../../src/shared/records/task.ts';

const most = { base: 544, heldOut: 400 };

async function open(over: object = {}): Promise<RecipeDomain> {
  const rules = await ScorerTable.open(['number']);
  const domain = await openShipped('stories', { rules, base: null, heldOut: null, most, ...over });
  assert.ok(domain !== null);
  return domain;
}

describe('the domain of stories', () => {
  let domain: RecipeDomain;
  before(async () => {
    domain = await open();
  });

  it('has 544 base and 400 held-out tasks, all different, which verify and can be judged', async () => {
    const rules = await ScorerTable.open(['number']);
    const [base, heldOut] = [domain.seeds('base'), domain.seeds('validation')];
    assert.deepEqual([base.length, heldOut.length], [544, 400]);
    const all = [...base, ...heldOut];
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    assert.equal(new Set(all.map((task) => domain.fingerprint(task))).size, all.length);
    for (const task of all) {
      assert.deepEqual(domain.verify(task), { ok: true }, task.id);
      const said = {
        messages: [{ role: 'assistant' as const, content: `Answer: ${task.gold ?? ''}` }],
        stopReason: 'stop' as const,
      };
      assert.equal(rules.score(task, said).success, true, task.id);
    }
  });

  it('is graded from one step to eight and more, whatever share of it is used', async () => {
    const few = await open({ most: { base: 48, heldOut: 40 } });
    for (const split of ['base', 'validation'] as const) {
      const steps = new Set(few.seeds(split).map(({ complexity }) => complexity['steps']));
      for (let n = 1; n <= 8; n += 1) assert.ok(steps.has(n), `${split} has no story of ${n} steps`);
    }
  });

  it('holds nothing out that is nearly a base task', () => {
    for (const task of domain.seeds('base')) assert.deepEqual(domain.likeness(task), { ok: true }, task.id);
  });

  it('refuses a story that is nearly held out', () => {
    const [held] = domain.seeds('validation').filter(({ complexity }) => (complexity['words'] ?? 0) > 25);
    assert.ok(held !== undefined);
    const content = held.prompt[0]?.content ?? '';
    const like = { ...held, prompt: [{ role: 'user' as const, content: content.replace(/\d+/, '77') }] };
    const refused = domain.likeness(like);
    assert.equal(!refused.ok && refused.cause, 'held-out');
  });

  it('tells the environment the form, the seed, α and how the agent did lately', () => {
    const [seed] = domain.seeds('base');
    assert.ok(seed !== undefined);
    const asked = (recentSuccess: number | null, target = 0.5): string =>
      domain
        .environmentPrompt({ seed, recentSuccess, target })
        .map(({ content }) => content)
        .join('\n');
    const unmeasured = asked(null, 0.4);
    assert.match(unmeasured, /^Story: .+\nCalculation: 4 \* 6 - 15/m);
    assert.ok(unmeasured.includes(seed.prompt[0]?.content ?? 'none'));
    assert.match(unmeasured, /in about 40 % of its tries/);
    assert.doesNotMatch(unmeasured, /Lately/);
    assert.match(asked(0.8), /Lately it solved 80 %.+harder/);
    assert.match(asked(0.1), /Lately it solved 10 %.+easier/);
    assert.match(asked(0.52), /Keep about the difficulty/);
  });

  it('asks the agent for a last line that can be read', () => {
    const [task] = domain.seeds('base');
    assert.ok(task !== undefined);
    const content = domain.agentPrompt(task)[0]?.content ?? '';
    assert.ok(content.startsWith(task.prompt[0]?.content ?? 'none'));
    assert.match(content, /Answer: NUMBER$/);
  });

  it('refuses a gold that the calculation does not come to', () => {
    const [task] = domain.seeds('base');
    assert.ok(task !== undefined);
    const verified = domain.verify({ ...task, gold: '1000' });
    assert.equal(!verified.ok && verified.cause, 'gold');
    const uncalculated: Task = { ...task, evaluation: { ...task.evaluation, calculation: undefined } };
    assert.deepEqual(domain.verify(uncalculated), { ok: true });
    assert.equal(domain.verify({ ...uncalculated, gold: 'many' }).ok, false);
  });

  it('takes a person’s own tasks in place of its own', async () => {
    const [task] = domain.seeds('base');
    assert.ok(task !== undefined);
    const own = await open({ base: [task], heldOut: [] });
    assert.deepEqual([own.seeds('base').length, own.seeds('validation').length], [1, 0]);
  });
});
