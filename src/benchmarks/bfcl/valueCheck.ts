/** Whether a value is among the acceptable ones. Each gives null, or the type of its error. */
import { OfficialStop } from './officialStop.ts';
import { Dict, isIn, sameItems, type Value } from './python/value.ts';

/** Without what texts may differ in: spaces, some punctuation, upper case, the kind of quote. */
export const standardised = (text: string): string =>
  text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');

const standard = (value: Value): Value => (typeof value === 'string' ? standardised(value) : value);

export function checkText(text: string, answers: readonly Value[]): string | null {
  // Most right answers are right to the letter.
  if (answers.includes(text)) return null;
  const given = standardised(text);
  const fits = answers.some((answer) => typeof answer === 'string' && standardised(answer) === given);
  return fits ? null : 'value_error:string';
}

export function checkList(values: readonly Value[], answers: readonly Value[]): string | null {
  // All of them are looked at first, as the official program does: one that has no elements stops it.
  const accepted = answers.map(elementsOf);
  // Most right answers are right to the letter.
  if (accepted.some((one) => sameItems(values, one))) return null;
  const given = values.map(standard);
  return accepted.some((one) => sameItems(given, one.map(standard))) ? null : 'value_error:list/tuple';
}

export function checkDict(values: Dict, answers: readonly Value[]): string | null {
  let error = 'dict_checker:unclear';
  for (const answer of answers) {
    if (answer === '') continue;
    if (!(answer instanceof Dict)) throw new OfficialStop('an acceptable value of a dict is none');
    const found = dictError(values, answer);
    if (found === null) return null;
    error = found;
  }
  return error;
}

function dictError(values: Dict, answer: Dict): string | null {
  let error: string | null = null;
  for (const [key, value] of values) {
    const accepted = answer.get(key);
    if (accepted === undefined) error = 'value_error:dict_key';
    else if (!isIn(standard(value), elementsOf(accepted).map(standard))) error = 'value_error:dict_value';
    if (error !== null) break;
  }
  for (const [key, accepted] of answer) {
    if (!values.has(key) && !mayBeLeftOut(accepted)) return 'value_error:dict_key';
  }
  return error;
}

export function checkListOfDicts(values: readonly Value[], answers: readonly Value[]): string | null {
  let error: string | null = 'list_dict_checker:unclear';
  for (const answer of answers) {
    const accepted = elementsOf(answer);
    if (values.length !== accepted.length) {
      error = 'value_error:list_dict_count';
      continue;
    }
    error = null;
    for (const [at, value] of values.entries()) {
      error = checkItem(value, accepted[at] ?? null);
      if (error !== null) break;
    }
    if (error === null) return null;
  }
  return error;
}

function checkItem(value: Value, answer: Value): string | null {
  if (answer === '') return 'dict_checker:unclear';
  if (!(value instanceof Dict)) throw new OfficialStop('an element of a list of dicts is none');
  return checkDict(value, [answer]);
}

/** Elements as Python's `len` and index see them. @throws OfficialStop */
function elementsOf(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  if (value instanceof Dict && value.size === 0) return [];
  throw new OfficialStop('an acceptable value has no elements');
}

function mayBeLeftOut(accepted: Value): boolean {
  if (typeof accepted === 'string') return true;
  if (accepted instanceof Dict) return accepted.has('');
  if (!Array.isArray(accepted)) throw new OfficialStop('acceptable values are no list');
  return isIn('', accepted);
}
