/** Records of comma-separated text (RFC 4180): quoted fields may hold separators, line ends and doubled quotes. */
export async function* csvRecords(pieces: AsyncIterable<string>, separator: string): AsyncGenerator<string[]> {
  let record: string[] = [];
  let field = '';
  let state: 'plain' | 'quoted' | 'closed' = 'plain';
  const end = (): string[] => {
    const whole = [...record, field];
    record = [];
    field = '';
    state = 'plain';
    return whole;
  };
  for await (const piece of pieces) {
    for (const char of piece) {
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
