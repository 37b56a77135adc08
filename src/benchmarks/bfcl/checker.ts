/** Calls against the expected ones, as the official checker of syntax trees compares them. */
import type { Call } from './call.ts';
import { convertJava } from './decoders/convertJava.ts';
import { convertJavaScript } from './decoders/convertJavaScript.ts';
import { OfficialStop } from './officialStop.ts';
import { toFloat } from './python/float.ts';
import { PythonFault } from './python/fault.ts';
import { isIn, kindOf, Dict, Tuple, type Kind, type Value } from './python/value.ts';
import { checkType } from './typeCheck.ts';
import { hasElements, kindOfType } from './types.ts';
import { checkDict, checkList, checkListOfDicts, checkText } from './valueCheck.ts';
import type { Language } from './decoders/language.ts';

export interface FunctionDocument {
  name: string;
  /** Parameter → its document. */
  properties: Pick<Dict, 'get'>;
  required: readonly string[];
}

export interface ExpectedCall {
  name: string;
  /** Parameter → its acceptable values. */
  parameters: ReadonlyMap<string, readonly Value[]>;
}

export interface Checked {
  functions: readonly FunctionDocument[];
  expected: readonly ExpectedCall[];
  language: Language;
  category: string;
  /** Function calling: dots in names became underscores. */
  underscored: boolean;
}

/** Null when right, else the type of the error. @throws OfficialStop */
export function check(calls: readonly Call[], checked: Checked): string | null {
  if (checked.category.includes('parallel')) return checkParallel(calls, checked);
  const { functions, expected } = checked;
  const isMultiple = checked.category.includes('multiple');
  const count = isMultiple ? expected.length : 1;
  if (calls.length !== count) return `${isMultiple ? 'multiple' : 'simple'}_function_checker:wrong_count`;
  const [call] = calls;
  const [answer] = expected;
  if (call === undefined || answer === undefined) throw new OfficialStop('no call is expected');
  const document = isMultiple ? documentOf(functions, answer.name) : functions[0];
  if (document === undefined) throw new OfficialStop('there is no function');
  return checkCall(call, document, answer, checked);
}

/** Each expected call takes the first free one that passes, and never gives it back. */
function checkParallel(calls: readonly Call[], checked: Checked): string | null {
  if (calls.length !== checked.expected.length) return 'parallel_function_checker_no_order:wrong_count';
  const free = [...calls];
  for (const answer of checked.expected) {
    const document = documentOf(checked.functions, answer.name);
    const found = free.findIndex((call) => checkCall(call, document, answer, checked) === null);
    if (found === -1) return 'parallel_function_checker_no_order:cannot_find_match';
    free.splice(found, 1);
  }
  return null;
}

function documentOf(functions: readonly FunctionDocument[], name: string): FunctionDocument {
  const document = functions.find((one) => one.name === name);
  if (document === undefined) throw new OfficialStop(`no function ${name}`);
  return document;
}

function checkCall(call: Call, document: FunctionDocument, answer: ExpectedCall, checked: Checked): string | null {
  const name = checked.underscored ? document.name.replaceAll('.', '_') : document.name;
  if (call.name !== name) return 'simple_function_checker:wrong_func_name';
  if (!document.required.every((parameter) => call.parameters.has(parameter))) {
    return 'simple_function_checker:missing_required';
  }
  for (const [parameter, value] of call.parameters) {
    const details = document.properties.get(parameter);
    const answers = typeof parameter === 'string' ? answer.parameters.get(parameter) : undefined;
    if (details === undefined || answers === undefined) return 'simple_function_checker:unexpected_param';
    const error = checkParameter(value, details, answers, checked.language);
    if (error !== null) return error;
  }
  for (const [parameter, answers] of answer.parameters) {
    if (!call.parameters.has(parameter) && !answers.includes('')) return 'simple_function_checker:missing_optional';
  }
  return null;
}

function checkParameter(given: Value, details: Value, answers: readonly Value[], language: Language): string | null {
  const type = typeOf(details);
  const expected = kindOfType(type, language);
  if (language !== 'python' && typeof given !== 'string') {
    return language === 'java' ? 'type_error:java' : 'type_error:js';
  }
  const elements = hasElements(type, language) ? typeOf(member(details, 'items')) : null;
  const element = elements === null ? null : kindOfType(elements, language);
  const value = typeof given === 'string' ? fromText(given, type, elements, language) : widened(given, type, language);
  const verdict = checkType(value, answers, expected, element);
  if (!verdict.valid) return verdict.errorType;
  const error = verdict.isVariable ? undefined : checkKnown(value, answers, expected, element);
  if (error !== undefined) return error;
  return isIn(value, answers) ? null : 'value_error:others';
}

/** Undefined for a kind that has no rule of its own. */
function checkKnown(
  value: Value,
  answers: readonly Value[],
  expected: Kind,
  element: Kind | null,
): string | null | undefined {
  if (expected === 'dict' && value instanceof Dict) return checkDict(value, answers);
  if (expected === 'str' && typeof value === 'string') return checkText(value, answers);
  if (expected !== 'list' || !Array.isArray(value)) return undefined;
  return element === 'dict' ? checkListOfDicts(value, answers) : checkList(value, answers);
}

function fromText(text: string, type: string, elements: string | null, language: Language): Value {
  if (language === 'python') return text;
  return language === 'java' ? convertJava(text, type, elements) : convertJavaScript(text, type, elements);
}

/** The value after Python's implicit conversion. @throws OfficialStop */
function widened(value: Value, type: string, language: Language): Value {
  if (type === 'tuple' && value instanceof Tuple) return [...value.items];
  if (language !== 'python' || type !== 'float' || typeof value !== 'bigint') return value;
  try {
    return toFloat(value);
  } catch (error) {
    if (error instanceof PythonFault) throw new OfficialStop(error.message);
    throw error;
  }
}

function member(document: Value, name: string): Value {
  const found = document instanceof Dict ? document.get(name) : undefined;
  if (found === undefined) throw new OfficialStop(`a parameter’s document has no ${name}`);
  return found;
}

function typeOf(document: Value): string {
  const type = member(document, 'type');
  if (typeof type !== 'string') throw new OfficialStop(`a type is a ${kindOf(type)}`);
  return type;
}
