import { adapterSchema, type Adapter } from '../../../src/shared/adapters/schema.ts';
import type { AdapterRecipeSpec } from '../../../src/shared/adapters/recipe.ts';
import { sampleAdapter } from './sampleAdapter.ts';

/** How an environment writes quiz questions. */
export const quizRecipe = (over: { [K in keyof AdapterRecipeSpec]?: unknown } = {}): unknown => ({
  prompt: [
    { role: 'system', content: 'You write quiz questions. {{ form }}' },
    {
      role: 'user',
      content:
        '{{ seed.question }} ({{ seed.gold }}). {{ difficulty }}' +
        '{% for one in rejected %} Not again: {{ one.count }} × {{ one.cause }} {{ one.note }}.{% endfor %}' +
        '{% for one in lineage %} Epoch {{ one.epoch }}: {{ one.successRate }}.{% endfor %}',
    },
  ],
  form: {
    kind: 'json',
    fields: { question: { kind: 'text', about: 'one sentence' }, answer: { kind: 'text' } },
  },
  checks: [
    { kind: 'words', field: 'question', least: 3, most: 12 },
    { kind: 'pattern', field: 'question', pattern: '\\?$', why: 'the question does not end with “?”' },
    { kind: 'unsaid', field: 'answer', in: 'question' },
  ],
  splits: { base: ['train'], heldOut: ['test'] },
  ...over,
});

/** Over `train.jsonl` and `test.jsonl` beside it, with a recipe. */
export const quizAdapter = (over: { [K in keyof Adapter]?: unknown } = {}): Adapter =>
  adapterSchema.parse({
    ...sampleAdapter(),
    name: 'quiz',
    data: {
      folder: '.',
      obtain: 'Ask its authors.',
      format: 'jsonl',
      splits: { train: { files: ['train.jsonl'] }, test: { files: ['test.jsonl'] } },
    },
    recipe: quizRecipe(),
    ...over,
  });
