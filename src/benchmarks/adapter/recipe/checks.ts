/** A recipe's checks on a written record. Bounded: patterns are tried in a thread of their own. */
import * as l10n from '@vscode/l10n';
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
      return outside(count, check) ? l10n.t('“{0}” has {1} words, not {2}', field, count, limits(check)) : null;
    }
    case 'range': {
      const number = Array.isArray(value) ? value.length : typeof value === 'boolean' ? NaN : Number(text);
      if (Number.isNaN(number)) return l10n.t('“{0}” is no number', field);
      const what = Array.isArray(value) ? l10n.t('has {0} entries', number) : l10n.t('is {0}', number);
      return outside(number, check) ? `“${field}” ${what}, not ${limits(check)}` : null;
    }
    case 'one-of': {
      if (check.values.some((one) => String(one) === text || (typeof one === 'number' && one === Number(text))))
        return null;
      const few = check.values.length > 8 ? l10n.t('the values that it may be') : check.values.join(', ');
      return l10n.t('“{0}” is none of {1}', field, few);
    }
    case 'pattern':
      return wrongPattern(check, text);
    case 'said':
      return new Said(textOf(fields.get(check.in) ?? '')).says(value)
        ? null
        : l10n.t('“{0}” is not said in “{1}”', field, check.in);
    case 'unsaid': {
      const words = plainWords(text);
      const within = ` ${plainWords(textOf(fields.get(check.in) ?? ''))} `;
      return words !== '' && within.includes(` ${words} `) ? l10n.t('“{0}” says “{1}”', check.in, field) : null;
    }
    case 'new': {
      const words = plainWords(text);
      const same = words === plainWords(questionOf(seed)) || words === plainWords(seed.gold ?? '');
      return same ? l10n.t('“{0}” is the seed’s own', field) : null;
    }
  }
}

function wrongPattern(check: Extract<RecipeCheck, { kind: 'pattern' }>, text: string): string | null {
  const { field, pattern, flags = '', matches = true, why } = check;
  try {
    const found = (matchesOf([{ source: pattern, flags }], [text])[0]?.[0]?.length ?? 0) > 0;
    if (found === matches) return null;
    return why ?? `“${field}” ${matches ? l10n.t('does not match') : l10n.t('matches')} /${pattern}/${flags}`;
  } catch (error) {
    if (!SandboxError.is(error)) throw error;
    return l10n.t('whether “{0}” matches /{1}/{2} cannot be told: {3}', field, pattern, flags, error.message);
  }
}

interface Limits {
  least?: number | undefined;
  most?: number | undefined;
}

const outside = (value: number, { least = -Infinity, most = Infinity }: Limits): boolean =>
  value < least || value > most;

const limits = ({ least, most }: Limits): string =>
  least === undefined
    ? l10n.t('at most {0}', most ?? '')
    : most === undefined
      ? l10n.t('at least {0}', least)
      : l10n.t('{0} to {1}', least, most);

function textOf(value: PythonValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join('\n') : jsonText(value);
}
