/** The language of texts and figures that the editor, its pages and the command line share: English where nothing sets another. */
import { AsyncLocalStorage } from 'node:async_hooks';
import * as l10n from '@vscode/l10n';
import { readsAlso } from '../shared/journal/recordedWords.ts';
import { english as englishSigns, notationOf, writeFiguresBy } from '../shared/text/figures/notation.ts';

const english = new AsyncLocalStorage<boolean>();

/**
 * @param bundle translations by their English texts
 * @param language of the translations
 */
export function speak(bundle: l10n.l10nJsonFormat, language: string): void {
  readsAlso(Object.keys(bundle));
  const get = (texts: l10n.l10nJsonFormat, text: string): l10n.l10nJsonFormat[string] | undefined =>
    english.getStore() === true ? undefined : texts[text];
  l10n.config({ contents: new Proxy(bundle, { get }) });
  let signs: typeof englishSigns | null = null;
  writeFiguresBy(() => (english.getStore() === true ? englishSigns : (signs ??= notationOf(language))));
}

/**
 * For work whose texts go to disk or to programs: they are English in every window, errors included, in all that it awaits
 * or sets off. Shown to a person, they pass through `inWords`.
 */
export const inEnglish = <T>(work: () => T): T => english.run(true, work);

/** For a listener that such work calls: it shows things to a person. */
export const inReadersLanguage =
  <Given extends unknown[], T>(listen: (...given: Given) => T) =>
  (...given: Given): T =>
    english.run(false, () => listen(...given));
