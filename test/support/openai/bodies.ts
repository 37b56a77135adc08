/** Bodies that the fake servers read. */
import * as z from 'zod';

const text = z.string().nullish();

export const bodySchema = z.looseObject({
  model: z.string(),
  n: z.int().default(1),
  seed: z.int().default(0),
  max_tokens: z.int(),
  temperature: z.number().default(1),
  top_logprobs: z.int().default(0),
  messages: z.array(z.looseObject({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: text })).optional(),
  prompt: z.union([z.string().transform((given) => given.split(' ').map((_, i) => i)), z.array(z.int())]).optional(),
  stop: z.array(z.string()).optional(),
  tools: z.array(z.object({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) })).optional(),
  return_token_ids: z.boolean().default(false),
  prompt_logprobs: z.int().optional(),
  stream: z.boolean().default(false),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional(),
});
export type Body = z.infer<typeof bodySchema>;

export const generateSchema = z.object({
  text: z.string(),
  sampling_params: z.object({ temperature: z.number(), max_new_tokens: z.int() }),
  return_logprob: z.literal(true),
  logprob_start_len: z.literal(0),
  lora_path: z.string().optional(),
});

/** A schema that leaves one text open for each property. */
const shapeSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), z.object({ enum: z.array(z.string()).min(1) })),
});
const ways = z.object({
  response_format: z
    .object({ type: z.literal('json_schema'), json_schema: z.object({ schema: shapeSchema }) })
    .optional(),
  structured_outputs: z.object({ json: shapeSchema }).optional(),
  guided_json: shapeSchema.optional(),
  json_schema: shapeSchema.optional(),
});

/** The only object that a body's schema allows. */
export function schemaIn(body: Body, way: string): Record<string, string | undefined> {
  const read = ways.parse(body);
  const schema =
    way === 'response_format'
      ? read.response_format?.json_schema.schema
      : way === 'structured_outputs'
        ? read.structured_outputs?.json
        : way === 'guided_json'
          ? read.guided_json
          : read.json_schema;
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(
      ([
        name,
        {
          enum: [only],
        },
      ]) => [name, only],
    ),
  );
}
