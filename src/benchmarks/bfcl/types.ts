/** The type names of function documents. */
import { OfficialStop } from './officialStop.ts';
import type { Kind } from './python/value.ts';
import type { Language } from './decoders/language.ts';

const python: Readonly<Record<string, Kind>> = {
  string: 'str',
  integer: 'int',
  float: 'float',
  boolean: 'bool',
  array: 'list',
  tuple: 'list',
  dict: 'dict',
  any: 'str',
};

/** Java's other collections are known to the official program, which then stops at their values. */
const java: Readonly<Record<string, Kind>> = {
  byte: 'int',
  short: 'int',
  integer: 'int',
  float: 'float',
  double: 'float',
  long: 'int',
  boolean: 'bool',
  char: 'str',
  Array: 'list',
  ArrayList: 'list',
  Set: 'list',
  HashMap: 'dict',
  Hashtable: 'dict',
  Queue: 'list',
  Stack: 'list',
  String: 'str',
  any: 'str',
};

const javascript: Readonly<Record<string, Kind>> = {
  String: 'str',
  integer: 'int',
  float: 'float',
  Bigint: 'int',
  Boolean: 'bool',
  dict: 'dict',
  array: 'list',
  any: 'str',
};

const tables = { python, java, javascript };

/** The kind of a type's values. @throws OfficialStop for a type that the language does not have */
export function kindOfType(type: string, language: Language): Kind {
  const kind = Object.hasOwn(tables[language], type) ? tables[language][type] : undefined;
  if (kind === undefined) throw new OfficialStop(`no type ${type} in ${language}`);
  return kind;
}

const withElements: Readonly<Record<Language, readonly string[]>> = {
  python: ['array', 'tuple'],
  java: ['Array', 'ArrayList', 'array'],
  javascript: ['Array', 'ArrayList', 'array'],
};

/** Whether a type's elements have a type too. */
export const hasElements = (type: string, language: Language): boolean => withElements[language].includes(type);
