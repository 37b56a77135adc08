/** A message in a document: whole where short, else its beginning and a link to the rest. */
import * as vscode from 'vscode';
import { count } from '../../../shared/text/figures/numbers.ts';
import { marked, setIn, type Line } from './line.ts';
import { endOfRange, limitOf, rangeLimit, rangesOf, type Limit } from './longText.ts';
import { Page, type LaidOut } from './page.ts';
import { openedText, type TextPlace } from './place.ts';

export interface WrittenText {
  text: string;
  /** Where it can be opened by itself; null where it cannot. */
  place: Omit<TextPlace, 'from'> | null;
  /** The marks within the shown part. */
  marks?: (shown: string) => Line['marks'];
  limit?: Limit;
  indent?: string;
}

/** Writes a text under a heading that names its speaker. */
export function writeText(page: Page, { text, place, marks, limit = limitOf(1), indent = '  ' }: WrittenText): void {
  const end = endOfRange(text, 0, limit);
  const shown = text.slice(0, end);
  page.write(setIn({ text: shown.replace(/\n$/, end < text.length ? '' : '\n'), marks: marks?.(shown) ?? [] }, indent));
  if (end === text.length) return;
  const left = vscode.l10n.t('… {0} more characters', count(text.length - end));
  if (place === null) page.write(`${indent}${left}`);
  else {
    const words = `${left} · ${openText(place)}`;
    page.write({
      text: `${indent}${words}`,
      marks: shifted(marked(words, { kind: 'elided', place: { ...place, from: 0 } }), indent),
    });
  }
}

const shifted = ({ marks }: Line, { length }: string): Line['marks'] =>
  marks.map((mark) => ({ ...mark, start: mark.start + length, end: mark.end + length }));

/** The label of the link that opens it. */
export const openText = ({ of }: Pick<TextPlace, 'of'>): string =>
  ({
    turn: vscode.l10n.t('Open This Turn'),
    reasoning: vscode.l10n.t('Open This Reasoning'),
    message: vscode.l10n.t('Open This Message'),
  })[of];

/** One range of a text as a document. @param name whose text it is */
export function layRange(name: string, text: string, place: TextPlace): LaidOut {
  const page = new Page();
  const ranges = rangesOf(text);
  // An address from before the text changed begins at the nearest range.
  const at = Math.max(
    0,
    ranges.findLastIndex((start) => start <= place.from),
  );
  const from = ranges[at] ?? 0;
  const end = endOfRange(text, from, rangeLimit);
  page.write(`${name} · ${openedText(place)}`);
  const range = vscode.l10n.t('characters {0} to {1} of {2}', count(from + 1), count(end), count(text.length));
  page.write(vscode.l10n.t('part {0} of {1}', count(at + 1), count(ranges.length)) + ` · ${range}`);
  const lead = (words: string, to: number | undefined): void => {
    if (to !== undefined) page.write(marked(words, { kind: 'elided', place: { ...place, from: to } }));
  };
  lead(vscode.l10n.t('Previous Part'), ranges[at - 1]);
  lead(vscode.l10n.t('Next Part'), ranges[at + 1]);
  page.write('');
  page.part({ kind: 'message', title: openedText(place) }, () => {
    page.write(setIn(text.slice(from, end).replace(/\n$/, ''), ''));
  });
  return page.done();
}
