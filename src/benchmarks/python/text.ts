/** Python's `str` where JavaScript's strings differ. Lower and upper case are the same in both. */

/** White space of `str.isspace` and of `\s` in `re`, for a character class: JavaScript's has U+FEFF, not these. */
export const space = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** Word characters of `\w` in `re`, for a character class of a regular expression with the flag `u`. */
export const word = '\\p{L}\\p{N}_';

const spaces = new RegExp(`[${space}]+`);
const leading = new RegExp(`^[${space}]+`);
const isSpace = new RegExp(`[${space}]`);

/** `text.split()`: at runs of white space, none at the ends. */
export const splitWords = (text: string): string[] => text.split(spaces).filter((piece) => piece !== '');

/** `text.strip()`. */
export function strip(text: string): string {
  let end = text.length;
  // By hand: a pattern for trailing space tries every run of space in the text.
  while (end > 0 && isSpace.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replace(leading, '');
}

/** `text.split(separator)[-1]`. */
export const afterLast = (text: string, separator: string): string => {
  const at = text.lastIndexOf(separator);
  return at === -1 ? text : text.slice(at + separator.length);
};

/** `text.split(separator)[0]`. */
export const beforeFirst = (text: string, separator: string): string => {
  const at = text.indexOf(separator);
  return at === -1 ? text : text.slice(0, at);
};
