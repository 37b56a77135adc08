/** The number that a text ends up with, as models write it. `pythonNumber.ts` reads the same in Python. */
import * as l10n from '@vscode/l10n';
import { boxed } from './boxed.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

/**
 * `Answer: 12`, `**Answer**: 12`, `The final answer is 12`, `#### 12`. Four marks before words, or before the number of a
 * step (`#### 2. Add them`), are a heading of Markdown.
 */
const mark =
  /answer[^0-9A-Za-z\n]{0,4}(?:is\b|:|=)|####(?=[ \t]*(?:[-+−–*_`$€£¥\\(][ \t]*)*\.?[0-9])(?![ \t]*[0-9]+[.)][ \t]+[^ \t\r\n])/gi;

const start = String.raw`(?<![0-9.])`;
/** Digits with commas or narrow blanks between groups of three, decimals. */
const digits = String.raw`${start}[0-9]{1,3}(?:[,\u00a0\u202f][0-9]{3})+(?![0-9])(?:\.[0-9]+)?|${start}[0-9]+(?:\.[0-9]+)?|${start}\.[0-9]+`;
const ten = (name: string): string => String.raw`10\^\(?(?<${name}>[-+]?[0-9]{1,3})`;

/** A power of ten; a mixed number; digits with an exponent, or times a power of ten, and what they are divided by. */
const number = new RegExp(
  [
    String.raw`(?<sign>(?<![A-Za-z0-9_.])- ?)?(?:`,
    String.raw`${start}${ten('alone')}`,
    String.raw`|${start}(?<whole>[0-9]+) (?<above>[0-9]+) ?/ ?(?<under>[0-9]+)`,
    String.raw`|(?<digits>${digits})`,
    String.raw`(?:[eE](?<e>[-+]?[0-9]{1,3})(?![0-9A-Za-z])| ?[×x] ?${ten('times')})?`,
    String.raw`(?: ?/ ?(?<below>-?[0-9]+(?:\.[0-9]+)?))?)`,
  ].join(''),
  'g',
);

/**
 * Found where the text says so: in the last `\boxed{…}`, else behind the last “Answer:” or `####`, else it is the last
 * number of the text. Currencies, units, LaTeX and commas between groups of three are no part of it; a fraction is
 * divided. Of `3 * 4 = 12` and of `12 = 3 * 4` it is 12: what follows the last sign of equality, unless that is a
 * calculation and another part is none. What stands in parentheses behind a number explains it.
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
  const all = [...plain(said).matchAll(number)].at(-1);
  const found = all === undefined ? null : valueOf(all);
  return found === null ? { ok: false, note: l10n.t('the answer says no number') } : { ok: true, value: found };
}

/** Without LaTeX, emphasis and currencies; the sign of multiplication is ×. */
const plain = (text: string): string =>
  text
    .replaceAll('{,}', ',')
    .replaceAll(/\\[,;:! ]/g, '')
    .replaceAll(
      /([0-9]?)\\[dt]?frac ?(?:\{([^{}]*)\}|([0-9])) ?(?:\{([^{}]*)\}|([0-9]))/g,
      (_, whole: string, above?: string, one?: string, below?: string, other?: string) =>
        `${whole}${whole === '' ? '' : ' '}${above ?? one ?? ''}/${below ?? other ?? ''}`,
    )
    .replaceAll(/\\(?:times|cdot)(?![a-zA-Z])|[·⋅]/g, '×')
    .replaceAll(/\\[a-zA-Z]+/g, ' ')
    .replaceAll(/(?<=[0-9])( ?)\*\1(?=[0-9])/g, '×')
    .replaceAll(/[\\*_`$€£¥]/g, '')
    .replaceAll(/\^ ?\{ ?/g, '^')
    .replaceAll(/[{}]/g, ' ')
    .replaceAll(/[−–]/g, '-');

/** The first number of the part that the text means. */
function firstIn(text: string): string | null {
  const parts = unexplained(text)
    .split(/[=≈]/)
    .flatMap((part) => {
      const [found] = part.matchAll(number);
      return found === undefined ? [] : [{ found, after: part.slice(found.index + found[0].length) }];
    });
  const read = parts.findLast(({ after }) => !/^ ?[-+×÷/^] ?[(0-9]/.test(after)) ?? parts.at(-1);
  return read === undefined ? null : valueOf(read.found);
}

/** Without the first parentheses behind a number. */
function unexplained(text: string): string {
  const open = text.indexOf(' (');
  const close = text.indexOf(')', open);
  return open < 0 || close < 0 || !/[0-9]/.test(text.slice(0, open))
    ? text
    : text.slice(0, open) + text.slice(close + 1);
}

/** As the rule “number” reads it. Null for what is divided by zero. */
function valueOf({ groups: found = {} }: RegExpExecArray): string | null {
  const sign = found['sign'] === undefined ? '' : '-';
  const { alone, whole, above, under, e, times, below } = found;
  if (alone !== undefined) return `${sign}1e${alone}`;
  if (whole !== undefined) {
    const value = Number(whole) + Number(above) / Number(under);
    return Number(under) === 0 ? null : `${sign}${value}`;
  }
  const exponent = e ?? times;
  const bare = (found['digits'] ?? '').replaceAll(/[,\s]/g, '');
  const value = `${sign}${bare}${exponent === undefined ? '' : `e${exponent}`}`;
  if (below === undefined) return value;
  return Number(below) === 0 ? null : String(Number(value) / Number(below));
}
