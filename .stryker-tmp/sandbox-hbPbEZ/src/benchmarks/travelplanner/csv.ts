/** Tables of comma-separated text, read as the pandas reader takes them. */

/** Cells that it takes for missing, and with them the row: quoted ones too. */
const missing = new Set(
  '|#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null'.split('|'),
);

export const isMissing = (cell: string): boolean => missing.has(cell);

/** Records of a text. A field that begins with a quote may hold commas, line ends and doubled quotes. */
export function csvRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const field = fieldAt(text, at);
    record.push(field.text);
    at = field.end + 1;
    if (text[field.end] === ',' && at < text.length) continue;
    if (text[field.end] === ',') record.push('');
    if (text[field.end] === '\r' && text[at] === '\n') at += 1;
    // A blank line is no record.
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}

const plainEnd = /[,\r\n]/g;

/** A field and where the separator or line end after it is. */
function fieldAt(text: string, start: number): { text: string; end: number } {
  let quoted = '';
  let at = start;
  if (text[start] === '"') {
    at += 1;
    for (;;) {
      const close = text.indexOf('"', at);
      if (close === -1) return { text: quoted + text.slice(at), end: text.length };
      quoted += text.slice(at, close);
      at = close + 1;
      if (text[at] !== '"') break;
      quoted += '"';
      at += 1;
    }
  }
  plainEnd.lastIndex = at;
  const end = plainEnd.exec(text)?.index ?? text.length;
  return { text: quoted + text.slice(at, end), end };
}
