import { judgeCommonsense, type Commonsense } from './commonsense.ts';
import type { Database } from './database.ts';
import { judgeHard, type Hard } from './hard.ts';
import type { Outcome } from './outcome.ts';
import { isTrue, PlanDay } from './planDay.ts';
import type { Query } from './query.ts';
import { Stopped } from './stopped.ts';

export interface PlanVerdict {
  /** Whether there is a plan at all. */
  delivered: boolean;
  /** Null without a plan, and where the official program stops. */
  commonsense: Commonsense | null;
  /** Null where it is not judged: the plan is incomplete, or names what does not exist. */
  hard: Hard | null;
  /** Dollars for all; null where hard constraints are not judged. */
  totalCost: number | null;
  finalPass: boolean;
  /** Why the official program stops; null where it does not. */
  stopped: string | null;
}

/** One plan against its query. @param plan a list of days, or nothing */
export function judgePlan(query: Query, plan: unknown, database: Database): PlanVerdict {
  const none = { commonsense: null, hard: null, totalCost: null, finalPass: false, stopped: null };
  if (!isTrue(plan)) return { delivered: false, ...none };
  try {
    if (!Array.isArray(plan)) throw new Stopped('the plan is no list of days');
    const days = plan.slice(0, query.days).map((day: unknown, index) => new PlanDay(day, index + 1));
    const commonsense = judgeCommonsense(query, days, database);
    if (!isKept(commonsense.is_not_absent) || !isKept(commonsense.is_valid_information_in_sandbox)) {
      return { delivered: true, ...none, commonsense };
    }
    const { constraints, cost } = judgeHard(query, days, database);
    const finalPass = keepsAll(commonsense) && keepsAll(constraints);
    return { delivered: true, commonsense, hard: constraints, totalCost: cost, finalPass, stopped: null };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { delivered: true, ...none, stopped: error.message };
  }
}

const isKept = ([holds]: Outcome): boolean => holds !== false;

/** A constraint that the query does not set is met. */
export const keepsAll = (outcomes: Readonly<Record<string, Outcome>>): boolean => Object.values(outcomes).every(isKept);
