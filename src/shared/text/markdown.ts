/** Text of others in a Markdown document that may be pasted anywhere. */
import { largest } from '../extremes.ts';
import { withMarksShown } from './hiddenMarks.ts';

/** Characters that begin a tag, a link, code, emphasis, an entity or a cell; underscores within words begin nothing. */
const markup = /[<>`[\]*\\|&~]|(?<!\w)_|_(?!\w)/g;

/** On one line, with nothing that is read as markup. */
export const inlineMarkdown = (text: string): string =>
  withMarksShown(text.replaceAll(/\s+/g, ' ')).replaceAll(markup, '\\$&');

/** The text unchanged, between fences longer than any inside. */
export function fenced(text: string): string {
  const longest = Math.max(2, largest(Array.from(text.matchAll(/`{3,}/g), ([fence]) => fence.length)));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
