/** The gold of a row, of which a list names several right answers where the rule compares with a text. */
import type { ScorerKind } from '../../shared/adapters/scorer.ts';
import { LongInteger } from '../../shared/longInteger.ts';

/** Rules whose gold is one text; for all others a list or an object is the gold itself, as JSON. */
const comparesTexts: ReadonlySet<string> = new Set<ScorerKind>([
  ...(['exact', 'contains', 'number', 'token-f1', 'rouge-l'] as const),
  ...(['bamboogle', 'bamboogle-search', 'alfworld-steps'] as const),
]);

interface Golds {
  gold: string | null;
  /** Further right answers, without repetitions. */
  accept: string[];
}

/**
 * @param given with each number as it is written
 * @param kind the rule's
 * @returns null where the rule compares with texts, and the value is an object or a list that holds more than texts and numbers
 */
export function goldsOfRow(given: unknown, kind: string): Golds | null {
  if (!isJson(given) || !comparesTexts.has(kind)) return { gold: textOf(given), accept: [] };
  if (!Array.isArray(given) || given.some(isJson)) return null;
  const [gold = null, ...accept] = new Set(given.map(textOf).filter((text) => text !== null));
  return { gold, accept };
}

/** Whether it is a list or an object. Numbers that keep their digits are objects, too. */
const isJson = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof LongInteger) && !JSON.isRawJSON(value);

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
