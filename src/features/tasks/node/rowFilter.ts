/** A query over tasks as tests of rows. */
import * as l10n from '@vscode/l10n';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import { epochsOf, intervalOf, lies, parseQuery, type Term } from '../../search/contract/query.ts';
import { wildcard } from '../../search/contract/wildcard.ts';
import { flagNames } from '../contract.ts';
import { bitOf } from '../../health/contract.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';
import { origins, statuses, type TaskColumns } from './taskColumns.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { defined } from '../../../shared/defined.ts';

/**
 * Data needed of all rows before a query can be answered. `standing`: the records' own statements on a task's origin
 * and status, which are in a run's index but only in a file's lines.
 */
export type Need = 'standing' | 'scan' | 'scores' | 'flags';

type FieldTerm = Extract<Term, { kind: 'field' }>;

/** A text to find in a task, or in its plan alone. */
export interface TextTerm {
  text: string;
  within: 'task' | 'plan';
  negated: boolean;
}

export interface RowQuery {
  needs: ReadonlySet<Need>;
  /** All must hold. */
  tests: readonly ((row: number) => boolean)[];
  /** Those that only the records answer; texts are in lower case. */
  texts: readonly TextTerm[];
}

export interface QueryProblem {
  /** From 0. */
  at: number;
  message: string;
}

type Build = (columns: TaskColumns, term: FieldTerm) => ((row: number) => boolean) | null;
interface Field {
  needs?: Need;
  /** The values allowed after the name, for users. */
  values: () => string;
  build: Build;
}

const verdicts = ['solved', 'failed', 'none'];

const fields: Record<string, Field> = {
  id: named('idLow', 'idHigh', 'ids'),
  family: named('familyLow', 'familyHigh', 'families'),
  seed: named('seedLow', 'seedHigh', 'seeds'),
  domain: {
    needs: 'scan',
    values: () => l10n.t('the name of a domain, `*` standing for anything'),
    build: (columns, { value, comparison }) => {
      if (comparison !== ':') return null;
      const fits = globOf(value);
      return (row) => fits(columns.domains.get(row) ?? '');
    },
  },
  epoch: numeric(
    () => l10n.t('a number or a range such as 2..5'),
    (columns) => (row) => columns.epoch[row] ?? NaN,
    'standing',
    epochsOf,
  ),
  len: numeric(
    () => l10n.t('a number of characters'),
    (columns) => (row) => columns.length[row] ?? NaN,
    'scan',
  ),
  p: numeric(
    () => l10n.t('a rate such as 0.4 or 40%'),
    (columns) => (row) => rateOf(columns, row),
  ),
  reward: numeric(
    () => l10n.t('a number from 0 to 1'),
    (columns) => (row) => columns.reward[row] ?? NaN,
    'scores',
  ),
  weight: numeric(
    () => l10n.t('a number'),
    (columns) => (row) => columns.weight[row] ?? NaN,
    'scores',
  ),
  origin: word(origins, 'standing', (columns, place) => (row) => columns.origin[row] === place),
  status: word(statuses, 'standing', (columns, place) => (row) => columns.status[row] === place),
  edited: word(['yes', 'no'], null, (columns, place) => (row) => columns.edited[row] === 1 - place),
  verdict: word(verdicts, null, (columns, place) => (row) => {
    const [successes, attempts] = [columns.successes[row] ?? outOfRange(), columns.attempts[row] ?? outOfRange()];
    return place === 0 ? successes > 0 : place === 1 ? attempts > successes : attempts === 0;
  }),
  flag: {
    needs: 'flags',
    values: () => l10n.t('one of {0}', `${flagNames.join(', ')}, any, none`),
    build: (columns, { value, comparison }) => {
      const text = value.toLowerCase();
      if (comparison !== ':') return null;
      if (text === 'any') return (row) => columns.flags[row] !== 0;
      if (text === 'none') return (row) => columns.flags[row] === 0;
      const bits = flagNames.filter((name) => name.startsWith(text)).reduce((all, name) => all | bitOf(name), 0);
      return bits === 0 ? null : (row) => ((columns.flags[row] ?? outOfRange()) & bits) !== 0;
    },
  },
  tag: {
    needs: 'standing',
    values: () => l10n.t('a tag, `*` standing for anything'),
    build: (columns, { value, comparison }) => {
      if (comparison !== ':') return null;
      const fits = globOf(value);
      return (row) => columns.tags.get(row)?.some(fits) ?? false;
    },
  },
};
const queryFields: readonly string[] = [...Object.keys(fields), 'plan'];

/** p̂ of a row; NaN without attempts. */
export const rateOf = ({ successes, attempts }: TaskColumns, row: number): number =>
  (successes[row] ?? outOfRange()) / (attempts[row] ?? outOfRange());

/** A name without `*` is looked for by its hash, before names are known. */
export function compileQuery(text: string, columns: TaskColumns): RowQuery | { problem: QueryProblem } {
  const parsed = parseQuery(text, (name) => queryFields.includes(name));
  if ('problem' in parsed) return parsed;
  const needs = new Set<Need>();
  const tests: ((row: number) => boolean)[] = [];
  const texts: TextTerm[] = [];
  for (const term of parsed.terms) {
    const { negated, at } = term;
    if (term.kind === 'text') {
      if (term.text !== '') texts.push({ text: term.text.toLowerCase(), within: 'task', negated });
      continue;
    }
    if (term.field === 'plan' && term.comparison === ':') {
      texts.push({ text: term.value.toLowerCase(), within: 'plan', negated });
      continue;
    }
    const field = Object.hasOwn(fields, term.field) ? fields[term.field] : undefined;
    if (field === undefined) return { problem: { at, message: unknownField(term.field) } };
    const test = field.build(columns, term);
    if (test === null) return { problem: { at, message: l10n.t('“{0}” takes {1}.', term.field, field.values()) } };
    if (field.needs !== undefined) needs.add(field.needs);
    if (isName(term.field) && term.value.includes('*')) needs.add('scan');
    tests.push(negated ? (row) => !test(row) : test);
  }
  return { needs, tests, texts };
}

const isName = (field: string): boolean => field === 'id' || field === 'family' || field === 'seed';

function unknownField(field: string): string {
  const near = nearest(field, queryFields);
  const meant = near === null ? l10n.t('There are {0}.', queryFields.join(', ')) : l10n.t('Did you mean “{0}”?', near);
  return `${l10n.t('There is no field “{0}”.', field)} ${meant}`;
}

function numeric(
  values: () => string,
  read: (columns: TaskColumns) => (row: number) => number,
  needs?: Need,
  rangeOf = intervalOf,
): Field {
  return {
    ...defined({ needs }),
    values,
    build: (columns, { comparison, value }) => {
      const interval = rangeOf(comparison, value);
      if (interval === null) return null;
      const number = read(columns);
      return (row) => lies(number(row), interval);
    },
  };
}

function word(
  words: readonly string[],
  needs: Need | null,
  test: (columns: TaskColumns, place: number) => (row: number) => boolean,
): Field {
  return {
    ...defined({ needs: needs ?? undefined }),
    values: () => l10n.t('one of {0}', words.join(', ')),
    build: (columns, { comparison, value }) => {
      const place = words.indexOf(value.toLowerCase());
      return place === -1 || comparison !== ':' ? null : test(columns, place);
    },
  };
}

type Names = 'ids' | 'families' | 'seeds';
type Low = 'idLow' | 'familyLow' | 'seedLow';
type High = 'idHigh' | 'familyHigh' | 'seedHigh';

function named(low: Low, high: High, names: Names): Field {
  return {
    needs: 'standing',
    values: () => l10n.t('a name, `*` standing for anything'),
    build: (columns, { comparison, value }) => {
      if (comparison !== ':') return null;
      if (value.includes('*')) {
        const fits = globOf(value);
        return (row) => fits(columns[names][row] ?? '');
      }
      const hash = hashOf(value);
      return (row) => columns[low][row] === hash.low && columns[high][row] === hash.high;
    },
  };
}

/** Upper and lower case are the same. */
function globOf(pattern: string): (text: string) => boolean {
  const fits = wildcard(pattern.toLowerCase());
  return (text) => fits(text.toLowerCase());
}
