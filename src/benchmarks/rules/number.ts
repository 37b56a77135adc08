/** A number, near enough to the gold. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { LongInteger } from '../../shared/longInteger.ts';
import { quoted } from './compare.ts';
import { isNear, type Exact } from './exactNumber.ts';
import { passed, Unfit, type Rule } from './rule.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['number']>, 'absolute' | 'relative'>;

/** As many digits as Python reads of a whole number. */
const whole = /^[-+]?\d{1,4300}(?:\.0*)?$/;
const written = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * `$1,234.50`, `-3`, `12 %`: a currency sign in front, commas between groups of three, a percent sign or a full stop
 * behind are no part of the number. Null for everything else.
 */
export function numberIn(text: string): Exact | null {
  const bare = text
    .trim()
    .replace(/^([-+]?)\s*[$€£¥]\s*/, '$1')
    .replace(/\s*%$/, '')
    .replace(/(?<=\d)\.$/, '')
    .replace(
      /^([-+]?)(\d{1,3}(?:,\d{3})+)(?!\d)/,
      (_, sign: string, groups: string) => sign + groups.replaceAll(',', ''),
    );
  if (!written.test(bare)) return null;
  const near = Number(bare);
  return whole.test(bare) && !Number.isSafeInteger(near) ? BigInt(bare.replace(/^\+|\..*$/g, '')) : near;
}

function read(value: unknown): Exact | null {
  if (typeof value === 'string') return numberIn(value);
  if (value instanceof LongInteger) return value.exact;
  return typeof value === 'number' ? value : null;
}

/** |answer − gold| ≤ max(absolute, relative·|gold|), whole numbers by all of their digits. */
export const number: Rule<Options, Exact> = {
  golden: true,
  readGold(gold) {
    const value = numberIn(gold);
    if (value === null) throw new Unfit(l10n.t('the gold {0} is no number', quoted(gold)));
    return value;
  },
  judge(answer, gold, { absolute, relative }) {
    const value = read(answer);
    if (value === null) throw new Unfit(l10n.t('the answer is no number'));
    return passed(isNear(value, gold, { absolute, relative }), () =>
      l10n.t('expected {0}, got {1}', String(gold), String(value)),
    );
  },
};
