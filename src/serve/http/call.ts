/** One request as a route sees it. */
import * as z from 'zod';
import { Refusal } from './refusal.ts';

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The path parameters of the route, decoded. */
  parameters: readonly string[];
  /** Aborted when the client goes away or the server closes. */
  signal: AbortSignal;
}

export const isProtobuf = (type: string | undefined): boolean =>
  type !== undefined && /application\/(x-)?protobuf/.test(type);

/** The JSON body, checked. @throws Refusal 400 when it is none, 422 when it does not fit */
export function jsonBody<T>(call: Call, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = call.body.length === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(call.body));
  } catch (cause) {
    throw new Refusal(400, `The body is not JSON: ${String(cause)}.`);
  }
  return checked(schema, value, 'body');
}

/** Numbers of a query: `?limit=20&offset=0`. @throws Refusal 422 */
export function page(call: Call): { limit: number; offset: number } {
  const count = z.coerce.number().int().min(0);
  const schema = z.object({ limit: count.max(1000).default(20), offset: count.default(0) });
  const asked = Object.fromEntries(['limit', 'offset'].map((name) => [name, call.query.get(name) ?? undefined]));
  return checked(schema, asked, 'query');
}

function checked<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const fields = read.error.issues.map(({ path, message, code }) => ({
    loc: [place, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    msg: message,
    type: code,
  }));
  throw new Refusal(422, z.prettifyError(read.error), { fields });
}
