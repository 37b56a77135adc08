/** A span, and its form in OTLP's JSON (opentelemetry-proto 1.x: ids in hexadecimal, 64-bit numbers as texts). */
import { sha256 } from '../../runs/files/sha256.ts';

type Value = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, Value | undefined>>;

export interface Span {
  trace: string;
  id: string;
  /** Null for the root of a trace. */
  parent: string | null;
  name: string;
  /** `client`: a request to a server. */
  kind: 'internal' | 'client';
  /** Milliseconds since the Unix epoch. */
  start: number;
  end: number;
  attributes: Attributes;
  events?: readonly { name: string; at: number; attributes: Attributes }[];
  /** Why it failed; absent where it did not. */
  error?: string;
}

const digest = (parts: readonly (string | number)[], bytes: number): string =>
  sha256(JSON.stringify(parts)).slice(0, 2 * bytes);

/** One trace an epoch. The same of every process that works on the run, so that a resumed one carries the tree on. */
export const traceIdOf = (run: string, epoch: number): string => digest(['genenv', run, epoch], 16);

/** @param parts what tells a span from all others of its run */
export const spanIdOf = (run: string, ...parts: readonly (string | number)[]): string =>
  digest(['genenv', run, ...parts], 8);

const kinds = { internal: 1, client: 3 } as const;
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)}000`;

export function spanJson(span: Span): string {
  const { events, error } = span;
  return JSON.stringify({
    traceId: span.trace,
    spanId: span.id,
    ...(span.parent !== null && { parentSpanId: span.parent }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.start),
    endTimeUnixNano: nanoseconds(Math.max(span.start, span.end)),
    attributes: attributesJson(span.attributes),
    ...(events !== undefined && {
      events: events.map(({ name, at, attributes }) => ({
        ...{ timeUnixNano: nanoseconds(at), name, attributes: attributesJson(attributes) },
      })),
    }),
    ...(error !== undefined && { status: { code: 2, message: error } }),
  });
}

export const attributesJson = (attributes: Attributes): unknown[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: valueJson(key, value) }],
  );

/** Whole ones are no integers either: a column has one type. */
const doubles: ReadonlySet<string> = new Set([
  ...['gen_ai.request.temperature', 'gen_ai.evaluation.score.value'],
  ...['genenv.reward', 'genenv.success_rate', 'genenv.environment_reward'],
]);

function valueJson(key: string, value: Value): unknown {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !doubles.has(key) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}
