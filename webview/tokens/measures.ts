/** The measures that colour tokens: a figure of each, how far it goes towards which colour, and the ends of the scale. */
import * as l10n from '@vscode/l10n';
import { largest } from '../../src/shared/extremes.ts';
import { defined } from '../../src/shared/defined.ts';
import type { Figure, ShownToken, ShownTokens } from '../../src/features/tokens/contract.ts';
import { measure, rate, significant } from '../../src/shared/text/figures/numbers.ts';

/** Of the page's palette. */
export type Tone = 'agent' | 'environment' | 'good' | 'bad';

/** How a token is drawn; null where its figure is not known. */
export interface Shade {
  tone: Tone;
  /** 0 to 1. */
  share: number;
  /** Stands at the token beside its colour: `↑`. */
  mark?: string;
}

export interface Measure {
  key: 'sampled' | 'entropy' | 'advantage' | 'clip';
  title: string;
  /** Why tokens lack it stands under these. */
  figures: readonly Figure[];
  shade: (token: ShownToken) => Shade | null;
  legend: readonly { tone: Tone; share: number; text: string }[];
}

/** The largest size of a figure, which has the full colour; at least so much that noise has none. */
const rangeOf = (tokens: readonly ShownToken[], of: (token: ShownToken) => number | null, least: number): number =>
  Math.max(least, largest(tokens.map((token) => Math.abs(of(token) ?? 0))));

const share = (value: number, range: number): number => Math.min(1, Math.max(0, value / range));

export function measuresOf({ answers, loss, clipLow, clipHigh, other }: ShownTokens): Measure[] {
  const tokens = answers.flatMap((answer) => answer.tokens);
  const logRatio = ({ ratio }: ShownToken): number | null => (ratio === null ? null : Math.log(ratio));
  const surprise = rangeOf(tokens, ({ sampled }) => sampled, Math.LN2);
  const widest = rangeOf(tokens, ({ entropy }) => entropy, Math.LN2);
  const moved = rangeOf(tokens, logRatio, 0.01);
  const most = rangeOf(tokens, ({ advantage }) => advantage, 1);
  return [
    {
      ...{ key: 'sampled', title: l10n.t('Log-probability as sampled'), figures: ['sampled'] },
      shade: ({ sampled }) => (sampled === null ? null : { tone: 'agent', share: share(-sampled, surprise) }),
      legend: [
        { tone: 'agent', share: 0, text: l10n.t('0: certain') },
        { tone: 'agent', share: 1, text: l10n.t('{0} nats: a surprise', measure(-surprise)) },
      ],
    },
    {
      ...{ key: 'entropy', title: l10n.t('Entropy'), figures: ['entropy'] },
      shade: (token) => (token.entropy === null ? null : { tone: 'agent', share: share(token.entropy, widest) }),
      legend: [
        { tone: 'agent', share: 0, text: l10n.t('0: only one choice') },
        { tone: 'agent', share: 1, text: l10n.t('{0} nats: many choices', measure(widest)) },
      ],
    },
    {
      ...{ key: 'advantage', title: l10n.t('Advantage'), figures: ['advantage'] },
      shade: ({ advantage }) =>
        advantage === null ? null : { tone: advantage < 0 ? 'bad' : 'good', share: share(Math.abs(advantage), most) },
      legend: [
        { tone: 'bad', share: 1, text: l10n.t('−{0}: made less likely', rate(most)) },
        { tone: 'good', share: 1, text: l10n.t('+{0}: made more likely', rate(most)) },
      ],
    },
    {
      ...{ key: 'clip', title: l10n.t('Ratio and clip'), figures: ['now', 'clip'] },
      shade: (token) => {
        const log = logRatio(token);
        if (log === null) return null;
        const mark = token.clip === 'above' ? '↑' : token.clip === 'below' ? '↓' : undefined;
        return { tone: log < 0 ? 'environment' : 'agent', share: share(Math.abs(log), moved), ...defined({ mark }) };
      },
      legend: [
        { tone: 'environment', share: 1, text: l10n.t('÷{0} under {1}', ratio(moved), other ?? '') },
        { tone: 'agent', share: 1, text: l10n.t('×{0} under {1}', ratio(moved), other ?? '') },
        ...(loss === 'importance_sampling'
          ? []
          : [
              { tone: 'agent' as const, share: 0, text: l10n.t('↑ clipped at {0}', rate(clipHigh)) },
              { tone: 'environment' as const, share: 0, text: l10n.t('↓ clipped at {0}', rate(clipLow)) },
            ]),
      ],
    },
  ];
}

/** Of the largest log ratio, with the digits that tell it from 1. */
function ratio(moved: number): string {
  const over = Math.expm1(moved);
  if (over === 0 || over >= 0.05) return measure(1 + over);
  return significant(1 + over, Math.min(15, 2 + Math.ceil(-Math.log10(over))));
}
