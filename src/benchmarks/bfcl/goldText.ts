/** Expected calls as a model would write them, so that the official decoder and checker find them right. */
import type { Call } from './call.ts';
import type { ExpectedCall, FunctionDocument } from './checker.ts';
import { floatRepr, repr, str } from './python/text/repr.ts';
import { Dict, type Value } from './python/value.ts';
import type { Language } from './decoders/language.ts';

/** The whole answer. What no text can say (the entries of a Java map) is wrong, as for every model. */
export function goldText(
  expected: readonly ExpectedCall[],
  functions: readonly FunctionDocument[],
  language: Language,
): string {
  return textOfCalls(quoted(rightCalls(expected, functions, language), language), language);
}

/**
 * In Java and JavaScript a value is its source text, and one in quotes what stands between them: so is an array said whose
 * elements are no Java.
 */
export function quoted(calls: readonly Call[], language: Language): readonly Call[] {
  if (language === 'python') return calls;
  return calls.map(({ name, parameters }) => ({
    name,
    parameters: Dict.of(
      Array.from(parameters, ([key, value]) => [
        key,
        typeof value === 'string' && isSaidInQuotes(value, language) ? `"${value}"` : value,
      ]),
    ),
  }));
}

function isSaidInQuotes(value: string, language: Language): boolean {
  if (/["\\\n]/.test(value)) return false;
  if (language === 'java' && value.startsWith('new Object[]')) return !/^new Object\[\]\{[\w.\s,-]*\}$/.test(value);
  return !/^(new |\[|\{)/.test(value);
}

/** Calls that give every expected one its first acceptable values, and leave out what may be. */
export function rightCalls(
  expected: readonly ExpectedCall[],
  functions: readonly FunctionDocument[],
  language: Language,
): Call[] {
  return expected.map(({ name, parameters }) => {
    const document = functions.find((one) => one.name === name) ?? functions[0];
    const given = new Dict();
    for (const [parameter, answers] of parameters) {
      const details = document?.properties.get(parameter);
      const isRequired = document?.required.includes(parameter) === true;
      const empty = details instanceof Dict && details.get('type') === 'array' ? [] : '';
      const answer = answers.find((one) => one !== '') ?? (isRequired ? empty : undefined);
      // Some answers name what their function's document does not: that may be left out.
      if (answer === undefined || details === undefined) continue;
      given.set(parameter, language === 'python' ? plain(answer) : sourceOf(plain(answer), details, language));
    }
    return { name: document?.name ?? name, parameters: given };
  });
}

/** Dicts hold lists of acceptable values. */
function plain(answer: Value): Value {
  if (Array.isArray(answer)) return answer.map(plain);
  if (!(answer instanceof Dict)) return answer;
  return Dict.of(
    Array.from(answer).flatMap(([key, values]): [Value, Value][] => {
      const value = Array.isArray(values) ? values.find((one) => one !== '') : values;
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function sourceOf(value: Value, details: Value, language: 'java' | 'javascript'): Value {
  const type = details instanceof Dict ? str(details.get('type') ?? null) : '';
  const items = details instanceof Dict ? details.get('items') : undefined;
  const elements = items instanceof Dict ? str(items.get('type') ?? null) : '';
  return language === 'java' ? java(value, type, elements) : javascript(value, type);
}

function java(value: Value, type: string, elements: string): string {
  if (Array.isArray(value)) {
    const parts = value.map((one) => javaElement(one, type, elements));
    return type === 'ArrayList'
      ? `new ArrayList<>(Arrays.asList(${parts.join(', ')}))`
      : `new Object[]{${parts.join(', ')}}`;
  }
  if (value instanceof Dict) {
    const entries = Array.from(
      value,
      ([key, one]) => `put("${str(key)}", ${typeof one === 'string' ? `"${one}"` : java(one, '', '')});`,
    );
    return `new HashMap<String, Object>() {{ ${entries.join(' ')} }}`;
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `${floatRepr(value)}${type === 'float' ? 'f' : ''}`;
  return `${word(value)}${type === 'long' ? 'L' : ''}`;
}

/** Of an array, texts are compared with their quotes; of a list, without. */
function javaElement(value: Value, type: string, elements: string): string {
  if (typeof value !== 'string') return java(value, elements, '');
  return type === 'ArrayList' && (elements === 'String' || elements === 'char') ? `"${value}"` : value;
}

function javascript(value: Value, type: string): string {
  if (Array.isArray(value))
    return `[${value.map((one) => (typeof one === 'string' ? `"${one}"` : javascript(one, ''))).join(', ')}]`;
  if (value instanceof Dict) {
    return `{${Array.from(value, ([key, one]) => `"${str(key)}": ${typeof one === 'string' ? `"${one}"` : javascript(one, '')}`).join(', ')}}`;
  }
  if (typeof value === 'string') return value;
  return `${typeof value === 'number' ? floatRepr(value) : word(value)}${type === 'Bigint' ? 'n' : ''}`;
}

/** As a model writes them. */
export function textOfCalls(calls: readonly Call[], language: Language): string {
  const written = (value: Value): string => (language === 'python' || typeof value !== 'string' ? repr(value) : value);
  return `[${calls
    .map(({ name, parameters }) => {
      const given = Array.from(parameters, ([key, value]) => `${str(key)}=${written(value)}`);
      return `${name}(${given.join(', ')})`;
    })
    .join(', ')}]`;
}

/** As both languages write what is neither text nor float. */
const word = (value: Value): string => (typeof value === 'boolean' ? JSON.stringify(value) : str(value));
