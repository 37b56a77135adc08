/**
 * TravelPlanner: another query for the seed's trip, with a plan that keeps all constraints. What is written is read, held to
 * the database and judged by GenEnv's recipe of this name, wherever this file has no function of its own (docs/domains.md,
 * “Benchmarks' recipes”).
 */
import { asking, type Context } from './asking.ts';

export const recipe = 'travelplanner';

export const houseRules = ['smoking', 'parties', 'children under 10', 'visitors', 'pets'] as const;
export const cuisines = ['Chinese', 'American', 'Italian', 'Mexican', 'Indian', 'Mediterranean', 'French'] as const;
export const roomTypes = ['entire room', 'private room', 'shared room', 'not shared room'] as const;
export const transports = ['no flight', 'no self-driving'] as const;

const listed = (words: readonly string[]): string => words.map((one) => `"${one}"`).join(', ');

const form = `The trip stays: where from, where to, which days. Another thing is asked for. The object has these members:
"people_number": how many travel, 1 to 8.
"budget": dollars for all of them.
"local_constraint": {"house rule": null or one of ${listed(houseRules)}, "cuisine": null or a list of ${listed(cuisines)}, "room type": null or one of ${listed(roomTypes)}, "transportation": null or one of ${listed(transports)}}.
"query": what a person asks for, in their own words. It says the places, the dates, the people, the budget and every constraint.
"plan": a plan that keeps all of it and uses nothing but the information, a list with one object a day, its fields as in the seed's plan.`;

/** The environment policy's prompt. */
export function environmentPrompt(context: Context<'query' | 'plan'>) {
  const { query, plan } = context.about;
  return asking(context, {
    form,
    seed: `The information, and the seed's query:\n${query}\n\nThe seed's plan:\n${plan}`,
  });
}
