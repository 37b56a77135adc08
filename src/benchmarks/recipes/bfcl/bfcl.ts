/** BFCL's single-turn tasks in Python: a question, its functions, and the calls that answer it. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { GenerationContext } from '../../../engine/ports.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../../shared/records/task.ts';
import { jsonText } from '../../python/json.ts';
import { plainValue } from '../../python/value.ts';
import { TaskFault } from '../../taskFault.ts';
import { environmentPrompt } from '../bfcl.domain.ts';
import { Said } from '../grounded.ts';
import { plainWords, questionOf, type Recipe } from '../recipe.ts';
import { inForm, writtenForm, writtenObject } from '../written.ts';
import { functionSpecs, type FunctionSpec } from './functions.ts';
import { callsOf, callText, goldOf, writtenCalls, type WrittenCall } from './gold.ts';
import type { ScorerRule } from '../../scorerRule.ts';

const specSchema = z.looseObject({
  kind: z.literal('bfcl'),
  function: z.array(z.unknown()),
  language: z.string(),
  category: z.string(),
});

/** How many functions and calls a category has. */
const shapes = {
  simple: { functions: 'one', calls: 'one' },
  multiple: { functions: 'several', calls: 'one' },
  parallel: { functions: 'one', calls: 'several' },
  parallel_multiple: { functions: 'several', calls: 'several' },
} as const;
type Shape = (typeof shapes)[keyof typeof shapes];

/** `live_simple` and `simple_python` are both simple. */
function shapeOf(category: string): Shape | null {
  const name = category.replace(/^live_/, '').replace(/_python$/, '');
  return Object.entries(shapes).find(([one]) => one === name)?.[1] ?? null;
}

/** The agent's instruction before the functions, where the seed has none. */
const instruction =
  'Below are functions, and what a person asks for. Answer with the calls that do it and nothing else, as ' +
  '[name(parameter=value, …), …], every argument by its name, values as Python writes them.';

export class BfclRecipe implements Recipe {
  readonly name = 'bfcl';
  readonly kind = 'bfcl';
  readonly needsAgreement = false;
  readonly #rule: ScorerRule;

  /** @param rule BFCL's own checker, by which golds are tried */
  constructor(rule: ScorerRule) {
    this.#rule = rule;
  }

  misfit({ evaluation, gold }: Parameters<Recipe['misfit']>[0]): string | null {
    const spec = specSchema.safeParse(evaluation);
    if (!spec.success) return l10n.t('it is judged by “{0}”, not as a call of BFCL', evaluation.kind);
    const { language, category } = spec.data;
    if (language !== 'python') return l10n.t('its calls are written in {0}, and this recipe writes Python', language);
    if (shapeOf(category) === null)
      return l10n.t('its category “{0}” is none of {1}', category, Object.keys(shapes).join(', '));
    return gold === null ? l10n.t('it has no gold') : null;
  }

  about(seed: Task) {
    const spec = specOf(seed);
    const shape = shapeOf(spec.category);
    const calls = callsOf(seed.gold).map(
      ({ name, arguments: given }) => `{"name":${JSON.stringify(name)},"arguments":${jsonText(new Map(given))}}`,
    );
    return {
      functions: JSON.stringify(spec.function),
      question: questionOf(seed),
      calls: `[${calls.join(', ')}]`,
      functionCount: shape?.functions ?? '',
      callCount: shape?.calls ?? '',
    };
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return environmentPrompt({ ...context, about: this.about(context.seed) });
  }

  parse(text: string, seed: Task): TaskDraft {
    const written = writtenObject(text);
    const { question } = writtenForm(written, z.object({ question: z.string().trim().min(1) }));
    const functions = plainValue(written.get('functions') ?? null);
    const specs = functionSpecs(functions);
    const calls = writtenCalls(written.get('calls'));
    const { category, language } = specOf(seed);
    return {
      prompt: [
        { role: 'system', content: `${instructionOf(seed)}\n\n${JSON.stringify(functions)}` },
        { role: 'user', content: question },
      ],
      evaluation: {
        kind: 'bfcl',
        answer: { kind: 'text' },
        function: inForm(functions, z.array(z.unknown())),
        language,
        category,
      },
      gold: goldOf(calls, specs),
      complexity: { functions: specs.length, calls: calls.length },
      plan: '',
    };
  }

  verify(draft: TaskDraft): void {
    const spec = specOf(draft);
    const specs = functionSpecs(spec.function);
    const calls = callsOf(draft.gold);
    const shape = shapeOf(spec.category);
    if (shape === null) throw new TaskFault('schema', l10n.t('there is no category “{0}”', spec.category));
    refuseCount(shape.functions, specs.length, 'function', spec.category);
    refuseCount(shape.calls, calls.length, 'call', spec.category);
    const fault = this.#rule.fault(draft);
    if (fault !== null) throw new TaskFault('gold', l10n.t('the task cannot be judged: {0}', fault));
    const content = callText(calls);
    const verdict = this.#rule.score(draft, { messages: [{ role: 'assistant', content }], stopReason: 'stop' });
    if (!verdict.success) {
      throw new TaskFault(
        'gold',
        l10n.t('BFCL’s checker refuses the gold itself, {0}: {1}', content, verdict.note ?? 'wrong'),
      );
    }
    refuseUngrounded(questionOf(draft), calls, specs);
  }

  wording(task: Pick<Task, 'prompt'>): string {
    return questionOf(task);
  }

  key({ gold }: Pick<Task, 'gold'>): string | null {
    if (gold === null) return null;
    const asked = callsOf(gold).map(({ name, arguments: given }) => {
      const values = Array.from(given, ([parameter, value]) => `${parameter}=${jsonText(value).toLowerCase()}`);
      return `${name}(${values.toSorted().join(',')})`;
    });
    return asked.toSorted().join('\n');
  }

  fingerprint(task: Pick<Task, 'prompt' | 'evaluation'>): string {
    const { function: functions } = specOf(task);
    return JSON.stringify([plainWords(questionOf(task)), functions]);
  }
}

function specOf({ evaluation }: Pick<Task, 'evaluation'>): z.infer<typeof specSchema> {
  return inForm(evaluation, specSchema, 'evaluation');
}

/** The seed's instruction to the agent, up to the functions that follow. */
function instructionOf({ prompt }: Pick<Task, 'prompt'>): string {
  const said = prompt.find(({ role }) => role === 'system')?.content ?? '';
  const end = said.indexOf('\n\n[');
  return end <= 0 ? instruction : said.slice(0, end);
}

function refuseCount(wanted: 'one' | 'several', count: number, what: string, category: string): void {
  if (wanted === 'one' ? count === 1 : count > 1) return;
  throw new TaskFault(
    'schema',
    l10n.t(
      '{0} has {1} {2}, not {3}',
      category,
      wanted === 'one' ? l10n.t('one') : l10n.t('more than one'),
      what,
      count,
    ),
  );
}

/**
 * A value that the conversation does not give must follow from the parameter itself: a choice, its default, its
 * description. @throws TaskFault `gold`
 */
function refuseUngrounded(question: string, calls: readonly WrittenCall[], specs: readonly FunctionSpec[]): void {
  const said = new Said(question);
  for (const { name, arguments: given } of calls) {
    const properties = specs.find((one) => one.name === name)?.parameters.properties ?? {};
    for (const [parameter, value] of given) {
      const { enum: choices, default: usual, description = '' } = properties[parameter] ?? {};
      const known = [...(choices ?? []), ...(usual === undefined ? [] : [usual])];
      const plain = JSON.stringify(plainValue(value));
      if (known.some((one) => JSON.stringify(one) === plain) || said.says(value)) continue;
      if (new Said(description).says(value)) continue;
      throw new TaskFault(
        'gold',
        l10n.t('the question does not give {0} = {1} of {2}', parameter, jsonText(value), name),
      );
    }
  }
}
