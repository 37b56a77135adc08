/** The fields of an adapter with a recipe that do the work of a domain file's functions. */
import { readJson, type Path } from '../../../shared/experiment/text/jsonText.ts';
import { isObject } from '../../../shared/experiment/resolve.ts';

const fields: readonly (readonly [string, Path])[] = [
  ['agentPrompt', ['task']],
  ['verify', ['scorer']],
  ['judge', ['scorer']],
  ['environmentPrompt', ['recipe', 'prompt']],
  ['parse', ['recipe', 'form']],
  // Where no split is named, at “recipe”.
  ['seeds', ['recipe', 'splits']],
];

/** Lines, from 0, of these fields, by the function's name; empty without a recipe, and while the text is no JSON. */
export function adapterFunctions(text: string): Map<string, number> {
  const reading = readJson(text, '');
  if (!reading.ok || !isObject(reading.json.value) || !isObject(reading.json.value['recipe'])) return new Map();
  const { placeOfName } = reading.json;
  return new Map(fields.map(([name, path]) => [name, placeOfName(path).line - 1]));
}
