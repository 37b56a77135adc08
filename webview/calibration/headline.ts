/** The numbers a person looks at first: those of the newest measured epoch. */
import type { EpochRow, PairedChange } from '../../src/shared/report/data.ts';
import { ends, interval } from '../../src/shared/text/figures/intervals.ts';
import { measure, number, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent, percentToTenth, signed } from '../../src/shared/text/figures/shares.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { verdictOf, verdictShapes, verdictWord } from '../charts/verdict.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import { epochsInBand } from '../report/readings.ts';
import type { RunModel } from './runModel.ts';

interface Tile {
  label: string;
  value: string;
  /** Beside the value. */
  unit?: string;
  below: string;
  glyph?: SVGSVGElement;
}

export class Headline {
  readonly node = element('ul', { class: 'tiles', 'aria-label': l10n.t('Key figures') });

  update(model: RunModel): void {
    const last = model.lastMeasured;
    this.node.hidden = last === undefined;
    if (last === undefined) return;
    const tiles = [rateTile(last), bandTile(last, model), keptTile(last, model), rewardTile(last, model)];
    this.node.replaceChildren(...[...tiles, ...validationTile(model)].map(tileNode));
  }
}

function tileNode({ label, value, unit, below, glyph }: Tile): HTMLElement {
  return element(
    'li',
    {},
    element('p', { class: 'tile-label' }, ...prose(label)),
    element(
      'p',
      { class: 'tile-value' },
      element('span', {}, value),
      ...(unit === undefined ? [] : [' ', element('small', {}, unit)]),
    ),
    element('p', { class: 'tile-below' }, ...(glyph === undefined ? [] : [glyph]), ...prose(below)),
  );
}

function rateTile({ epoch, successRate, curriculum }: EpochRow): Tile {
  const { p, low, high } = successRate ?? { p: null, low: 0, high: 1 };
  if (p === null) return { label: l10n.t('Success rate p̂'), value: '—', below: '' };
  const verdict = verdictOf(p, curriculum);
  return {
    label: l10n.t('Success rate p̂, epoch {0}', epoch),
    value: rate(p),
    unit: interval(low, high),
    below: `${verdictShapes[verdict].character} ${verdictWord(verdict)}`,
    glyph: intervalGlyph({ p, low, high, band: curriculum, tone: 'agent' }, 96),
  };
}

function bandTile({ families, inBand, curriculum }: EpochRow, model: RunModel): Tile {
  const share = inBand ?? 0;
  const inside = Math.round(share * families);
  const held = epochsInBand(model.rows);
  return {
    label: l10n.t('In the band {0} ± {1}', number(curriculum.alpha), number(curriculum.kMin)),
    value: percent(share),
    unit: l10n.t('{0} of {1}', inside, families),
    below:
      held.stretches.length > 1
        ? l10n.t('mean p̂ was in its epoch’s band in {0} of {1} epochs', held.inside, held.measured)
        : l10n.t('mean p̂ was in the band in {0} of {1} epochs', held.inside, held.measured),
  };
}

function keptTile({ epoch, families, familiesKept, effectiveSampleSize }: EpochRow, model: RunModel): Tile {
  const left = model.leftOut(epoch);
  const why = [
    ...(left === undefined || left.tooHard === 0 ? [] : [l10n.t('{0} too hard', left.tooHard)]),
    ...(left === undefined || left.tooEasy === 0 ? [] : [l10n.t('{0} too easy', left.tooEasy)]),
    ...(left === undefined || left.inBand === 0 ? [] : [l10n.t('{0} in the band, not kept', left.inBand)]),
    ...(left === undefined || left.unmeasured === 0 ? [] : [l10n.t('{0} not judged', left.unmeasured)]),
  ];
  return {
    label: l10n.t('Kept for the update'),
    value: String(familiesKept),
    unit: l10n.t('of {0}', families),
    below: [l10n.t('effective sample size {0}', measure(effectiveSampleSize ?? 0)), ...why].join(' · '),
  };
}

function rewardTile({ epoch, environmentReward }: EpochRow, model: RunModel): Tile {
  const before = model.rows.findLast((row) => row.epoch < epoch && row.environmentReward !== null);
  const below = (): string => {
    if (environmentReward === null) return l10n.t('not known in this epoch');
    if (before?.environmentReward == null) return l10n.t('first measured epoch');
    return l10n.t('{0} against epoch {1}', signed(environmentReward - before.environmentReward, 2), before.epoch);
  };
  return {
    label: l10n.t('Reward R_env, mean'),
    value: environmentReward === null ? '—' : rate(environmentReward),
    below: below(),
  };
}

function validationTile({ validations, facts }: RunModel): Tile[] {
  const last = validations.at(-1);
  const label = l10n.t('Validation');
  if (last?.successRate.p == null) {
    const why = facts?.validationEvery === 0 ? l10n.t('off: validation.every is 0') : l10n.t('not measured yet');
    return [{ label, value: '—', below: why }];
  }
  const { p, low, high } = last.successRate;
  const { change, epoch, against } = last;
  return [
    {
      label: epoch === 0 ? l10n.t('Validation, before training') : l10n.t('Validation, epoch {0}', epoch),
      value: percentToTenth(p),
      unit: ends(percentToTenth(low), percentToTenth(high)),
      below:
        change === null
          ? l10n.t('{0} of {1} attempts', last.successRate.successes, last.successRate.attempts)
          : sinceText(change, against ?? 0),
    },
  ];
}

/** @param against the epoch that it is compared with */
function sinceText({ difference, low, high }: PairedChange, against: number): string {
  const figures = [difference, low, high].map((share) => signed(100 * share, 1));
  return against === 0
    ? l10n.t('{0} points ({1} to {2}) since start', ...figures)
    : l10n.t('{0} points ({1} to {2}) since epoch {3}', ...figures, against);
}
