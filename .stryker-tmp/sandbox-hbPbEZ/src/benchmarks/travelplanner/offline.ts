import * as z from 'zod';
import { fromJson, OptionError, type OfflineScorer, type ScorerOptions } from '../offline/offlineScorer.ts';
import type { Database } from './database.ts';
import { judgePlan, type PlanVerdict } from './judgePlan.ts';
import { querySchema } from './query.ts';
import { ratesOf } from './rates.ts';
import { readDatabase } from './readDatabase.ts';

const planCase = z.object({ query_data: querySchema, plan: z.unknown() });

const ratesCase = z.object({
  set_type: z.enum(['train', 'validation', 'test']),
  queries: z.array(querySchema),
  /** In the order of the queries. */
  submission: z.array(z.object({ plan: z.unknown() })),
});

/** `genenv score travelplanner --database DIR`: one plan, or with `--rates` a whole split's submission. */
export async function openTravelPlanner(options: ScorerOptions): Promise<OfflineScorer> {
  const folder = options.text('database');
  if (folder === null) {
    throw new OptionError(
      'travelplanner needs --database DIR.',
      'DIR is the folder "database" of a TravelPlanner clone.',
    );
  }
  const database = await readDatabase(folder);
  return options.has('rates') ? rates(database) : plans(database);
}

/** `{id, query_data, plan}` → `{id, delivered, commonsense, hard, total_cost, final_pass}`. */
const plans = (database: Database): OfflineScorer =>
  fromJson(planCase, ({ query_data, plan }) => verdictJson(judgePlan(query_data, plan, database)));

function verdictJson({ delivered, commonsense, hard, totalCost, finalPass, stopped }: PlanVerdict): object {
  const verdict = { delivered, commonsense, hard, total_cost: totalCost, final_pass: finalPass };
  return stopped === null ? verdict : { ...verdict, stopped };
}

/** `{id, set_type, queries, submission}` → `{id, rates}`. A query without a line in the submission has no plan. */
const rates = (database: Database): OfflineScorer =>
  fromJson(ratesCase, ({ set_type, queries, submission }) => ({
    rates: ratesOf(
      set_type,
      queries.map((query, index) => judgePlan(query, submission[index]?.plan, database)),
    ),
  }));
