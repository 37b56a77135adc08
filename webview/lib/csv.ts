/** Tables as text that every spreadsheet and every dataframe library reads (RFC 4180). Pure. */

/** Null where nothing was measured. */
export type Cell = string | number | null;

export function csv(columns: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [columns.map(quoted).join(',')];
  for (const row of rows) lines.push(row.map(written).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function written(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? String(cell) : quoted(cell);
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
