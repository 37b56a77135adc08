/** A benchmark adapter, `*.adapter.json`: where the data lies, how a record becomes a task, how an answer is scored. */
import * as z from 'zod';
import { answerSchema } from './answer.ts';
import { dataSchema } from './data.ts';
import { mappingSchema } from './mapping.ts';
import { adapterRecipeSchema } from './recipe.ts';
import { scorerSchema } from './scorer.ts';

export const adapterSchema = z.strictObject({
  version: z.literal(1).describe('Of this format.'),
  name: z.string().min(1).describe('What it is called in lists and charts.'),
  description: z.string().optional().describe('What the benchmark asks, and whose it is.'),
  data: dataSchema.describe('Where its records lie.'),
  task: mappingSchema.describe('How a record becomes a task.'),
  answer: answerSchema,
  scorer: scorerSchema,
  recipe: adapterRecipeSchema
    .optional()
    .describe('How an environment policy writes new tasks: with it, an experiment may name this file in domain.file.'),
});
export type Adapter = z.infer<typeof adapterSchema>;
