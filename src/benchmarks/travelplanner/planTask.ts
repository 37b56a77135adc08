/** Queries as tasks of an adapter: the answer is a plan as JSON, judged against the database of a folder. */
import { join } from 'node:path';
import * as z from 'zod';
import type { Scorer } from '../../engine/ports.ts';
import { answerSchema } from '../../shared/adapters/answer.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { lastTurn, parseAnswer } from '../adapter/answers/parseAnswer.ts';
import { sayAnswer } from '../adapter/answers/sayAnswer.ts';
import { parseLiteral } from '../python/literal.ts';
import { plainValue } from '../python/value.ts';
import type { ScorerRule } from '../scorerTable.ts';
import type { Database } from './database.ts';
import { judgePlan, keepsAll, type PlanVerdict } from './judgePlan.ts';
import type { Outcome } from './outcome.ts';
import { isTrue } from './planDay.ts';
import { querySchema, type Query } from './query.ts';
import { readDatabase } from './readDatabase.ts';

const specSchema = z.object({
  answer: answerSchema,
  /** The benchmark's folder, absolute. */
  data: z.string(),
  ...querySchema.shape,
});
type Spec = z.infer<typeof specSchema>;

type Judged = Parameters<Scorer['score']>[0];

/** Success is a plan that keeps every constraint; the reward is the share of constraints that it keeps. */
export class PlanScorer implements ScorerRule {
  readonly #databases: ReadonlyMap<string, Database>;

  private constructor(databases: ReadonlyMap<string, Database>) {
    this.#databases = databases;
  }

  /** @param folders whose `database` is read @throws OptionError naming the file that is missing */
  static async open(folders: Iterable<string>): Promise<PlanScorer> {
    const databases = new Map<string, Database>();
    for (const folder of folders) databases.set(folder, await readDatabase(join(folder, 'database')));
    return new PlanScorer(databases);
  }

  fault({ evaluation }: Judged): string | null {
    const { error } = specSchema.safeParse(evaluation);
    const issue = error?.issues[0];
    return issue === undefined ? null : `evaluation.${issue.path.join('.')}: ${issue.message}`;
  }

  /** The annotated plan, which the validation and test splits keep back. */
  goldAnswer({ evaluation, gold }: Judged): string | null {
    const spec = specSchema.safeParse(evaluation).data;
    const days = gold === null ? [] : annotatedDays(gold);
    return spec === undefined || days.length === 0 ? null : sayAnswer(JSON.stringify(days), spec.answer);
  }

  score({ evaluation }: Judged, { messages, stopReason }: Parameters<Scorer['score']>[1]): Verdict {
    const spec = specSchema.safeParse(evaluation).data;
    const database = this.#databases.get(spec?.data ?? '');
    if (spec === undefined || database === undefined) {
      const error = spec === undefined ? (this.fault({ evaluation, gold: null }) ?? '') : `${spec.data} was not read`;
      return { success: false, reward: 0, valid: false, error };
    }
    const parsed = stopReason === 'length' ? cutOff : parseAnswer(lastTurn(messages), spec.answer);
    const judged = judgePlan(spec, parsed.ok ? parsed.value : null, database);
    const verdict = verdictOf(spec, judged);
    return parsed.ok ? verdict : { ...verdict, valid: false, note: parsed.note };
  }
}

const cutOff = { ok: false, note: 'the answer was cut off' } as const;

/** The official program counts a constraint as set where it judges it, and the split's sum of these is its constant. */
function constraintsOf({ local_constraint }: Query): number {
  return 1 + Object.values(local_constraint).filter((one) => one !== null && !isEmptyList(one)).length;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function verdictOf(query: Spec, judged: PlanVerdict): Verdict {
  const { delivered, commonsense, hard, finalPass } = judged;
  const hardSet = constraintsOf(query);
  const commonsenseKept = commonsense === null ? 0 : kept(commonsense);
  const hardKept = hard === null ? 0 : kept(hard);
  const parts = {
    ...{ delivered: Number(delivered), commonsenseKept, hardKept, hardSet },
    commonsenseAll: Number(commonsense !== null && hard !== null && keepsAll(commonsense)),
    hardAll: Number(hard !== null && keepsAll(hard)),
  };
  const success = finalPass;
  const reward = success ? 1 : (commonsenseKept + hardKept) / (8 + hardSet);
  return success
    ? { success, reward, valid: true, parts }
    : { success, reward, valid: delivered, parts, note: why(judged) };
}

const kept = (outcomes: Readonly<Record<string, Outcome>>): number =>
  Object.values(outcomes).filter(([holds]) => holds === true).length;

/** Constraints that are broken, with the official program's reasons. */
function why({ delivered, commonsense, hard, stopped }: PlanVerdict): string {
  if (!delivered) return 'there is no plan';
  if (stopped !== null) return `the official program stops: ${stopped}`;
  const broken = Object.entries({ ...commonsense, ...hard }).flatMap(([name, [holds, reason]]) =>
    holds === false ? [reason === null ? name : `${name}: ${reason}`] : [],
  );
  const unjudged = hard === null ? ['hard constraints were not judged'] : [];
  return [...broken, ...unjudged].join('; ');
}

/** Days of an annotated plan, which the data set writes as JSON or as a Python literal, behind the query or alone. */
function annotatedDays(text: string): unknown[] {
  const value = parseOrUndefined(text) ?? literalOf(text);
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
