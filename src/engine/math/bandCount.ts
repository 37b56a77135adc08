/** How often the mean p̂ lay in the band: every epoch is held to the band in force in it, and the words name that band. */
import * as l10n from '@vscode/l10n';
import { rate } from '../../shared/text/figures/numbers.ts';
import { inBand } from './curriculum.ts';

export interface MeasuredEpoch {
  epoch: number;
  p: number;
  alpha: number;
  kMin: number;
}

/** Epochs after each other with the same band. */
export interface BandStretch {
  first: number;
  last: number;
  alpha: number;
  kMin: number;
  inside: number;
  measured: number;
}

/** Beyond this many, stretches are reported as one number. */
const mostTold = 3;

/** @param epochs in order */
export function bandStretches(epochs: readonly MeasuredEpoch[]): BandStretch[] {
  const stretches: BandStretch[] = [];
  for (const { epoch, p, alpha, kMin } of epochs) {
    let own = stretches.at(-1);
    if (own?.alpha !== alpha || own.kMin !== kMin) {
      own = { first: epoch, last: epoch, alpha, kMin, inside: 0, measured: 0 };
      stretches.push(own);
    }
    own.last = epoch;
    own.measured += 1;
    if (inBand(p, { alpha, kMin })) own.inside += 1;
  }
  return stretches;
}

/** `0.25–0.75` */
export const bandText = ({ alpha, kMin }: { alpha: number; kMin: number }): string =>
  `${rate(Math.max(0, alpha - kMin))}–${rate(Math.min(1, alpha + kMin))}`;

/** `the band 0.25–0.75`; where it was changed among these epochs `the band in force`. */
export function bandName(stretches: readonly BandStretch[]): string {
  const [only, ...more] = stretches;
  return only === undefined || more.length > 0 ? l10n.t('the band in force') : l10n.t('the band {0}', bandText(only));
}

/** Which bands were in force and how often p̂ lay in each; '' where there was only one. */
export function bandDetails(stretches: readonly BandStretch[]): string {
  const last = stretches.at(-1);
  if (last === undefined || stretches.length === 1) return '';
  if (stretches.length > mostTold)
    return l10n.t('it was changed {0} times and is {1} now', stretches.length - 1, bandText(last));
  return stretches
    .map(({ first, inside, measured, ...band }, i) =>
      i === 0
        ? l10n.t('{0} until epoch {1}: {2} of {3}', bandText(band), band.last, inside, measured)
        : l10n.t('{0} from epoch {1} on: {2} of {3}', bandText(band), first, inside, measured),
    )
    .join('; ');
}
