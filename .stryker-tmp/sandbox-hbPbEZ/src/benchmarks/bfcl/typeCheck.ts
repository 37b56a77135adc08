/** Whether a value has the kind that its parameter's type asks for, or the kind that the answers have instead. */
import { kindOf, type Kind, type Value } from './python/value.ts';

export type TypeVerdict =
  /** A variable stands where the type asks for something else: it is compared as it is. */
  { valid: true; isVariable: boolean } | { valid: false; errorType: 'type_error:simple' | 'type_error:nested' };

/** @param element kind of an array's elements; null for what has none */
export function checkType(value: Value, answers: readonly Value[], expected: Kind, element: Kind | null): TypeVerdict {
  const first = answers.find((answer) => answer !== '');
  const answerKind = first === undefined ? null : kindOf(first);
  const kind = kindOf(value);
  const isVariable = answerKind !== null && answerKind !== expected;
  if (kind === expected) {
    if (element === null || !Array.isArray(value)) return { valid: true, isVariable };
    if (answers.some((answer) => !Array.isArray(answer) || allFit(value, answer, element))) {
      return { valid: true, isVariable };
    }
    return { valid: false, errorType: kind === answerKind ? 'type_error:nested' : 'type_error:simple' };
  }
  return kind === answerKind ? { valid: true, isVariable: true } : { valid: false, errorType: 'type_error:simple' };
}

const allFit = (values: readonly Value[], answers: readonly Value[], expected: Kind): boolean =>
  values.every((value) => checkType(value, answers, expected, null).valid);
