/** API-Bank's levels 1 and 2: another dialogue, whose next call the benchmark's own tools execute. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { GenerationContext } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { findCall, type ApiCall } from '../apiBank/callText.ts';
import { responseOf } from '../apiBank/execute.ts';
import { tools } from '../apiBank/tools/allTools.ts';
import { ToolFault, Wrong } from '../apiBank/tools/faults.ts';
import type { Tables } from '../apiBank/tools/tables.ts';
import { TaskFault } from '../taskFault.ts';
import { environmentPrompt } from './apiBank.domain.ts';
import { Said } from './grounded.ts';
import { plainWords, questionOf, type Recipe } from './recipe.ts';
import { inForm, writtenForm, writtenObject } from './written.ts';
import type { ScorerRule } from '../scorerRule.ts';

const specSchema = z.looseObject({
  kind: z.literal('api-bank'),
  data: z.string(),
  truth: z.looseObject({ role: z.enum(['API', 'User', 'AI']) }),
});

const turnSchema = z.union([
  z.object({ role: z.enum(['User', 'AI']), text: z.string().trim().min(1) }),
  z.object({ role: z.literal('API'), call: z.string() }),
]);
const writtenSchema = z.object({ dialogue: z.array(turnSchema).min(1).max(60), call: z.string() });

export class ApiBankRecipe implements Recipe {
  readonly name = 'api-bank';
  readonly kind = 'api-bank';
  readonly needsAgreement = false;
  readonly #rule: ScorerRule;
  readonly #tables: ReadonlyMap<string, Tables>;

  /**
   * @param rule API-Bank's own, by execution
   * @param tables by the folders that seeds name; those of a folder are needed only to write tasks of it
   */
  constructor(rule: ScorerRule, tables: ReadonlyMap<string, Tables>) {
    this.#rule = rule;
    this.#tables = tables;
  }

  misfit({ evaluation, gold }: Parameters<Recipe['misfit']>[0]): string | null {
    const spec = specSchema.safeParse(evaluation);
    if (!spec.success) return l10n.t('it is judged by “{0}”, not by executing a call of API-Bank', evaluation.kind);
    if (spec.data.truth.role !== 'API') return l10n.t('what it asks for is a response, and this recipe writes calls');
    return gold === null ? l10n.t('it has no gold') : null;
  }

  about(seed: Task) {
    const apis = seed.prompt.filter(({ role }) => role === 'system').map(({ content }) => content);
    return { apis: apis.join('\n\n'), dialogue: questionOf(seed), call: seed.gold ?? '' };
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return environmentPrompt({ ...context, about: this.about(context.seed) });
  }

  parse(text: string, seed: Task): TaskDraft {
    const { dialogue, call } = writtenForm(writtenObject(text), writtenSchema);
    const { data } = specOf(seed);
    const known = seed.prompt.map(({ content }) => content).join('\n');
    const lines = dialogue.map((turn) =>
      turn.role === 'API' ? `API: ${this.#answered(turn.call, data, known)}` : `${turn.role}: ${turn.text}`,
    );
    const { name, params } = readCall(call, known);
    const result = this.#executed({ name, params }, data);
    return {
      prompt: [
        ...seed.prompt.filter(({ role }) => role === 'system'),
        { role: 'user', content: `${lines.join('\n')}\nAPI:` },
      ],
      evaluation: {
        ...seed.evaluation,
        truth: { role: 'API', api_name: name, param_dict: Object.fromEntries(params), result },
      },
      gold: callText({ name, params }),
      complexity: { turns: dialogue.length, parameters: params.size },
      plan: '',
    };
  }

  verify(draft: TaskDraft): void {
    const fault = this.#rule.fault(draft);
    if (fault !== null) throw new TaskFault('gold', l10n.t('the task cannot be judged: {0}', fault));
    const { name, params } = readCall(draft.gold ?? '', null);
    const content = this.#rule.goldAnswer(draft) ?? '';
    const verdict = this.#rule.score(draft, { messages: [{ role: 'assistant', content }], stopReason: 'stop' });
    // Without the benchmark's tables, where a run is only looked at, nothing is known against it.
    if (!verdict.success && verdict.error === undefined) {
      throw new TaskFault('gold', l10n.t('API-Bank’s judge refuses the gold itself: {0}', verdict.note ?? 'wrong'));
    }
    const said = new Said(questionOf(draft));
    for (const [key, value] of params) {
      if (!said.says(value))
        throw new TaskFault('gold', l10n.t("the dialogue does not give {0} = '{1}' of {2}", key, value, name));
    }
  }

  wording(task: Pick<Task, 'prompt'>): string {
    return questionOf(task);
  }

  key({ gold }: Pick<Task, 'gold'>): string | null {
    const call = gold === null ? null : findCall(gold);
    return call === null ? null : callText(sorted(call)).toLowerCase();
  }

  fingerprint(task: Pick<Task, 'prompt'>): string {
    return plainWords(questionOf(task));
  }

  /** A call made earlier in the dialogue, with what it gave, as the benchmark shows it. */
  #answered(text: string, data: string, known: string): string {
    const call = readCall(text, known);
    const { output } = this.#executed(call, data);
    return `${callText(call)} Response: ${typeof output === 'string' ? output : JSON.stringify(output)}`;
  }

  /** @throws TaskFault `gold` where the call fails */
  #executed({ name, params }: Pick<ApiCall, 'name' | 'params'>, data: string): Record<string, unknown> {
    const tool = tools.get(name);
    const tables = this.#tables.get(data);
    if (tool === undefined || tables === undefined) {
      throw new TaskFault(
        'gold',
        tool === undefined ? l10n.t('there is no tool {0}', name) : l10n.t('{0} was not read', data),
      );
    }
    try {
      const { exception, ...response } = responseOf(tool, name, params, tables);
      if (exception !== null) throw new TaskFault('gold', l10n.t('{0} fails: {1}', name, exception));
      return inForm(plainJson({ ...response, exception }), z.record(z.string(), z.unknown()));
    } catch (error) {
      if (error instanceof Wrong || error instanceof ToolFault)
        throw new TaskFault('gold', `${name}: ${error.message}`);
      throw error;
    }
  }
}

const specOf = ({ evaluation }: Pick<Task, 'evaluation'>): z.infer<typeof specSchema> =>
  inForm(evaluation, specSchema, 'evaluation');

/** @param known what must name the tool; null for any. @throws TaskFault `schema` or `gold` */
function readCall(text: string, known: string | null): ApiCall {
  const call = findCall(text);
  if (call === null) throw new TaskFault('schema', l10n.t("“{0}” is no call: [Name(key='value')]", text));
  if (known !== null && !known.includes(call.name)) {
    throw new TaskFault('gold', l10n.t('{0} is none of the seed’s APIs', call.name));
  }
  for (const [key, value] of call.params) {
    if (/['"\n]|\)\]/.test(value)) throw new TaskFault('schema', l10n.t('{0}: a value has no quotes in it', key));
  }
  return call;
}

const callText = ({ name, params }: Pick<ApiCall, 'name' | 'params'>): string =>
  `[${name}(${Array.from(params, ([key, value]) => `${key}='${value}'`).join(', ')})]`;

const sorted = ({ name, params }: ApiCall): Pick<ApiCall, 'name' | 'params'> => ({
  name,
  params: new Map([...params].toSorted(([a], [b]) => a.localeCompare(b))),
});

/** As a record keeps it: whole numbers as JSON has them. */
const plainJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)));
