/** Initial values of a recipe, and of each kind of its checks, when added in the form. */
import type { AdapterRecipeSpec, RecipeCheck } from './recipe.ts';

/** @param splits of the adapter, in its order: the first is varied, the last held out */
export function recipeStart(splits: readonly string[]): AdapterRecipeSpec {
  const [first, ...more] = splits;
  const last = more.at(-1);
  return {
    prompt: [
      {
        role: 'system',
        content:
          'You write new tasks for an agent, each a variation of a seed task: other facts, names and numbers, or another ' +
          'thing asked for, never the seed again in other words.\n\n{{ form }}',
      },
      {
        role: 'user',
        content:
          '{{ seed.question }}\nAnswer: {{ seed.gold }}\n\n{{ difficulty }}' +
          '{% for one in rejected %}{% if one.note %}\nNot again: {{ one.note }}.{% endif %}{% endfor %}',
      },
    ],
    form: { kind: 'json', fields: { question: { kind: 'text' }, answer: { kind: 'text' } } },
    checks: [{ kind: 'unsaid', field: 'answer', in: 'question' }],
    ...(first !== undefined && { splits: { base: [first], ...(last !== undefined && { heldOut: [last] }) } }),
  };
}

/** Every kind, in the order of a list. @param field that it begins with */
export const checkStarts = (field: string): Readonly<Record<string, RecipeCheck>> => ({
  words: { kind: 'words', field, least: 3, most: 60 },
  range: { kind: 'range', field, least: 0, most: 1000 },
  'one-of': { kind: 'one-of', field, values: ['yes', 'no'] },
  pattern: { kind: 'pattern', field, pattern: '\\?$' },
  said: { kind: 'said', field, in: field },
  unsaid: { kind: 'unsaid', field, in: field },
  new: { kind: 'new', field },
});
