/** Queries as tasks of an adapter: the answer is a plan as JSON, judged against the database of a folder. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { answerSchema } from '../../shared/adapters/answer.ts';
import { parseSaid } from '../../shared/json.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import type { FolderRule } from '../adapter/folderScorer.ts';
import { parseLiteral } from '../python/literal.ts';
import { plainValue } from '../python/value.ts';
import type { Database } from './database.ts';
import { judgePlan, keepsAll, type PlanVerdict } from './judgePlan.ts';
import type { Outcome } from './outcome.ts';
import { isTrue } from './planDay.ts';
import { hardSetBy } from './planFacts.ts';
import { querySchema, type Query } from './query.ts';
import { readDatabase } from './readDatabase.ts';

const specSchema = z.object({
  answer: answerSchema,
  /** The benchmark's folder, absolute. */
  data: z.string(),
  ...querySchema.shape,
});

/** Success is a plan that keeps every constraint; the reward is the share of constraints that it keeps. */
export const planRule: FolderRule<z.infer<typeof specSchema>, Database> = {
  schema: specSchema,
  read: (folder) => readDatabase(join(folder, 'database')),
  /** The annotated plan, which the validation and test splits keep back. */
  goldOf: (gold) => {
    const days = annotatedDays(gold);
    return days.length === 0 ? null : JSON.stringify(days);
  },
  judge: (spec, value, database) => verdictOf(spec, judgePlan(spec, value, database)),
};

function verdictOf(query: Query, judged: PlanVerdict): Verdict {
  const { delivered, commonsense, hard, finalPass } = judged;
  const hardSet = hardSetBy(query).length;
  const commonsenseKept = commonsense === null ? 0 : kept(commonsense);
  const hardKept = hard === null ? 0 : kept(hard);
  const parts = {
    ...{ delivered: Number(delivered), commonsenseKept, hardKept, hardSet },
    commonsenseAll: Number(commonsense !== null && hard !== null && keepsAll(commonsense)),
    hardAll: Number(hard !== null && keepsAll(hard)),
  };
  const checks = { ...checked(commonsense), ...checked(hard) };
  const success = finalPass;
  const reward = success ? 1 : (commonsenseKept + hardKept) / (8 + hardSet);
  return success
    ? { success, reward, valid: true, parts, checks }
    : { success, reward, valid: delivered, parts, checks, note: why(judged) };
}

/** A constraint that the query does not set is not checked. */
const checked = (outcomes: Readonly<Record<string, Outcome>> | null): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(outcomes ?? {}).flatMap(([name, [holds]]) => (holds === null ? [] : [[name, holds]])),
  );

const kept = (outcomes: Readonly<Record<string, Outcome>>): number =>
  Object.values(outcomes).filter(([holds]) => holds === true).length;

/** Constraints that are broken, with the official program's reasons. */
function why({ delivered, commonsense, hard, stopped }: PlanVerdict): string {
  if (!delivered) return l10n.t('there is no plan');
  if (stopped !== null) return l10n.t('the official program stops: {0}', stopped);
  const broken = Object.entries({ ...commonsense, ...hard }).flatMap(([name, [holds, reason]]) =>
    holds === false ? [reason === null ? name : `${name}: ${reason}`] : [],
  );
  const unjudged = hard === null ? [l10n.t('hard constraints were not judged')] : [];
  return [...broken, ...unjudged].join('; ');
}

/** Days of an annotated plan, which the data set writes as JSON or as a Python literal, behind the query or alone. */
function annotatedDays(text: string): unknown[] {
  const value = parseSaid(text) ?? literalOf(text);
  return Array.isArray(value) ? value.flat().filter((day) => isTrue(day) && isDay(day)) : [];
}

const isDay = (value: unknown): boolean => z.looseObject({ current_city: z.string() }).safeParse(value).success;

function literalOf(text: string): unknown {
  try {
    return plainValue(parseLiteral(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
