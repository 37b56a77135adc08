/** Facts of a query that count whether there is a plan for it or not. */
import * as z from 'zod';
import type { Hard } from './hard.ts';
import { querySchema, type Query } from './query.ts';

type HardName = keyof Hard;

export interface PlanFacts {
  days: number;
  /** Hard constraints that the query sets, under the official program's names. */
  hard: readonly HardName[];
}

/** Null for what is no query. @param evaluation of a task */
export function planFacts(evaluation: Readonly<Record<string, unknown>>): PlanFacts | null {
  const query = factsSchema.safeParse(evaluation).data;
  return query === undefined ? null : { days: query.days, hard: hardSetBy(query) };
}

const factsSchema = querySchema.pick({ days: true, local_constraint: true }).extend({ kind: z.string() });

/** The official program counts a constraint as set where it judges it, and the split's sum of these is its constant. */
export function hardSetBy({ local_constraint: wanted }: Pick<Query, 'local_constraint'>): HardName[] {
  return [
    'valid_cost',
    ...(wanted['house rule'] === null ? [] : (['valid_room_rule'] as const)),
    ...(wanted.cuisine === null || wanted.cuisine.length === 0 ? [] : (['valid_cuisine'] as const)),
    ...(wanted['room type'] === null ? [] : (['valid_room_type'] as const)),
    ...(wanted.transportation === null ? [] : (['valid_transportation'] as const)),
  ];
}
