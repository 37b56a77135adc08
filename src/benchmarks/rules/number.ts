/** A number, near enough to the gold. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { quoted } from './compare.ts';
import { passed, Unfit, type Rule } from './rule.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['number']>, 'absolute' | 'relative'>;

const written = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * `$1,234.50`, `-3`, `12 %`: a currency sign in front, commas between groups of three, a percent sign or a full stop
 * behind are no part of the number. Null for everything else.
 */
export function numberIn(text: string): number | null {
  const bare = text
    .trim()
    .replace(/^([-+]?)\s*[$€£¥]\s*/, '$1')
    .replace(/\s*%$/, '')
    .replace(/(?<=\d)\.$/, '')
    .replace(
      /^([-+]?)(\d{1,3}(?:,\d{3})+)(?!\d)/,
      (_, sign: string, groups: string) => sign + groups.replaceAll(',', ''),
    );
  return written.test(bare) ? Number(bare) : null;
}

const read = (value: unknown): number | null => (typeof value === 'number' ? value : numberIn(String(value)));

/** |answer − gold| ≤ max(absolute, relative·|gold|). */
export const number: Rule<Options, number> = {
  golden: true,
  readGold(gold) {
    const value = numberIn(gold);
    if (value === null) throw new Unfit(l10n.t('the gold {0} is no number', quoted(gold)));
    return value;
  },
  judge(answer, gold, { absolute, relative }) {
    const value = typeof answer === 'string' || typeof answer === 'number' ? read(answer) : null;
    if (value === null) throw new Unfit(l10n.t('the answer is no number'));
    const off = Math.abs(value - gold);
    // Half a unit in the last place of a double more, so that 0.1 + 0.2 equals 0.3 at a tolerance of 0.
    const room = Math.max(absolute, relative * Math.abs(gold)) + Number.EPSILON * Math.abs(gold);
    return passed(off <= room, () => l10n.t('expected {0}, got {1}', gold, value));
  },
};
