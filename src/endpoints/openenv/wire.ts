/** Messages of an OpenEnv server, validated where they arrive (shared/protocols: one session is one WebSocket at `/ws`). */
import * as z from 'zod';

const reward = z
  .union([z.number(), z.boolean().transform(Number)])
  .nullish()
  .transform((given) => given ?? null);

const observationSchema = z.object({
  type: z.literal('observation'),
  data: z.object({ observation: z.record(z.string(), z.unknown()), reward, done: z.boolean() }),
});

const errorSchema = z.object({
  type: z.literal('error'),
  data: z.object({
    message: z.string(),
    code: z.string(),
    /** Of a message that does not validate: pydantic's list. */
    errors: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).catch([]),
    /** Of a server that is full. */
    max_sessions: z.int().positive().nullable().catch(null),
  }),
});

const rpcSchema = z.object({
  type: z.literal('mcp'),
  data: z.object({
    result: z.record(z.string(), z.unknown()).nullish(),
    error: z.object({ code: z.int(), message: z.string() }).nullish(),
  }),
});

export const messageSchema = z.discriminatedUnion('type', [observationSchema, errorSchema, rpcSchema]);
export type ServerMessage = z.infer<typeof messageSchema>;
export type ServerError = z.infer<typeof errorSchema>['data'];

const parameters = z.record(z.string(), z.unknown());

/** Of `tools/list`: MCP's own spelling, and that of servers which write their lists themselves. */
export const toolsSchema = z.object({
  tools: z.array(
    z
      .object({
        name: z.string().min(1),
        description: z.string().nullish(),
        inputSchema: parameters.optional(),
        input_schema: parameters.optional(),
      })
      .transform(({ name, description, inputSchema, input_schema }) => ({
        ...{ name, description: description ?? '' },
        parameters: inputSchema ?? input_schema ?? { type: 'object', properties: {} },
      })),
  ),
});

const jsonSchema = z.record(z.string(), z.unknown());

/** `GET /schema`. */
export const schemasSchema = z.object({ action: jsonSchema, observation: jsonSchema });
export type Schemas = z.infer<typeof schemasSchema>;

/** `GET /metadata`. */
export const metadataSchema = z.object({
  name: z.string().min(1),
  description: z.string().catch(''),
  version: z.string().nullable().catch(null),
});
export type Metadata = z.infer<typeof metadataSchema>;

/** The text of an error, with the fields that it names. */
export function saidIn({ message, errors }: ServerError): string {
  const fields = errors.slice(0, 5).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  return (fields.length === 0 ? message : `${message}: ${fields.join('; ')}`).slice(0, 1000);
}
