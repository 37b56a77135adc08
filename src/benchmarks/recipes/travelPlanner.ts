/** TravelPlanner: another query for the seed's trip, with a reference plan that keeps all constraints. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { GenerationContext } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { TaskFault } from '../taskFault.ts';
import { querySchema, type Query } from '../travelplanner/query.ts';
import { Said } from './grounded.ts';
import { plainWords, questionOf, type Recipe } from './recipe.ts';
import { cuisines, environmentPrompt, houseRules, roomTypes, transports } from './travelPlanner.domain.ts';
import { inForm, writtenForm, writtenObject } from './written.ts';
import type { ScorerRule } from '../scorerRule.ts';

const specSchema = z.looseObject({ kind: z.literal('travelplanner'), ...querySchema.shape });

const writtenSchema = z.object({
  people_number: z.int().min(1).max(8),
  budget: z.number().positive(),
  local_constraint: z.strictObject({
    'house rule': z.enum(houseRules).nullable(),
    cuisine: z.array(z.enum(cuisines)).min(1).nullable(),
    'room type': z.enum(roomTypes).nullable(),
    transportation: z.enum(transports).nullable(),
  }),
  query: z.string().trim().min(1),
  plan: z.array(z.record(z.string(), z.unknown())).min(1),
});

/** The mark before the query in the agent's prompt. */
const mark = 'Query: ';

export class TravelPlannerRecipe implements Recipe {
  readonly name = 'travelplanner';
  readonly kind = 'travelplanner';
  readonly needsAgreement = false;
  readonly goldFollows = true;
  readonly #rule: ScorerRule;

  /** @param rule TravelPlanner's own, by its database */
  constructor(rule: ScorerRule) {
    this.#rule = rule;
  }

  misfit(task: Parameters<Recipe['misfit']>[0]): string | null {
    const { evaluation, gold } = task;
    if (!specSchema.safeParse(evaluation).success)
      return l10n.t('it is judged by “{0}”, not as a trip', evaluation.kind);
    if (!questionOf(task).includes(mark)) return l10n.t('its prompt does not say “{0}” before what is asked for', mark);
    return gold === null || gold === '' ? l10n.t('it has no plan to begin from') : null;
  }

  about(seed: Task) {
    return { query: questionOf(seed), plan: seed.gold ?? '' };
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return environmentPrompt({ ...context, about: this.about(context.seed) });
  }

  parse(text: string, seed: Task): TaskDraft {
    const written = writtenForm(writtenObject(text), writtenSchema);
    const { people_number, budget, local_constraint, query, plan } = written;
    const asked = questionOf(seed);
    for (const date of datesOf(queryOf(seed))) {
      if (!datesOf(query).includes(date))
        throw new TaskFault('gold', l10n.t('the query does not say {0}, as its seed does', date));
    }
    const set = Object.values(local_constraint).filter((one) => one !== null).length;
    return {
      prompt: [
        ...seed.prompt.filter(({ role }) => role === 'system'),
        { role: 'user', content: `${asked.slice(0, asked.lastIndexOf(mark) + mark.length)}${query}` },
      ],
      evaluation: { ...seed.evaluation, people_number, budget, local_constraint },
      gold: JSON.stringify(plan),
      complexity: { days: specOf(seed).days, people: people_number, constraints: set },
      plan: '',
    };
  }

  verify(draft: TaskDraft): void {
    const fault = this.#rule.fault(draft);
    if (fault !== null) throw new TaskFault('gold', l10n.t('the task cannot be judged: {0}', fault));
    const content = this.#rule.goldAnswer(draft);
    if (content === null) throw new TaskFault('gold', l10n.t('there is no reference plan'));
    const verdict = this.#rule.score(draft, { messages: [{ role: 'assistant', content }], stopReason: 'stop' });
    // Without the database, where a run is only looked at, nothing is known against it.
    if (!verdict.success && verdict.error === undefined) {
      throw new TaskFault(
        'gold',
        l10n.t('the reference plan does not do: {0}', verdict.note ?? l10n.t('it breaks a constraint')),
      );
    }
    refuseUnsaid(queryOf(draft), specOf(draft));
  }

  wording(task: Pick<Task, 'prompt'>): string {
    return queryOf(task);
  }

  key(task: Pick<Task, 'evaluation'>): string {
    return wishOf(specOf(task));
  }

  fingerprint(task: Pick<Task, 'prompt' | 'evaluation'>): string {
    return `${wishOf(specOf(task))}\n${plainWords(queryOf(task))}`;
  }
}

const specOf = ({ evaluation }: Pick<Task, 'evaluation'>): z.infer<typeof specSchema> =>
  inForm(evaluation, specSchema, 'evaluation');

function queryOf(task: Pick<Task, 'prompt'>): string {
  const asked = questionOf(task);
  return asked.slice(asked.lastIndexOf(mark) + mark.length);
}

/** Everything that a plan is judged by. */
const wishOf = ({ org, dest, days, visiting_city_number, people_number, budget, local_constraint }: Query): string =>
  JSON.stringify([org, dest, days, visiting_city_number, people_number, budget, Object.entries(local_constraint)]);

/** `march 16`: days as a query names them. */
const datesOf = (query: string): string[] =>
  Array.from(
    query
      .toLowerCase()
      .matchAll(/(january|february|march|april|may|june|july|august|september|october|november|december) (\d+)/g),
    ([text]) => text,
  );

/** Refuses constraints that the query does not state: a plan is judged by them. @throws TaskFault `gold` */
function refuseUnsaid(query: string, { org, dest, people_number, budget, local_constraint }: Query): void {
  const said = new Said(query);
  const { 'house rule': rule, cuisine, 'room type': room, transportation } = local_constraint;
  const wishes: [string, string | bigint][] = [
    [l10n.t('where it begins'), org],
    [l10n.t('where it goes'), dest],
    ['people_number', BigInt(Math.trunc(people_number))],
    ['budget', BigInt(Math.trunc(budget))],
    ...(cuisine ?? []).map((one): [string, string] => ['cuisine', one]),
    ...(rule === null ? [] : [[l10n.t('house rule'), rule] satisfies [string, string]]),
    ...(room === null
      ? []
      : [[l10n.t('room type'), room.replace(/ room$/, '').replace('not ', '')] satisfies [string, string]]),
  ];
  for (const [what, value] of wishes) {
    if (!said.says(value)) throw new TaskFault('gold', l10n.t('the query does not say {0}: {1}', what, String(value)));
  }
  const travel = transportation === 'no flight' ? /fl(?:y|ight)|plane|air/i : /driv|car\b/i;
  if (transportation !== null && !travel.test(query)) {
    throw new TaskFault('gold', l10n.t('the query does not say transportation: {0}', transportation));
  }
}
