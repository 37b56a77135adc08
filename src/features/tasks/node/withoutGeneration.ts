import { parseOrUndefined } from '../../../shared/json.ts';

const mark = ',"generation":';

/**
 * A recorded task's JSON without the environment policy's text, which is most of it and written last; the whole JSON
 * where the order differs. Undefined for invalid JSON. The mark's quotes would be escaped inside a text.
 */
export function withoutGeneration(json: string): unknown {
  const at = json.indexOf(mark);
  // Cut inside another object, the rest is invalid JSON.
  return (at === -1 ? undefined : parseOrUndefined(`${json.slice(0, at)}}`)) ?? parseOrUndefined(json);
}
