/** The signs in figures, of the language that the texts are in and never of the operating system: English where nothing sets another. */
interface Notation {
  language: string;
  decimal: string;
  group: string;
}

export const english: Notation = { language: 'en', decimal: '.', group: ',' };

let current = (): Notation => english;

/** @param find called for each figure, as work that records writes English ones meanwhile */
export function writeFiguresBy(find: () => Notation): void {
  current = find;
}

/** @param language that of the texts, as the editor names it; English signs where it is unknown */
export function notationOf(language: string): Notation {
  const parts = new Intl.NumberFormat([language, 'en'], { numberingSystem: 'latn' }).formatToParts(12_345.6);
  const sign = (type: 'decimal' | 'group', other: string): string =>
    parts.find((part) => part.type === type)?.value ?? other;
  return { language, decimal: sign('decimal', '.'), group: sign('group', ',') };
}

export const languageOfFigures = (): string => current().language;

/** @param text a figure as JavaScript and English write it: `-1,240.5` */
export function inNotation(text: string): string {
  const { decimal, group } = current();
  const signed = text.replaceAll('-', '−');
  if (decimal === '.' && group === ',') return signed;
  return signed.replaceAll(/[.,]/g, (sign) => (sign === '.' ? decimal : group));
}

/** Between figures that themselves may have a comma: `0.45, 0.51`, `0,45; 0,51`. */
export const listed = (figures: readonly string[]): string => figures.join(current().decimal === ',' ? '; ' : ', ');

/** @param write a sentence's figure, at once */
export function withEnglishSigns(write: () => string): string {
  const before = current;
  current = () => english;
  try {
    return write();
  } finally {
    current = before;
  }
}
