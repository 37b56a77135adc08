/** The recipe that an adapter carries: what is written is a record of it, and its own mapping makes the task. */
import * as l10n from '@vscode/l10n';
import type { GenerationContext } from '../../../engine/ports.ts';
import type { Adapter } from '../../../shared/adapters/schema.ts';
import type { AdapterRecipeSpec } from '../../../shared/adapters/recipe.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../../shared/records/task.ts';
import { defined } from '../../../shared/defined.ts';
import { plainWords, type Recipe } from '../../recipes/recipe.ts';
import type { ScorerRule } from '../../scorerRule.ts';
import { TaskFault } from '../../taskFault.ts';
import { mapFields } from '../mapRecord.ts';
import { RecordFault, type Scope } from '../scope.ts';
import { compileTemplate } from '../template.ts';
import { askedBy } from './asked.ts';
import { holdTo } from './checks.ts';
import { scopeOf, writtenFields } from './writtenRecord.ts';

/** An adapter with a recipe. */
export interface WritingAdapter extends Adapter {
  recipe: AdapterRecipeSpec;
}

export const writes = (adapter: Adapter): adapter is WritingAdapter => adapter.recipe !== undefined;

export class AdapterRecipe implements Recipe {
  readonly name: string;
  readonly kind: string;
  readonly needsAgreement: boolean;
  readonly #adapter: WritingAdapter;
  readonly #rules: ScorerRule;

  /** @param rules that judge the adapter's tasks */
  constructor(name: string, adapter: WritingAdapter, rules: ScorerRule) {
    this.name = name;
    this.kind = adapter.scorer.kind;
    this.needsAgreement = adapter.recipe.agreement === true;
    this.#adapter = adapter;
    this.#rules = rules;
  }

  misfit(task: Parameters<Recipe['misfit']>[0]): string | null {
    const { evaluation, gold, prompt } = task;
    if (evaluation.kind !== this.kind)
      return l10n.t('it is judged by “{0}”, and the adapter’s by “{1}”', evaluation.kind, this.kind);
    if (gold === null && this.#adapter.task.gold !== null) return l10n.t('it has no gold');
    try {
      askedBy(this.#adapter.recipe, { seed: asSeed({ evaluation, gold, prompt }), recentSuccess: null, target: 0.5 });
      return null;
    } catch (error) {
      if (!(error instanceof RecordFault)) throw error;
      return l10n.t('recipe.prompt cannot be made from it: {0}', error.message);
    }
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return askedBy(this.#adapter.recipe, context);
  }

  parse(text: string, seed: Task): TaskDraft {
    const { recipe, task, scorer, answer } = this.#adapter;
    const fields = writtenFields(text, recipe.form);
    holdTo(recipe.checks ?? [], fields, seed);
    const scope = scopeOf(fields, recipe.form);
    // Its id is the loop's to give.
    const { prompt, tools, gold, evaluation, misfits } = mapFields(
      { ...task, id: 'written', family: undefined },
      scope,
    );
    const [misfit] = misfits;
    if (misfit !== undefined) throw new TaskFault('schema', `${misfit.field}: ${misfit.message}`);
    const { data } = seed.evaluation;
    return {
      prompt,
      ...defined({ tools: tools ?? undefined }),
      // The folder of a rule that reads files is the seed's.
      evaluation: { ...scorer, answer, ...evaluation, ...defined({ data }) },
      gold,
      complexity: measured(recipe, scope, prompt),
      plan: '',
    };
  }

  verify(draft: TaskDraft): void {
    const fault = this.#rules.fault(draft);
    if (fault !== null) throw new TaskFault('gold', l10n.t('the task cannot be judged: {0}', fault));
    const content = this.#rules.goldAnswer(draft) ?? draft.gold;
    if (content === null) return;
    const { success } = this.#rules.score(draft, { messages: [{ role: 'assistant', content }], stopReason: 'stop' });
    if (!success) throw new TaskFault('gold', l10n.t('its own gold is no right answer by “{0}”', this.kind));
  }

  /** Instructions are the same in every task. */
  wording({ prompt }: Pick<Task, 'prompt'>): string {
    return prompt.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n');
  }

  /** Another question may well have the same answer. */
  key(): null {
    return null;
  }

  fingerprint(task: Pick<Task, 'prompt'>): string {
    return plainWords(this.wording(task));
  }
}

function measured({ difficulty }: AdapterRecipeSpec, scope: Scope, prompt: readonly Message[]): Record<string, number> {
  if (difficulty === undefined) {
    return { words: plainWords(prompt.findLast(({ role }) => role === 'user')?.content ?? '').split(' ').length };
  }
  return Object.fromEntries(
    Object.entries(difficulty).map(([name, source]) => {
      const text = rendered(name, source, scope);
      const number = text.trim() === '' ? NaN : Number(text);
      if (Number.isFinite(number)) return [name, number];
      throw new TaskFault(
        'schema',
        l10n.t('recipe.difficulty.{0} comes to “{1}”, which is no number', name, text.slice(0, 40)),
      );
    }),
  );
}

function rendered(name: string, source: string, scope: Scope): string {
  try {
    return compileTemplate(source).render(scope);
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error;
    throw new TaskFault('schema', `recipe.difficulty.${name}: ${error.message}`);
  }
}

/** The seed that a recipe is tried on before there is a run. */
const asSeed = (task: Pick<Task, 'prompt' | 'evaluation' | 'gold'>): Task => ({
  ...{ v: 1, id: 'seed', family: 'seed', epoch: 0, origin: 'base', seed: null, status: 'accepted' },
  ...{ complexity: {}, plan: '' },
  ...task,
});
