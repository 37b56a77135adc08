/** The parts of a line of `genenv score bfcl`. */
import { CaseError } from '../offline/offlineScorer.ts';
import { LineCase, text, type Case } from '../offline/pythonCase.ts';
import { isRecord } from '../python/quickJson.ts';
import type { ExpectedCall, FunctionDocument } from './checker.ts';
import { str } from './python/text/repr.ts';
import { Dict, fromJson, type Value } from './python/value.ts';
import type { Language } from './decoders/language.ts';

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

/** Null where something is amiss. */
function quickDocument(document: unknown, of: LineCase, at: number): FunctionDocument | null {
  const parameters = isRecord(document) ? own(document, 'parameters') : undefined;
  const properties = isRecord(parameters) ? own(parameters, 'properties') : undefined;
  const name = isRecord(document) ? own(document, 'name') : undefined;
  if (typeof name !== 'string' || !isRecord(parameters) || !isRecord(properties)) return null;
  return new QuickDocument({ of, at, name, properties, required: own(parameters, 'required') });
}

interface Plain {
  of: LineCase;
  /** Which of the line's documents it is. */
  at: number;
  name: string;
  properties: Readonly<Record<string, unknown>>;
  required: unknown;
}

/** Most of a line is what no check looks at: only parameters that are asked for become values. */
class QuickDocument implements FunctionDocument {
  readonly #plain: Plain;
  readonly name: string;

  constructor(plain: Plain) {
    this.#plain = plain;
    this.name = plain.name;
  }

  get required(): string[] {
    return textsOf(this.#plain.required);
  }

  get properties(): Pick<Dict, 'get'> {
    return this;
  }

  get(key: Value): Value | undefined {
    const { of, at, properties } = this.#plain;
    if (typeof key !== 'string' || !Object.hasOwn(properties, key)) return undefined;
    return typesAlone(properties[key]) ?? exactDocuments(of)[at]?.properties.get(key);
  }
}

/** The fields of a parameter's document that a check reads; undefined where something is amiss. */
function typesAlone(details: unknown): Dict | undefined {
  const type = isRecord(details) ? own(details, 'type') : undefined;
  if (!isRecord(details) || typeof type !== 'string') return undefined;
  const types = new Dict();
  types.set('type', type);
  const items = own(details, 'items');
  if (items === undefined) return types;
  const elements = typesAlone(items);
  if (elements !== undefined) types.set('items', elements);
  return elements === undefined ? undefined : types;
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
  const plain = of instanceof LineCase ? of.plain('possible_answer') : undefined;
  const list = isRecord(plain) ? (own(plain, 'ground_truth') ?? plain) : plain;
  if (!(of instanceof LineCase) || list === undefined) return exactCalls(of);
  const found = (Array.isArray(list) ? list : [list]).map((call) => quickCall(call, of));
  return found.every((one) => one !== null) ? found : exactCalls(of);
}

/** Null where something is amiss, or kinds of numbers cannot be told. */
function quickCall(call: unknown, of: LineCase): ExpectedCall | null {
  const [name, ...more] = isRecord(call) ? Object.keys(call) : [];
  const given = isRecord(call) && name !== undefined ? call[name] : undefined;
  if (name === undefined || more.length > 0 || !isRecord(given)) return null;
  const parameters = new Map<string, Value[]>();
  for (const key of Object.keys(given)) {
    const values = of.pythonValue(given[key], 'possible_answer');
    if (!Array.isArray(values)) return null;
    parameters.set(key, values.map(fromJson));
  }
  return { name, parameters };
}

function exactCalls(of: Case): ExpectedCall[] {
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
