/** The rule `json`. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../shared/experiment/resolve.ts';
import { parseExactly } from '../../shared/json.ts';
import { likeValue } from './likeValue.ts';
import { answerJson, passed, Unfit, type Rule } from './rule.ts';

/** The answer is the gold's value: keys in any order, lists in theirs, numbers by value. */
export const json: Rule<unknown, unknown> = {
  golden: true,
  readGold(gold) {
    const value = parseExactly(gold);
    if (value === undefined) throw new Unfit(l10n.t('the gold is not JSON'));
    return value;
  },
  judge(answer, gold) {
    const value = answerJson(answer);
    return passed(sameJson(value, gold), () => firstDifference(value, gold, ''));
  },
};

const sameJson = (a: unknown, b: unknown): boolean => likeValue(a, b, { absolute: 0, relative: 0, text: 'exact' });

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

const isContainer = (value: unknown): value is object => Array.isArray(value) || isObject(value);

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
