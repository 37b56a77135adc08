/** Figures of sentences that are English in every window, such as those of logs and of previews. */
import { measured } from './intervals.ts';
import { withEnglishSigns } from './notation.ts';
import { precise } from './numbers.ts';
import { percent } from './shares.ts';

const english =
  <Given extends unknown[]>(write: (...given: Given) => string) =>
  (...given: Given): string =>
    withEnglishSigns(() => write(...given));

export const englishMeasured = english(measured);
export const englishPercent = english(percent);
export const englishPrecise = english(precise);
