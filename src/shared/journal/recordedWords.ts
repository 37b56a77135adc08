/**
 * Recorded sentences in the reader's language. The bytes on disk are English: each sentence is found by its form; other
 * texts stay as they are recorded.
 */
import * as l10n from '@vscode/l10n';
import { inNotation } from '../text/figures/notation.ts';
import { importedOnly, notTrained } from './untrained.ts';
import { Forms } from '../text/forms.ts';

/** Forms of `reason` and `note` in journals. `test/unit/runs/recordedWords.test.ts` holds them to the engine's own. */
const journalForms: readonly string[] = [
  notTrained,
  'No task of this epoch was accepted, so there is no family to learn from.',
  'No attempt at the tasks of {0} families was judged in this epoch.',
  'R_env of none of {0} families is known in this epoch.',
  'None of {0} families passed the difficulty filter in this epoch.',
  '{0} kept in the buffer, fewer than environment.minFamilies = {1}.',
  'No two texts of one context were rewarded differently: {0} groups of them, {1} alike.',
  'No group teaches anything: {0} solved by every attempt, {1} by none, {2} with fewer than two judged attempts.',
  '{0} tokens spent of a budget of {1}.',
  '{0} rollouts made of a budget of {1}.',
  '{0} s spent of a budget of {1} s.',
  '{0} h spent of a budget of {1} h; {2} more were not begun in the last epoch.',
  '{0} h spent of a budget of {1} h.',
  '{0} spent of a budget of {1}; {2} more were not begun in the last epoch.',
  '{0} spent of a budget of {1}.',
  'Not one of {0} texts of the environment in epoch {1} became a task ({2}), so the run ended. See why in its rejected texts; the environment’s model may not fit the domain.',
  'Not one of {0} texts of the environment in epochs {1} became a task ({2}), so the run ended. See why in its rejected texts; the environment’s model may not fit the domain.',
  'Validation has not passed {0} for {1} validations (best since: {2}).',
  'All {0} epochs are done.',
  'Branched from {0} after epoch {1}.',
  'Imported from {0}.',
  importedOnly,
];

/** Why a run's session ended, and why a study's arm did. */
const endingForms: readonly string[] = [
  'The window was closed.',
  'Its runner ended.',
  'The runner was stopped.',
  'Paused.',
  'Paused at a phase boundary.',
  'Waits in the queue.',
  'The study’s round is over.',
  'stopped after {0} of {1} parts of the budget, at rank {2} of {3} arms.',
  'told from {0} after {1} seeds, e-value {2} (needed: {3}).',
];

/** Why a curriculum file paid nothing; its own words are between. */
const curriculumForms: readonly string[] = [
  'The curriculum file {0} gave no rewards: {1}. Correct the file, then resume the run.',
  'The curriculum file {0} gave no rewards: {1}. Make the file faster, or raise reward.seconds in the experiment’s file, then resume the run. If the machine was busy, only resume it.',
  'The curriculum file {0} gave no rewards: {1}. Have it use less memory, or raise reward.megabytes in the experiment’s file, then resume the run.',
];

/** Made in processes of people's own files, which have no translations. `test/unit/runs/recordedWords.test.ts` holds them to the sources. */
const processForms: readonly string[] = [
  'It threw {0}, which is no Error.',
  'It threw something that cannot be read.',
  'It raised something that cannot be read.',
  '{0} is closed to rewards: they may not use the network (reward.network).',
  'The file exports no function “reward”.',
  'the file has no function “reward”',
  '{0} parts, of which {1} may be',
  'It gave {0} characters of JSON, of which {1} may be.',
  'it gave {0} characters of JSON, of which {1} may be',
];

export const recordedForms: readonly string[] = [...journalForms, ...endingForms, ...curriculumForms, ...processForms];

let others: readonly string[] = [];
/** Made with the first sentence that is read: thousands of forms would delay the extension's start. */
let forms: Forms | null = null;

/** @param texts English texts with translations, of which sentences of other origin than journals are made */
export function readsAlso(texts: readonly string[]): void {
  [others, forms] = [texts, null];
}

/** Characters; longer texts are a server's words or a program's. */
const longest = 4000;
/** Sentences of one form. */
const most = 6;

/** @param text a `reason` or `note` of a journal, or the message of an error that may have been made in English */
export function inWords(text: string): string {
  if (text.length > longest) return text;
  const sentences = text.split(/(?<=[.!?…]) (?=[\p{Lu}“])/u);
  const told: string[] = [];
  while (sentences.length > 0) {
    // One form may be several sentences, and one that ends in a cause fits what follows, too: the most words decide.
    let [best, taken]: [Translated | null, number] = [null, 1];
    for (let several = 1; several <= Math.min(sentences.length, most); several += 1) {
      const found = translated(sentences.slice(0, several).join(' '));
      if (found !== null && found.own > (best?.own ?? 0)) [best, taken] = [found, several];
    }
    const said = sentences.splice(0, taken).join(' ');
    told.push(best?.text ?? said);
  }
  return told.join(' ');
}

interface Translated {
  text: string;
  /** Letters of its form. */
  own: number;
}

/** `0.14`, `1,240`, `−3.5 %` */
const figure = /^[-−]?\d{1,3}(?:,\d{3})*(?:\.\d+)?(?: ?%)?$/;
/** Forms with settings' values, which are typed with a point, and with versions. */
const typedBack = / = \{|Python|verl|version/i;

/** Null for a text of no form. Before a clause may stand a place: `run.json:3: this is empty, not JSON.` */
function translated(text: string): Translated | null {
  forms ??= new Forms([...new Set([...recordedForms, ...others])]);
  const found = forms.find(text);
  if (found !== null) {
    // A message has causes in it, which are sentences of their own; names stay.
    const values = found.values.map((value) => {
      if (figure.test(value) && !typedBack.test(found.form)) return inNotation(value);
      return / .* /.test(value) ? inWords(value) : value;
    });
    return { text: l10n.t(found.form, ...values), own: found.own };
  }
  const end = text.indexOf(': ');
  if (end === -1) return null;
  const place = text.slice(0, end);
  const isAddress = !place.includes(' ') || /[\\/]/.test(place);
  const named = isAddress ? null : forms.find(place);
  if (!isAddress && named === null) return null;
  const where = named === null ? place : l10n.t(named.form, ...named.values);
  const clause = text.slice(end + 2);
  const whole = translated(clause);
  const bare = clause.endsWith('.') ? translated(clause.slice(0, -1)) : null;
  if (bare !== null && bare.own >= (whole?.own ?? 0)) return { text: `${where}: ${bare.text}.`, own: bare.own };
  return whole && { text: `${where}: ${whole.text}`, own: whole.own };
}
