/** Questions that studies often ask, as arms and grids. */
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../../src/shared/experiment/schema.ts';

export interface Suggestion {
  label: string;
  detail: string;
  arms: Readonly<Record<string, Readonly<Record<string, string>>>>;
  grid: Readonly<Record<string, readonly number[]>>;
}

export function suggestions(base: Experiment | null): Suggestion[] {
  const mode = base?.mode ?? 'coevolve';
  const method = base?.method ?? 'genenv';
  const differing = (field: string, own: string, values: readonly string[]): Suggestion['arms'] =>
    Object.fromEntries(values.map((one) => [one, one === own ? {} : { [field]: one }]));
  return [
    {
      label: l10n.t('Curricula'),
      detail: l10n.t('The base against a frozen environment and against tasks written once.'),
      arms: differing('mode', mode, ['coevolve', 'random', 'static']),
      grid: {},
    },
    {
      label: l10n.t('Curricula of Papers'),
      detail: l10n.t('The base against R-Zero and against tasks drawn by learnability (SFL).'),
      arms: differing('method', method, ['genenv', 'r-zero', 'sfl']),
      grid: {},
    },
    {
      label: l10n.t('Difficulty α'),
      detail: l10n.t('Success rates to aim at: 0.3, 0.5, 0.7.'),
      arms: {},
      grid: { 'curriculum.alpha': [0.3, 0.5, 0.7] },
    },
    {
      label: l10n.t('Difficulty α × band k_min'),
      detail: l10n.t('A grid of nine.'),
      arms: {},
      grid: { 'curriculum.alpha': [0.3, 0.5, 0.7], 'curriculum.kMin': [0.1, 0.2, 0.3] },
    },
  ];
}
