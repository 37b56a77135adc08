import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { OptionError, type ScorerOptions } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { openTravelPlanner } from '../../../src/benchmarks/travelplanner/offline.ts';
import { benchmarkFolders, smallFiles } from '../../support/benchmarks/data.ts';

const options = (database: string | null, ...given: string[]): ScorerOptions => ({
  has: (option) => given.includes(option),
  text: (option) => (option === 'database' ? database : null),
});
/** A small one of our own, with what the real one has: missing cells, quotes, line ends within fields, names in names. */
const database = join(smallFiles('travelplanner'), 'database');

const goldenSchema = z.object({ case: z.unknown(), verdict: z.record(z.string(), z.unknown()), stops: z.boolean() });
const golden = readFileSync(new URL('golden/verdicts.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => goldenSchema.parse(JSON.parse(line)));

const lines = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('TravelPlanner', () => {
  it('judges mutated plans as the official program does, reason by reason', async () => {
    const scorer = await openTravelPlanner(options(database));
    for (const { case: one, verdict, stops } of golden) {
      const given = z.looseObject({ stopped: z.string().optional() }).parse(await scorer.score(JSON.stringify(one)));
      const { stopped, ...rest } = given;
      assert.deepEqual(rest, verdict, JSON.stringify(one));
      assert.equal(stopped !== undefined, stops);
    }
  });

  it('has a golden case of every outcome of every constraint', () => {
    const seen = new Set<string>();
    const outcomes = z.record(z.string(), z.tuple([z.boolean().nullable(), z.string().nullable()])).nullable();
    for (const { verdict } of golden) {
      for (const side of [verdict['commonsense'], verdict['hard']]) {
        for (const [name, [holds]] of Object.entries(outcomes.parse(side) ?? {})) seen.add(`${name} ${holds}`);
      }
    }
    assert.equal(seen.size, 8 * 2 + 4 * 3 + 2);
  });

  it('counts rates over the split’s size, a plan at which the official program stops as delivered and failed', async () => {
    const scorer = await openTravelPlanner(options(database, 'rates'));
    const of = z.object({ query_data: z.unknown(), plan: z.unknown() });
    const cases = golden.map(({ case: one }) => of.parse(one));
    const submission = cases.map(({ plan }) => ({ plan }));
    const queries = cases.map(({ query_data }) => query_data);
    const given = await scorer.score(JSON.stringify({ set_type: 'validation', queries, submission }));
    const { rates } = z.object({ rates: z.record(z.string(), z.number()) }).parse(given);
    const verdicts = golden.map(({ verdict }) => verdict);
    assert.equal(rates['Delivery Rate'], verdicts.filter(({ delivered }) => delivered).length / 180);
    assert.equal(rates['Final Pass Rate'], verdicts.filter(({ final_pass }) => final_pass).length / 180);
    const trues = (side: string): number =>
      JSON.stringify(verdicts.map((verdict) => verdict[side])).split('[true').length - 1;
    assert.equal(rates['Commonsense Constraint Micro Pass Rate'], trues('commonsense') / 1440);
    assert.equal(rates['Hard Constraint Micro Pass Rate'], trues('hard') / 420);
  });

  it('names what a wrong folder lacks', async () => {
    await assert.rejects(
      async () => openTravelPlanner(options(join(database, 'flights'))),
      (error) =>
        error instanceof OptionError && error.message.includes('clean_') && error.remedy.includes('TravelPlanner'),
    );
    await assert.rejects(async () => openTravelPlanner(options(null)), OptionError);
  });

  for (const { name, folder, isSmall } of benchmarkFolders('travelplanner')) {
    it(`gives annotated plans of the training split full marks on all six rates: ${name}`, async () => {
      const train = z
        .array(z.looseObject({ annotated_plan: z.unknown(), local_constraint: z.record(z.string(), z.unknown()) }))
        .parse(lines(join(folder, 'derived/train_queries.jsonl')));
      const scorer = await openTravelPlanner(options(join(folder, 'database'), 'rates'));
      const submission = train.map(({ annotated_plan: plan }) => ({ plan }));
      const given = await scorer.score(JSON.stringify({ set_type: 'train', queries: train, submission }));
      const { rates } = z.object({ rates: z.record(z.string(), z.number()) }).parse(given);
      assert.equal(train.length, isSmall ? 5 : 45);
      // The official program divides by the split's own numbers, however many plans there are: by 45 and 105.
      const share = train.length / 45;
      const set = train.flatMap(({ local_constraint: wishes }) => Object.values(wishes).filter((one) => one !== null));
      const hard = (train.length + set.length) / 105;
      assert.deepEqual(Object.values(rates), [share, share, share, hard, share, share]);
    });
  }
});
