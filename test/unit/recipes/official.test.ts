import assert from 'node:assert/strict';
import * as z from 'zod';
import { readTables } from '../../../src/benchmarks/apiBank/tools/tables.ts';
import { ApiBankRecipe } from '../../../src/benchmarks/recipes/apiBank.ts';
import { BfclRecipe } from '../../../src/benchmarks/recipes/bfcl/bfcl.ts';
import { RecipeDomain } from '../../../src/benchmarks/recipes/domain.ts';
import type { Recipe } from '../../../src/benchmarks/recipes/recipe.ts';
import { TravelPlannerRecipe } from '../../../src/benchmarks/recipes/travelPlanner.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { benchmarkFolders } from '../../support/benchmarks/data.ts';
import { officialTasks, type Official } from '../../support/recipes/officialTasks.ts';
import { contextOf } from '../../support/recipes/seeds.ts';

/** A recipe's verdict on a text, as in the loop. */
function verdictOn(domain: RecipeDomain, text: string, seed: Task): string {
  const parsed = domain.parseTask(text, '', seed);
  const verified = parsed.ok ? domain.verify(parsed.draft) : parsed;
  return verified.ok ? 'ok' : `${verified.cause}: ${verified.note}`;
}

/** Share of the benchmark's own records that pass as new tasks would: a recipe that refuses these would starve a run. */
function shareVerified(recipe: Recipe, { tasks }: Official): number {
  const domain = new RecipeDomain(recipe, { base: [], heldOut: [] });
  return tasks.filter((task) => recipe.misfit(task) === null && domain.verify(task).ok).length / tasks.length;
}

const solves = ({ rules }: Official, task: Parameters<typeof rules.score>[0], content: string): boolean =>
  rules.score(task, { messages: [{ role: 'assistant', content }], stopReason: 'stop' }).success;

describe('recipes on the benchmarks’ own records', () => {
  for (const { name, folder } of benchmarkFolders('bfcl')) {
    it(`of BFCL verifies most of them, and finds each of them held out: ${name}`, async () => {
      const official = await officialTasks('bfcl', folder, 'simple_python');
      const recipe = new BfclRecipe(official.rules);
      const share = shareVerified(recipe, official);
      assert.ok(share > 0.85, String(share));
      const domain = new RecipeDomain(recipe, { base: [], heldOut: official.tasks });
      for (const task of official.tasks) {
        const found = domain.likeness(task);
        assert.ok(!found.ok && found.cause === 'held-out', task.id);
      }
    }).timeout(240_000);
  }

  const executesCalls = async (folder: string): Promise<void> => {
    const official = await officialTasks('api-bank-dialogues', folder, 'level-1');
    const tables = await readTables(folder);
    const recipe = new ApiBankRecipe(official.rules, new Map([[folder, tables]]));
    assert.ok(shareVerified(recipe, official) > 0.5);
    const seed = official.tasks.find(
      ({ prompt, gold }) =>
        gold?.includes('AddAlarm') === true && prompt[0]?.content.includes('GetUserToken(') === true,
    );
    assert.ok(seed !== undefined);
    const domain = new RecipeDomain(recipe, { base: [seed], heldOut: [] });
    assert.match(domain.environmentPrompt(contextOf(seed)).at(-1)?.content ?? '', /AddAlarm\(token: str/);
    const user = (text: string) => ({ role: 'User', text });
    const [account] = Object.entries(tables.Account);
    assert.ok(account !== undefined);
    const [name, { password, token }] = account;
    const login = `[GetUserToken(username='${name}', password='${password}')]`;
    const written = (call: string, ...dialogue: object[]): string => JSON.stringify({ dialogue, call });
    const asked = user(`I am ${name}, password ${password}. Wake me on June 3rd at 6:30 am, please.`);
    const alarm = `[AddAlarm(token='${token}', time='2023-06-03 06:30:00')]`;
    const good = written(alarm, asked, { role: 'API', call: login });
    assert.equal(verdictOn(domain, good, seed), 'ok');
    const parsed = domain.parseTask(good, '', seed);
    assert.ok(parsed.ok);
    // The tools' own answer stands in the dialogue, not one that was made up.
    assert.match(parsed.draft.prompt.at(-1)?.content ?? '', new RegExp(`API: .*Response: .*${token}`));
    assert.ok(solves(official, parsed.draft, alarm));
    for (const wrong of [alarm.replace('06-03', '06-04'), alarm.replace('AddAlarm', 'AddAgenda'), login, 'no call'])
      assert.ok(!solves(official, parsed.draft, wrong), wrong);

    for (const [text, why] of [
      [written(alarm, user('Wake me on June 3rd at 6:30 am.')), /^gold: the dialogue does not give token/],
      [written(alarm, user(`My token is ${token}. Wake me at 6:30 am.`)), /^gold: the dialogue does not give time/],
      [written(alarm.replace(token, 'zzz'), asked), /^gold: AddAlarm fails: The token is invalid/],
      [
        written(login.replace(password, 'pass124'), user(`${name}, pass124`)),
        /^gold: GetUserToken fails: The password/,
      ],
      [written(alarm, asked, { role: 'API', call: login.replace(password, 'x') }), /^gold: GetUserToken fails/],
      [written("[AddAlarm(time='2023-06-03 06:30:00')]", asked), /^gold: AddAlarm: token is missing/],
      [written("[BookRocket(to='Mars')]", user('To Mars!')), /^gold: BookRocket is none of the seed’s APIs/],
      [written('AddAlarm', asked), /^schema: “AddAlarm” is no call/],
      [written(alarm), /^schema: dialogue/],
      ['{"dialogue": 3}', /^schema/],
      ['none', /^unparseable/],
    ] satisfies [string, RegExp][]) {
      assert.match(verdictOn(domain, text, seed), why);
    }
  };

  for (const { name, folder } of benchmarkFolders('api-bank')) {
    it(`of API-Bank executes the call: what fails, or nobody said, is no gold: ${name}`, () =>
      executesCalls(folder)).timeout(240_000);
  }

  const judgesPlans = async (folder: string): Promise<void> => {
    const official = await officialTasks('travelplanner', folder, 'train');
    const recipe = new TravelPlannerRecipe(official.rules);
    assert.ok(shareVerified(recipe, official) > 0.9);
    const [seed] = official.tasks;
    assert.ok(seed?.gold !== null && seed !== undefined);
    const plan = z.array(z.looseObject({ lunch: z.string().optional() })).parse(JSON.parse(seed.gold));
    const lunch = plan[1]?.lunch ?? assert.fail('no lunch on the second day');
    const { org, dest } = z.object({ org: z.string(), dest: z.string() }).parse(seed.evaluation);
    const domain = new RecipeDomain(recipe, { base: [seed], heldOut: [] });
    const free = { 'house rule': null, cuisine: null, 'room type': null, transportation: null };
    const written = (over: object = {}): string =>
      JSON.stringify({
        people_number: 1,
        budget: 2000,
        local_constraint: { ...free, transportation: 'no self-driving' },
        query:
          `I travel alone, one person, from ${org} to ${dest} from March 16th to March 18th, 2022, for at most ` +
          '$2,000, and will not drive myself.',
        plan,
        ...over,
      });
    assert.equal(verdictOn(domain, written(), seed), 'ok');
    const parsed = domain.parseTask(written(), '', seed);
    assert.ok(parsed.ok);
    assert.match(
      parsed.draft.prompt.at(-1)?.content ?? '',
      new RegExp(`^Attractions in ${dest}:.*Query: I travel alone`, 's'),
    );
    assert.deepEqual(domain.likeness(parsed.draft), { ok: true });
    const answer = (days: unknown): string => `\`\`\`json\n${JSON.stringify(days)}\n\`\`\``;
    assert.ok(solves(official, parsed.draft, answer(plan)));
    for (const [field, value] of [
      ['accommodation', `No Such House, ${dest}`],
      ['lunch', '-'],
      ['current_city', 'Peoria'],
      ['breakfast', lunch],
    ] as const) {
      const mutated = plan.map((day, at) => (at === 1 ? { ...day, [field]: value } : day));
      assert.ok(!solves(official, parsed.draft, answer(mutated)), field);
      assert.match(verdictOn(domain, written({ plan: mutated }), seed), /^gold: the reference plan does not do: /);
    }
    for (const [over, why] of [
      [{ budget: 10 }, /^gold: the reference plan does not do: valid_cost/],
      [{ local_constraint: { ...free, transportation: 'no flight' } }, /^gold: the reference plan does not do: /],
      [{ budget: 3000 }, /^gold: the query does not say budget: 3000/],
      [{ people_number: 0 }, /^schema: people_number/],
      [{ local_constraint: { ...free, 'room type': 'castle' } }, /^schema: local_constraint/],
      [{ query: `From ${org} to ${dest} for 2000 dollars, one person.` }, /^gold: the query does not say march 16/],
      [{ plan: [] }, /^schema: plan/],
    ] satisfies [object, RegExp][]) {
      assert.match(verdictOn(domain, written(over), seed), why);
    }
  };

  for (const { name, folder } of benchmarkFolders('travelplanner')) {
    it(`of TravelPlanner judges the reference plan by the database, and wants the query to say what it is judged by: ${name}`, () =>
      judgesPlans(folder)).timeout(240_000);
  }
});
