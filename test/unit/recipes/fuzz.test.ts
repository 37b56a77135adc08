import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readTables } from '../../../src/benchmarks/apiBank/tools/tables.ts';
import { tools } from '../../../src/benchmarks/apiBank/tools/allTools.ts';
import { ApiBankRecipe } from '../../../src/benchmarks/recipes/apiBank.ts';
import { RecipeDomain } from '../../../src/benchmarks/recipes/domain.ts';
import { TravelPlannerRecipe } from '../../../src/benchmarks/recipes/travelPlanner.ts';
import { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { bfclSeed } from '../../support/recipes/seeds.ts';

const tables = [
  ...['Account', 'Agenda', 'Alarm', 'Appointments', 'Bank', 'HealthData', 'History', 'Hotel', 'Meeting'],
  ...['QuestionAnswering', 'Reminder', 'Scenes', 'SpeechRecognition', 'Stock', 'Symptom', 'TimeSwitch', 'Wiki'],
];

/** A verdict for any text: a reported fault, or a task that passes again when it is read again. */
function judged(domain: RecipeDomain, text: string, seed: Task): boolean {
  const parsed = domain.parseTask(text, '', seed);
  const verified = parsed.ok ? domain.verify(parsed.draft) : parsed;
  if (!verified.ok) return /^(unparseable|schema|gold)$/.test(verified.cause) && verified.note !== '';
  assert.ok(parsed.ok);
  domain.likeness(parsed.draft);
  return domain.fingerprint(parsed.draft) === domain.fingerprint({ ...parsed.draft });
}

describe('recipes, whatever an environment writes', () => {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-tables-'));
    await mkdir(join(dir, 'init_database'));
    for (const name of tables) await writeFile(join(dir, 'init_database', `${name}.json`), '{}');
    const account = { Ann: { password: 'pw1', token: 't0ken', email: 'ann@x.org' } };
    await writeFile(join(dir, 'init_database', 'Account.json'), JSON.stringify(account));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  it('API-Bank: every tool may be called with anything', async () => {
    const names = [...tools.keys()];
    const seed: Task = {
      ...bfclSeed('base.login'),
      prompt: [
        { role: 'system', content: names.join('\n') },
        { role: 'user', content: 'User: I am Ann, pw1.\nAPI:' },
      ],
      evaluation: {
        ...{ kind: 'api-bank', answer: { kind: 'text' }, data: dir },
        truth: { role: 'API', api_name: 'GetUserToken', param_dict: {}, result: {} },
      },
      gold: "[GetUserToken(username='Ann', password='pw1')]",
    };
    const rules = await ScorerTable.open(['api-bank'], null, [seed]);
    const domain = new RecipeDomain(new ApiBankRecipe(rules, new Map([[dir, await readTables(dir)]])), {
      base: [],
      heldOut: [seed],
    });
    const value = fc.oneof(fc.constantFrom('Ann', 'pw1', 't0ken', '2023-01-01 10:00:00', '(1+2)*3', '7'), fc.string());
    const name = fc.constantFrom(...names);
    const call = name.chain((one) =>
      fc
        .tuple(...Object.keys(tools.get(one)?.parameters ?? {}).map((key) => value.map((text) => `${key}='${text}'`)))
        .map((parts) => `[${one}(${parts.join(', ')})]`),
    );
    const turn = fc.oneof(
      fc.record({ role: fc.constantFrom('User', 'AI'), text: value }),
      call.map((one) => ({ role: 'API', call: one })),
    );
    const said = { role: 'User', text: 'Ann pw1 t0ken 2023-01-01 10:00:00 (1+2)*3 7' };
    const text = fc.oneof(
      fc.string(),
      fc
        .record({ dialogue: fc.array(turn, { maxLength: 2 }).map((turns) => [...turns, said]), call })
        .map((one) => JSON.stringify(one)),
    );
    let accepted = 0;
    fc.assert(
      fc.property(text, (one) => {
        const parsed = domain.parseTask(one, '', seed);
        if (parsed.ok && domain.verify(parsed.draft).ok) {
          accepted += 1;
          const messages = [{ role: 'assistant' as const, content: parsed.draft.gold ?? '' }];
          assert.ok(rules.score(parsed.draft, { messages, stopReason: 'stop' }).success);
        }
        return judged(domain, one, seed);
      }),
      { numRuns: 2000, seed: 5 },
    );
    assert.ok(accepted > 0);
  }).timeout(240_000);

  it('TravelPlanner: whatever stands in the place of numbers, wishes and days', async () => {
    const rules = await ScorerTable.open(['travelplanner'], null);
    const seed: Task = {
      ...bfclSeed('base.trip'),
      prompt: [{ role: 'user', content: 'Query: From A to B, March 1st, 100 dollars, one person.' }],
      evaluation: {
        ...{ kind: 'travelplanner', answer: { kind: 'json' }, data: dir, org: 'A', dest: 'B', days: 3 },
        ...{ visiting_city_number: 1, people_number: 1, budget: 100 },
        local_constraint: { 'house rule': null, cuisine: null, 'room type': null, transportation: null },
      },
      gold: '[]',
    };
    const domain = new RecipeDomain(new TravelPlannerRecipe(rules), { base: [], heldOut: [seed] });
    const wild = (usual: unknown) => fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.jsonValue());
    const text = fc.oneof(
      fc.string(),
      fc
        .record({
          people_number: wild(1),
          budget: wild(100),
          local_constraint: wild({ 'house rule': null, cuisine: ['French'], 'room type': null, transportation: null }),
          query: wild('From A to B on March 1st, 100 dollars, one person, French food.'),
          plan: wild([{ days: 1, current_city: 'B' }]),
        })
        .map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(text, (one) => judged(domain, one, seed)),
      { numRuns: 2000 },
    );
  }).timeout(240_000);
});
