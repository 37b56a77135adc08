/** How a record becomes a task. */
import * as z from 'zod';
import { sourceSchema } from './source.ts';

const messageSource = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']).describe('Who says it.'),
  content: sourceSchema.describe('What is said: a Jinja template, or a JSON pointer to the whole text.'),
});
const conversationSource = z.strictObject({
  messages: z.string().startsWith('/').describe('JSON pointer to a list of messages that the record holds itself.'),
});

const pointer = z.string().startsWith('/');

const toolsSchema = z.strictObject({
  each: pointer.describe('JSON pointer to the list of functions: /record/function.'),
  name: pointer.describe('In each of them, where its name stands: /name.'),
  description: pointer.describe('In each of them, where it is described: /description.'),
  parameters: pointer.describe('In each of them, where the schema of its parameters stands: /parameters.'),
  types: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Names of types that are not JSON Schema’s, and what they are there: {"dict": "object"}; "" is any type.',
    ),
});
export type ToolsMapping = z.infer<typeof toolsSchema>;

export const mappingSchema = z.strictObject({
  id: sourceSchema.describe('What the task is called: unique, without spaces and slashes.'),
  prompt: z
    .array(z.union([messageSource, conversationSource]))
    .min(1)
    .describe('What the agent reads, turn by turn.'),
  tools: toolsSchema.optional().describe('The functions that the agent may call.'),
  gold: sourceSchema
    .nullable()
    .describe('The reference answer. What is no text keeps its own JSON, so that 5 and 5.0 stay different.'),
  family: sourceSchema.optional().describe('Tasks of one family are variations of one task.'),
  category: sourceSchema.optional().describe('What scores are reported by.'),
  evaluation: z
    .record(z.string().regex(/^(?!kind$|answer$|category$)\w+$/), sourceSchema)
    .optional()
    .describe('Further values of each record for the scorer: {"accept": "/record/aliases"}.'),
  verbatim: z
    .record(z.string().regex(/^(?!kind$|answer$|category$)\w+$/), pointer)
    .optional()
    .describe('The same as the JSON text that stands there, for scorers to which 5 and 5.0 are different.'),
});
export type AdapterMapping = z.infer<typeof mappingSchema>;
