/** A recipe's checks on a written record. Bounded: patterns are tried in a thread of their own. */
import { matchesOf } from '../../../sandbox/expressions.ts';
import { SandboxError } from '../../../sandbox/sandboxError.ts';
import type { RecipeCheck } from '../../../shared/adapters/recipe.ts';
import type { Rejection, Task } from '../../../shared/records/task.ts';
import { jsonText } from '../../python/json.ts';
import type { PythonValue } from '../../python/value.ts';
import { Said } from '../../recipes/grounded.ts';
import { plainWords, questionOf } from '../../recipes/recipe.ts';
import { TaskFault } from '../../taskFault.ts';
import type { WrittenFields } from './writtenRecord.ts';

const causes: Readonly<Record<RecipeCheck['kind'], Rejection>> = {
  ...{ words: 'schema', range: 'schema', 'one-of': 'schema', pattern: 'schema' },
  ...{ said: 'gold', unsaid: 'gold', new: 'duplicate' },
};

/** All of them in their order; what was left out has nothing to check. @throws TaskFault for the first that fails */
export function holdTo(checks: readonly RecipeCheck[], fields: WrittenFields, seed: Task): void {
  for (const check of checks) {
    const value = fields.get(check.field);
    if (value === undefined) continue;
    const wrong = wrongIn(check, value, fields, seed);
    if (wrong !== null) throw new TaskFault(causes[check.kind], wrong);
  }
}

/** A clause; null where the check holds. */
function wrongIn(check: RecipeCheck, value: PythonValue, fields: WrittenFields, seed: Task): string | null {
  const { field } = check;
  const text = textOf(value);
  switch (check.kind) {
    case 'words': {
      const words = plainWords(text);
      const count = words === '' ? 0 : words.split(' ').length;
      return outside(count, check) ? `“${field}” has ${count} words, not ${limits(check)}` : null;
    }
    case 'range': {
      const number = Array.isArray(value) ? value.length : typeof value === 'boolean' ? NaN : Number(text);
      if (Number.isNaN(number)) return `“${field}” is no number`;
      const what = Array.isArray(value) ? `has ${number} entries` : `is ${number}`;
      return outside(number, check) ? `“${field}” ${what}, not ${limits(check)}` : null;
    }
    case 'one-of': {
      if (check.values.some((one) => String(one) === text || (typeof one === 'number' && one === Number(text))))
        return null;
      const few = check.values.length > 8 ? 'the values that it may be' : check.values.join(', ');
      return `“${field}” is none of ${few}`;
    }
    case 'pattern':
      return wrongPattern(check, text);
    case 'said':
      return new Said(textOf(fields.get(check.in) ?? '')).says(value)
        ? null
        : `“${field}” is not said in “${check.in}”`;
    case 'unsaid': {
      const words = plainWords(text);
      const within = ` ${plainWords(textOf(fields.get(check.in) ?? ''))} `;
      return words !== '' && within.includes(` ${words} `) ? `“${check.in}” says “${field}”` : null;
    }
    case 'new': {
      const words = plainWords(text);
      const same = words === plainWords(questionOf(seed)) || words === plainWords(seed.gold ?? '');
      return same ? `“${field}” is the seed’s own` : null;
    }
  }
}

function wrongPattern(check: Extract<RecipeCheck, { kind: 'pattern' }>, text: string): string | null {
  const { field, pattern, flags = '', matches = true, why } = check;
  try {
    const found = (matchesOf([{ source: pattern, flags }], [text])[0]?.[0]?.length ?? 0) > 0;
    if (found === matches) return null;
    return why ?? `“${field}” ${matches ? 'does not match' : 'matches'} /${pattern}/${flags}`;
  } catch (error) {
    if (!SandboxError.is(error)) throw error;
    return `whether “${field}” matches /${pattern}/${flags} cannot be told: ${error.message}`;
  }
}

interface Limits {
  least?: number | undefined;
  most?: number | undefined;
}

const outside = (value: number, { least = -Infinity, most = Infinity }: Limits): boolean =>
  value < least || value > most;

const limits = ({ least, most }: Limits): string =>
  least === undefined ? `at most ${most}` : most === undefined ? `at least ${least}` : `${least} to ${most}`;

function textOf(value: PythonValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join('\n') : jsonText(value);
}
