import { longestLine, TooLong } from './textLines.ts';

/** Records of comma-separated text (RFC 4180): quoted fields may hold separators, line ends and doubled quotes. @throws TooLong */
export async function* csvRecords(
  pieces: AsyncIterable<string>,
  separator: string,
  longest = longestLine,
): AsyncGenerator<string[]> {
  let length = 0;
  let record: string[] = [];
  let field = '';
  let state: 'plain' | 'quoted' | 'closed' = 'plain';
  const end = (): string[] => {
    const whole = [...record, field];
    record = [];
    field = '';
    state = 'plain';
    length = 0;
    return whole;
  };
  for await (const piece of pieces) {
    for (const char of piece) {
      length += 1;
      if (length > longest) throw new TooLong(length);
      if (state === 'quoted') {
        if (char === '"') state = 'closed';
        else field += char;
      } else if (char === '"' && state === 'closed') {
        field += char;
        state = 'quoted';
      } else if (char === '"' && field === '') state = 'quoted';
      else if (char === separator) {
        record.push(field);
        field = '';
        state = 'plain';
      } else if (char === '\n') yield end();
      // The line end of Windows; elsewhere in a field it was quoted.
      else if (char !== '\r') field += char;
    }
  }
  if (record.length > 0 || field !== '') yield end();
}
