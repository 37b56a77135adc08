/** Calls as JSON, in function calling mode. */
import { parseJson } from '../python/json.ts';
import { strip } from '../python/text.ts';
import { Dict, fromJson, type Value } from './python/value.ts';

/** The calls between the last `<tool_call>` and the `</tool_call>` after it, as ToolRL's handler reads them: a line each. */
export function taggedCalls(text: string): Value[] {
  const start = text.lastIndexOf('<tool_call>');
  if (start === -1) return [];
  const [inside = ''] = text.slice(start + '<tool_call>'.length).split('</tool_call>');
  return inside.split('\n').flatMap((line) => {
    const call = jsonOf(strip(line));
    if (!(call instanceof Dict)) return [];
    const [name, parameters] = [call.get('name'), call.get('parameters') ?? call.get('arguments')];
    if (typeof name !== 'string' || name.toLowerCase() === 'none' || parameters === undefined) return [];
    return [Dict.of([[name, parameters]])];
  });
}

/** Undefined for what is no JSON. */
export function jsonOf(text: string): Value | undefined {
  try {
    return fromJson(parseJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
