/** The rule `json`. */
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { parseSaid } from '../../shared/json.ts';
import { answerJson, passed, Unfit, type Rule } from './rule.ts';

/** The answer is the gold's value: keys in any order, lists in theirs, numbers by value. */
export const json: Rule<unknown, unknown> = {
  golden: true,
  readGold(gold) {
    const value = parseSaid(gold);
    if (value === undefined) throw new Unfit(l10n.t('the gold is not JSON'));
    return value;
  },
  judge(answer, gold) {
    const value = answerJson(answer);
    return passed(sameJson(value, gold), () => firstDifference(value, gold, ''));
  },
};

/** −0 is 0: JSON does not tell them apart. */
const sameJson = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Where two values begin to differ. */
function firstDifference(given: unknown, gold: unknown, path: string): string {
  if (isContainer(given) && isContainer(gold) && Array.isArray(given) === Array.isArray(gold)) {
    const mine = new Map<string, unknown>(Object.entries(given));
    const right = new Map<string, unknown>(Object.entries(gold));
    for (const [key, value] of right) {
      if (!mine.has(key)) return l10n.t('{0}/{1} is missing', path, key);
      if (!sameJson(mine.get(key), value)) return firstDifference(mine.get(key), value, `${path}/${key}`);
    }
    const more = [...mine.keys()].find((key) => !right.has(key));
    if (more !== undefined) return l10n.t('{0}/{1} is too much', path, more);
  }
  return l10n.t('{0} is {1}, expected {2}', path === '' ? l10n.t('the answer') : path, short(given), short(gold));
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
