/** The parts of a line of `genenv score bfcl`. */
import { CaseError } from '../offline/offlineScorer.ts';
import { text, type Case } from '../offline/pythonCase.ts';
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
      parameters instanceof Dict ? (parameters.get('required') ?? []) : [],
    ];
    if (typeof name !== 'string') throw new CaseError('form', `function.${at}.name`, 'must be a string');
    if (!(properties instanceof Dict)) {
      throw new CaseError('form', `function.${at}.parameters.properties`, 'must be an object');
    }
    const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
    return { name, properties, required: names };
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
