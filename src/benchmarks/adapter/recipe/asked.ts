/** The environment policy's prompt by a recipe: its templates over the seed, α and the fate of earlier texts. */
import type { GenerationContext } from '../../../engine/ports.ts';
import type { AdapterRecipeSpec, RecipeField, RecipeForm } from '../../../shared/adapters/recipe.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import { difficulty } from '../../recipes/asking.ts';
import { questionOf } from '../../recipes/recipe.ts';
import { compileTemplate } from '../template.ts';
import { labelOf } from './writtenRecord.ts';

/** @throws RecordFault where a template names what this seed does not have, or cannot be carried out */
export function askedBy({ prompt, form }: AdapterRecipeSpec, context: GenerationContext): Message[] {
  const scope = { values: valuesOf(context, form), texts: new Map<string, string>() };
  return prompt.map(({ role, content }) => ({ role, content: compileTemplate(content).render(scope) }));
}

/** The variables of a prompt's templates, by name. */
function valuesOf(
  { seed, target, recentSuccess, lineage = [], rejected = [] }: GenerationContext,
  form: RecipeForm,
): Record<string, unknown> {
  return {
    ...{ seed: toldOf(seed), target, recentSuccess, difficulty: difficulty({ target, recentSuccess }) },
    ...{ lineage, rejected, form: formText(form) },
  };
}

const toldOf = (seed: Task) => ({
  ...{ id: seed.id, question: questionOf(seed), gold: seed.gold ?? '', tools: seed.tools ?? [] },
  category: typeof seed.evaluation['category'] === 'string' ? seed.evaluation['category'] : '',
  prompt: seed.prompt.map(({ role, content }) => ({ role, content })),
  ...{ evaluation: seed.evaluation, complexity: seed.complexity },
});

const kinds: Readonly<Record<RecipeField['kind'], string>> = {
  text: 'a text',
  number: 'a number',
  whole: 'a whole number',
  boolean: 'true or false',
  list: 'a list of texts',
  json: 'a JSON value',
};
const inSections: Readonly<Partial<Record<RecipeField['kind'], string>>> = {
  boolean: 'yes or no',
  list: 'a list, one entry a line',
};

/** The form for the environment: what to answer with, then a line a field. */
function formText({ kind, fields }: RecipeForm): string {
  const lines = Object.entries(fields).map(([name, field]) => {
    const of = kind === 'json' ? kinds[field.kind] : (inSections[field.kind] ?? kinds[field.kind]);
    const about = field.about === undefined ? '' : `: ${field.about}`;
    const label = kind === 'json' ? `"${name}"` : labelOf(name, field);
    return `${label} ${of}${about}${field.optional === true ? ' (may be left out)' : ''}`;
  });
  const head =
    kind === 'json'
      ? 'Answer with one JSON object and nothing else. Its members:'
      : 'Answer with these sections and nothing else, each begun by its label at the start of a line:';
  return [head, ...lines].join('\n');
}
