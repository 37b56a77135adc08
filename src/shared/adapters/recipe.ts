/** How an environment policy writes new records of an adapter: its prompt, the form of its text, what is checked. No code. */
import * as z from 'zod';

const name = z.string().regex(/^[A-Za-z_]\w{0,59}$/);
const fieldName = name.describe('A field of the form.');

const turnSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']).describe('Who says it.'),
  content: z
    .string()
    .min(1)
    .describe(
      'A Jinja template over seed (question, gold, category, prompt, evaluation, complexity), target (α), recentSuccess ' +
        '(0 to 1, or none), difficulty (both as a sentence), lineage (epoch, successRate of the seed’s earlier families), ' +
        'rejected (cause, count, note of texts that became no task) and form (the form below, as a sentence).',
    ),
});

const fieldSchema = z.strictObject({
  kind: z
    .enum(['text', 'number', 'whole', 'boolean', 'list', 'json'])
    .describe('text, number, whole (number), boolean, list (of texts), json (any value; in a JSON object alone).'),
  about: z.string().min(1).optional().describe('What it holds, for the environment: a clause.'),
  at: z
    .string()
    .startsWith('/')
    .optional()
    .describe('Where it stands for the task’s sources, a JSON pointer; /record and its own name without one.'),
  label: z.string().min(1).max(100).optional().describe('In sections, what it begins with; its own name without one.'),
  optional: z.boolean().optional().describe('Whether it may be left out (default: no).'),
});
export type RecipeField = z.infer<typeof fieldSchema>;

const formSchema = z.strictObject({
  kind: z
    .enum(['json', 'sections'])
    .describe('json: one JSON object, whatever stands around it. sections: “Label: …”, each on a line of its own.'),
  fields: z.record(name, fieldSchema).describe('What the environment writes, by name.'),
});
export type RecipeForm = z.infer<typeof formSchema>;

const least = z.number().optional();
const checkSchema = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('words'),
        field: fieldName,
        least: least.describe('The fewest words.'),
        most: least.describe('The most words.'),
      })
      .describe('How many words a text has.'),
    z
      .strictObject({
        kind: z.literal('range'),
        field: fieldName,
        least: least.describe('The smallest number.'),
        most: least.describe('The largest number.'),
      })
      .describe('How large a number is, or how many entries a list has.'),
    z
      .strictObject({
        kind: z.literal('one-of'),
        field: fieldName,
        values: z
          .array(z.union([z.string(), z.number(), z.boolean()]))
          .min(1)
          .max(1000)
          .describe('What it may be.'),
      })
      .describe('One of some values.'),
    z
      .strictObject({
        kind: z.literal('pattern'),
        field: fieldName,
        pattern: z.string().min(1).max(1000).describe('A JavaScript regular expression, tried for at most 5 seconds.'),
        flags: z
          .string()
          .regex(/^[imsu]{0,4}$/)
          .optional()
          .describe('i, m, s, u.'),
        matches: z.boolean().optional().describe('Whether it has to match (default) or must not.'),
        why: z.string().min(1).optional().describe('What is wrong where it does not hold: a clause.'),
      })
      .describe('Whether a text matches a regular expression.'),
    z
      .strictObject({
        kind: z.literal('said'),
        field: fieldName,
        in: fieldName.describe('The field that has to say it.'),
      })
      .describe(
        'Its value is said in another field: numbers in digits or words, of a text more than half of the words.',
      ),
    z
      .strictObject({
        kind: z.literal('unsaid'),
        field: fieldName,
        in: fieldName.describe('The field that must not say it.'),
      })
      .describe('Its words do not stand in another field: a question that says its answer.'),
    z
      .strictObject({ kind: z.literal('new'), field: fieldName })
      .describe('Its words are not those of the seed’s question or gold.'),
  ])
  .describe('What has to be true of the fields; a text that fails one is rejected with the reason.');
export type RecipeCheck = z.infer<typeof checkSchema>;

export const adapterRecipeSchema = z.strictObject({
  prompt: z.array(turnSchema).min(1).max(20).describe('What the environment policy reads, turn by turn.'),
  form: formSchema.describe(
    'The form of what it writes: a new record, from which task, answer and scorer make a task.',
  ),
  checks: z.array(checkSchema).max(50).optional().describe('What has to be true of it, one after another.'),
  difficulty: z
    .record(name, z.string().min(1))
    .optional()
    .describe(
      'Numbers by name, for charts: templates over the record, {"words": "{{ record.question.split() | length }}"}.',
    ),
  agreement: z
    .boolean()
    .optional()
    .describe('Whether independent answers have to agree with the gold, because nothing executes it (default: no).'),
  splits: z
    .strictObject({
      base: z.array(z.string()).min(1).describe('Splits whose tasks are varied, and trained on as they are.'),
      heldOut: z.array(z.string()).min(1).optional().describe('Splits whose tasks are only measured on.'),
    })
    .optional()
    .describe('Where the tasks come from, where an experiment names no task files.'),
});
export type AdapterRecipeSpec = z.infer<typeof adapterRecipeSchema>;
