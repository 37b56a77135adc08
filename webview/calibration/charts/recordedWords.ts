/** Recorded sentences in the page's language: they are made of texts of the bundle that the host put into the page. */
import { inWords as told, readsAlso } from '../../../src/shared/journal/recordedWords.ts';
import { parseOrUndefined } from '../../../src/shared/json.ts';
import { isObject } from '../../../src/shared/experiment/resolve.ts';

let isRead = false;

/** @param text a `reason`, `note` or error of a journal */
export function inWords(text: string): string {
  if (!isRead) {
    isRead = true;
    const bundle = parseOrUndefined(document.getElementById('l10n')?.textContent ?? '');
    if (isObject(bundle)) readsAlso(Object.keys(bundle));
  }
  return told(text);
}
