/**
 * An identity source map: types are blanked out in place, so every position stays. Without a map a debugger sees that
 * the text differs from the file's, and shows the text instead.
 */
import { pathToFileURL } from 'node:url';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number as source maps write it: five bits a digit, the sign last. */
function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const low = rest % 32;
    rest = Math.floor(rest / 32);
    text += digits.charAt(rest > 0 ? low + 32 : low);
  } while (rest > 0);
  return text;
}

/** The comment that goes below the text of a file. */
export function identityMap(path: string, text: string): string {
  let [line, column] = [0, 0];
  const mappings = text.split('\n').map((content, row) => {
    let from = 0;
    const places = [...content.matchAll(/[\p{L}\p{N}_$]+|\S/gu)].map(({ index }) => {
      const place = vlq(index - from) + vlq(0) + vlq(row - line) + vlq(index - column);
      [from, line, column] = [index, row, index];
      return place;
    });
    return places.join(',');
  });
  const map = { version: 3, sources: [pathToFileURL(path).href], names: [], mappings: mappings.join(';') };
  const data = Buffer.from(JSON.stringify(map)).toString('base64');
  return `\n//# sourceMappingURL=data:application/json;base64,${data}\n`;
}
