/** API-Bank as ToolRL scores it: JSON lines between tags against one answer. */
import { parseJson } from '../python/json.ts';
import { afterLast, beforeFirst, strip } from '../python/text.ts';
import { equal, type PythonValue } from '../python/value.ts';

/** The call that a model should have made. */
export interface ToolAnswer {
  name: PythonValue;
  parameters: PythonValue;
}

/** The calls in a model's text: each line of JSON after the last `<tool_call>`, or of the whole without one. */
export function extractCalls(modelText: string): PythonValue[] {
  const inside = strip(beforeFirst(afterLast(strip(modelText), '<tool_call>'), '</tool_call>'));
  return inside.split('\n').flatMap((line) => {
    const call = jsonOf(line);
    return call === undefined ? [] : [call];
  });
}

/** 1 when some call is the answer, else 0. A call that cannot be looked at ends the search: later ones do not count. */
export function scoreCalls(calls: readonly PythonValue[], answer: ToolAnswer): number {
  for (const call of calls) {
    const read = typeof call === 'string' ? jsonOf(call) : call;
    const given = read === undefined ? null : nameAndParameters(read, answer);
    if (given === null) return 0;
    if (equal(given.name, answer.name) && equal(given.parameters, answer.parameters)) return 1;
  }
  return 0;
}

/**
 * A call without a name or parameters counts as parameters as a whole, and its name as right. Null when Python's `in`
 * or `[]` has no meaning there: texts and lists may contain the words, but have no such members.
 */
function nameAndParameters(call: PythonValue, answer: ToolAnswer): ToolAnswer | null {
  if (call instanceof Map) {
    const [name, parameters] = [call.get('name'), call.get('parameters')];
    if (name === undefined || parameters === undefined) return { name: answer.name, parameters: call };
    return { name, parameters };
  }
  if (typeof call !== 'string' && !Array.isArray(call)) return null;
  return call.includes('name') && call.includes('parameters') ? null : { name: answer.name, parameters: call };
}

function jsonOf(text: string): PythonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
