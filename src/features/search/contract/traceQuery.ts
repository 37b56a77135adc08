/** The conditions of a search of traces, from the terms of the query language. */
import * as l10n from '@vscode/l10n';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import { epochsOf, intervalOf, parseQuery, type Term } from './query.ts';

type Interval = NonNullable<ReturnType<typeof intervalOf>>;

/** One condition on a trace; those that a task cannot fulfil leave tasks out. */
export type Condition = { negated: boolean } & (
  | { kind: 'number'; of: 'epoch' | 'tokens' | 'reward'; interval: Interval }
  | { kind: 'verdict'; verdict: TraceVerdict }
  | { kind: 'purpose'; purpose: (typeof purposes)[number] }
  | { kind: 'stop'; stop: (typeof stops)[number] }
  | { kind: 'valid' }
  /** `*` matches any characters. */
  | { kind: 'name'; of: 'trace' | 'task' | 'family' | 'domain' | 'version'; pattern: string }
  /** The agent called it, or it answered. */
  | { kind: 'tool'; tool: string }
  /** A part of the reward, by its name in small letters. */
  | { kind: 'part'; part: string; interval: Interval }
  /** Some person's note on one of its turns; with these words when not null. */
  | { kind: 'note'; words: string | null }
  /** People's verdict, `disputed` where they differ, or a label of theirs; any of them when null. */
  | { kind: 'label'; label: string | null }
  /** Made by a person of this name (`*` matches any characters); null: by a policy. */
  | { kind: 'by'; person: string | null }
);

/** A query, read: everything must fit. */
export interface TraceQuery {
  conditions: readonly Condition[];
  /** Words of the conversation, ignoring case. */
  texts: readonly { text: string; negated: boolean }[];
}

export interface QueryProblem {
  /** Where, in UTF-16 units from 0. */
  at: number;
  message: string;
}

const verdicts = ['solved', 'failed', 'error'] as const;
type TraceVerdict = (typeof verdicts)[number];
const purposes = ['train', 'validation', 'rank', 'benchmark'] as const;
const stops = ['stop', 'length', 'turns'] as const;

/** Fields of a search of traces as typed, each with its meaning. */
export const traceFields = [
  'epoch',
  'verdict',
  'tool',
  'len',
  'reward',
  'purpose',
  'task',
  'family',
  'domain',
  'trace',
  'version',
  'stop',
  'valid',
  'note',
  'label',
  'by',
] as const;

/** Parses a typed query. */
export function readTraceQuery(text: string): { query: TraceQuery } | { problem: QueryProblem } {
  const parsed = parseQuery(text, (name) => known.includes(name) || name.startsWith('part.'));
  if ('problem' in parsed) return parsed;
  const conditions: Condition[] = [];
  const texts: { text: string; negated: boolean }[] = [];
  for (const term of parsed.terms) {
    if (term.kind === 'text') {
      if (term.text !== '') texts.push({ text: term.text, negated: term.negated });
      continue;
    }
    const read = conditionOf(term);
    if (typeof read === 'string') return { problem: { at: term.at, message: read } };
    conditions.push(read);
  }
  return { query: { conditions, texts } };
}

type Field = Extract<Term, { kind: 'field' }>;

/** The condition, or its fault. */
function conditionOf(term: Field): Condition | string {
  const { field, comparison, value, negated } = term;
  if (field.startsWith('part.')) {
    const interval = intervalOf(comparison, value);
    return interval === null ? notNumber(term) : { kind: 'part', part: field.slice(5), interval, negated };
  }
  switch (field) {
    case 'epoch':
    case 'reward':
      return numeric(term, field);
    case 'len':
    case 'length':
    case 'tokens':
      return numeric(term, 'tokens');
    default:
      return comparison === ':'
        ? worded(term)
        : unlessUnknown(field, l10n.t('"{0}" is compared with a colon alone.', field));
  }
}

function numeric(term: Field, of: 'epoch' | 'tokens' | 'reward'): Condition | string {
  const interval = (of === 'epoch' ? epochsOf : intervalOf)(term.comparison, term.value);
  return interval === null ? notNumber(term) : { kind: 'number', of, interval, negated: term.negated };
}

function worded({ field, value, negated }: Field): Condition | string {
  const word = value.toLowerCase();
  switch (field) {
    case 'verdict': {
      const verdict = word === 'fail' ? 'failed' : verdicts.find((one) => one === word);
      return verdict === undefined ? oneOf(field, value, verdicts) : { kind: 'verdict', verdict, negated };
    }
    case 'purpose': {
      const purpose = purposes.find((one) => one === word);
      return purpose === undefined ? oneOf(field, value, purposes) : { kind: 'purpose', purpose, negated };
    }
    case 'stop': {
      const stop = stops.find((one) => one === word);
      return stop === undefined ? oneOf(field, value, stops) : { kind: 'stop', stop, negated };
    }
    case 'valid':
      if (word !== 'yes' && word !== 'no') return oneOf(field, value, ['yes', 'no']);
      return { kind: 'valid', negated: negated !== (word === 'no') };
    case 'trace':
    case 'task':
    case 'family':
    case 'domain':
    case 'version':
      return { kind: 'name', of: field, pattern: value, negated };
    case 'tool':
      return { kind: 'tool', tool: value, negated };
    case 'note':
      if (word === 'yes' || word === 'no') return { kind: 'note', words: null, negated: negated !== (word === 'no') };
      return { kind: 'note', words: value, negated };
    case 'label':
      if (word === 'yes' || word === 'no') return { kind: 'label', label: null, negated: negated !== (word === 'no') };
      return { kind: 'label', label: value, negated };
    case 'by':
      return { kind: 'by', person: word === 'policy' ? null : word === 'person' ? '*' : value, negated };
    default:
      return unlessUnknown(field, '');
  }
}

const known: readonly string[] = [...traceFields, 'length', 'tokens'];
const ofTasks: readonly string[] = ['flag', 'tag', 'status', 'origin', 'edited', 'weight'];

function unlessUnknown(field: string, otherwise: string): string {
  if (known.includes(field)) return otherwise;
  if (ofTasks.includes(field)) return l10n.t('"{0}" is a field of tasks: filter by it in the task editor.', field);
  const near = nearest(field, known);
  const meant =
    near === null
      ? l10n.t('The fields are {0} and part.NAME.', traceFields.join(', '))
      : l10n.t('Did you mean "{0}"?', near);
  return l10n.t('There is no field "{0}". {1} Put words with a colon in quotation marks.', field, meant);
}

function oneOf(field: string, value: string, values: readonly string[]): string {
  const near = nearest(value, values);
  const meant = near === null ? l10n.t('It is one of {0}.', values.join(', ')) : l10n.t('Did you mean "{0}"?', near);
  return `${l10n.t('"{0}" is no {1}.', value, field)} ${meant}`;
}

const notNumber = ({ field, comparison, value }: Field): string =>
  comparison === ':'
    ? l10n.t('"{0}" is no number: write {1}:0.5 or 2..5.', value, field)
    : l10n.t('"{0}" is no number: write {1}{2}0.5.', value, field, comparison);
