/** The parts of a line of `genenv score bfcl`. */
import { CaseError } from '../offline/offlineScorer.ts';
import { LineCase, text, type Case } from '../offline/pythonCase.ts';
import { isRecord } from '../python/quickJson.ts';
import type { ExpectedCall, FunctionDocument } from './checker.ts';
import type { Language } from './decode.ts';
import { str } from './python/repr.ts';
import { Dict, fromJson, type Value } from './python/value.ts';

const languages: readonly Language[] = ['python', 'java', 'javascript'];

/** @throws CaseError */
export function language(of: Case): Language {
  const given = text(of, 'language').toLowerCase();
  const found = languages.find((one) => one === given);
  if (found === undefined) throw new CaseError('form', 'language', `must be ${languages.join(', ')}`);
  return found;
}

/** A list of function documents, or one. @throws CaseError */
export function functionDocuments(of: Case): FunctionDocument[] {
  if (!(of instanceof LineCase)) return exactDocuments(of);
  const plain = of.plain('function');
  const found = (Array.isArray(plain) ? plain : [plain]).map((document, at) => quickDocument(document, of, at));
  return found.every((one) => one !== null) ? found : exactDocuments(of);
}

/** Most of a line is what no check looks at: only parameters that are asked for are read. Null where something is amiss. */
function quickDocument(document: unknown, of: LineCase, at: number): FunctionDocument | null {
  const parameters = isRecord(document) ? own(document, 'parameters') : undefined;
  const properties = isRecord(parameters) ? own(parameters, 'properties') : undefined;
  const name = isRecord(document) ? own(document, 'name') : undefined;
  if (typeof name !== 'string' || !isRecord(parameters) || !isRecord(properties)) return null;
  const known = new Map<string, Value>();
  return {
    name,
    required: textsOf(own(parameters, 'required')),
    properties: {
      get(key) {
        if (typeof key !== 'string' || !Object.hasOwn(properties, key)) return undefined;
        const value = of.pythonValue(properties[key]);
        const found =
          known.get(key) ?? (value === undefined ? exactDocuments(of)[at]?.properties.get(key) : fromJson(value));
        if (found !== undefined) known.set(key, found);
        return found;
      },
    },
  };
}

const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

function exactDocuments(of: Case): FunctionDocument[] {
  const given = fromJson(of.get('function') ?? null);
  return (Array.isArray(given) ? given : [given]).map((document, at) => {
    const field = (name: string, from: Value): Value => {
      const value = from instanceof Dict ? from.get(name) : undefined;
      if (value === undefined) throw new CaseError('form', `function.${at}.${name}`, 'is missing');
      return value;
    };
    const parameters = field('parameters', document);
    const [name, properties, required] = [
      field('name', document),
      field('properties', parameters),
      parameters instanceof Dict ? parameters.get('required') : undefined,
    ];
    if (typeof name !== 'string') throw new CaseError('form', `function.${at}.name`, 'must be a string');
    if (!(properties instanceof Dict)) {
      throw new CaseError('form', `function.${at}.parameters.properties`, 'must be an object');
    }
    return { name, properties, required: textsOf(required) };
  });
}

/** @throws CaseError */
export function expectedCalls(of: Case): ExpectedCall[] {
  const given = fromJson(of.get('possible_answer') ?? null);
  const list = given instanceof Dict ? (given.get('ground_truth') ?? given) : given;
  return (Array.isArray(list) ? list : [list]).map((call, at) => {
    const [name, parameters] = call instanceof Dict ? (Array.from(call)[0] ?? []) : [];
    if (typeof name !== 'string' || !(parameters instanceof Dict)) {
      throw new CaseError('form', `possible_answer.${at}`, 'must be {function: {parameter: [values]}}');
    }
    return { name, parameters: new Map(Array.from(parameters, ([key, values]) => acceptable(key, values, name, at))) };
  });
}

function acceptable(key: Value, values: Value, name: string, at: number): [string, Value[]] {
  if (typeof key === 'string' && Array.isArray(values)) return [key, values];
  throw new CaseError('form', `possible_answer.${at}.${name}.${str(key)}`, 'must be a list of acceptable values');
}
