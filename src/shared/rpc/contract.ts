/**
 * The messages between the two sides of a wire (host and webview): values that carry the schemas both sides check with,
 * so that sender and handler cannot disagree. One contract file a view, in `src/shared/views`.
 */
import type * as z from 'zod';

/** A question with one answer. */
export interface RequestType<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: P;
  readonly result: R;
}

/** A message without an answer. */
export interface EventType<P extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: P;
}

export const request = <P extends z.ZodType, R extends z.ZodType>(
  name: string,
  params: P,
  result: R,
): RequestType<P, R> => ({ name, params, result });

export const event = <P extends z.ZodType>(name: string, params: P): EventType<P> => ({ name, params });
