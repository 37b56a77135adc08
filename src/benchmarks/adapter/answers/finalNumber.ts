/** The number that a text ends up with, as models write it. `pythonNumber.ts` reads the same in Python. */
import * as l10n from '@vscode/l10n';
import { boxed } from './boxed.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

/** `Answer: 12`, `**Answer**: 12`, `The final answer is 12`, `#### 12`. */
const mark = /answer[^0-9A-Za-z\n]{0,4}(?:is\b|:|=)|####/gi;

/** Digits with commas or narrow blanks between groups of three, decimals, a fraction. */
const number =
  /(?:(?<![\w.])-\s?)?(?:(?<![\d.])\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?![\d])(?:\.\d+)?|(?<![\d.])\d+(?:\.\d+)?|(?<![\d.])\.\d+)(?:\s?\/\s?\d+)?/;
const numbers = new RegExp(number, 'g');

/**
 * Found where the text says so: in the last `\boxed{…}`, else behind the last “Answer:” or `####`, else it is the last
 * number of the text. Currencies, units, LaTeX and commas between groups of three are no part of it; a fraction is
 * divided; of `3 * 4 = 12` it is what follows the last sign of equality.
 */
export function finalNumber(text: string): ParsedAnswer {
  const said = text.split('</think>').at(-1) ?? '';
  const inBox = boxed(said);
  if (inBox.ok) {
    const found = firstIn(plain(String(inBox.value)));
    if (found !== null) return { ok: true, value: found };
  }
  const last = [...said.matchAll(mark)].at(-1);
  if (last !== undefined) {
    const rest = said.slice(last.index + last[0].length).split('\n');
    const found = firstIn(plain(rest.find((line) => /\d/.test(line)) ?? ''));
    if (found !== null) return { ok: true, value: found };
  }
  const all = plain(said).match(numbers);
  const found = all === null ? null : valueOf(all.at(-1) ?? '');
  return found === null ? { ok: false, note: l10n.t('the answer says no number') } : { ok: true, value: found };
}

/** Without LaTeX, emphasis and currencies. */
const plain = (text: string): string =>
  text
    .replaceAll('{,}', ',')
    .replaceAll(/\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g, '$1/$2')
    .replaceAll(/\\[,;:! ]/g, '')
    .replaceAll(/\\[a-zA-Z]+/g, ' ')
    .replaceAll(/[\\*_`$€£¥]/g, '')
    .replaceAll(/[{}]/g, ' ')
    .replaceAll(/[−–]/g, '-');

/** The first number behind the last sign of equality that has one behind it. */
function firstIn(text: string): string | null {
  const part = text.split(/[=≈]/).findLast((one) => /\d/.test(one)) ?? '';
  const found = number.exec(part);
  return found === null ? null : valueOf(found[0]);
}

/** As the rule “number” reads it: digits, a point, a sign. Null for what is divided by zero. */
function valueOf(text: string): string | null {
  const [above = '', below] = text.replaceAll(/[,\s]/g, '').split('/');
  if (below === undefined) return above;
  return Number(below) === 0 ? null : String(Number(above) / Number(below));
}
