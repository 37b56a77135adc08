/** Text with the method's symbols, cut where they have an index. Pure. */

/** `R_env`, `k_min`: a symbol and its index. */
const indexed = /\b([A-Za-z])_(env|min)\b/g;

/** Text up to an index, and the index. */
export interface Piece {
  text: string;
  index: string | null;
}

/** A text, cut at its indices. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(indexed)) {
    const [whole, letter = '', index = ''] = match;
    found.push({ text: text.slice(at, match.index) + letter, index });
    at = match.index + whole.length;
  }
  return [...found, { text: text.slice(at), index: null }];
}
