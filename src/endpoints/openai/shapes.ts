/** Answers that must have a form: how servers are asked for one by a JSON Schema. */
import type { ResponseFormatJSONSchema } from 'openai/resources/shared';

/** The ways that exist; newer servers of a kind know the first. */
export type ShapeWay = 'response_format' | 'structured_outputs' | 'guided_json' | 'json_schema';

export interface Shape {
  way: ShapeWay;
  /** JSON Schema. */
  schema: Record<string, unknown>;
}

export interface ShapeFields {
  response_format?: ResponseFormatJSONSchema;
  /** vLLM. */
  structured_outputs?: { json: Record<string, unknown> };
  /** vLLM before that. */
  guided_json?: Record<string, unknown>;
  /** llama.cpp, which makes a grammar of it. */
  json_schema?: Record<string, unknown>;
}

export function shapeFields({ way, schema }: Shape): ShapeFields {
  const fields: Record<ShapeWay, ShapeFields> = {
    response_format: {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    },
    structured_outputs: { structured_outputs: { json: schema } },
    guided_json: { guided_json: schema },
    json_schema: { json_schema: schema },
  };
  return fields[way];
}
