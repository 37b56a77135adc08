import { parseOrUndefined } from '../../../shared/json.ts';

const mark = ',"generation":';

/**
 * A recorded task's JSON without what the environment policy generated, which is most of it and is written last; all of
 * it where it is written otherwise. Undefined for what is no JSON. The mark's quotes would be escaped inside a text.
 */
export function withoutGeneration(json: string): unknown {
  const at = json.indexOf(mark);
  // Cut inside another object it is no JSON any more.
  return (at === -1 ? undefined : parseOrUndefined(`${json.slice(0, at)}}`)) ?? parseOrUndefined(json);
}
