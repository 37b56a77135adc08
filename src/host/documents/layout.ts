/** How a read-only document is laid out as plain text. */

/** A block with a title; left out when it has no lines. */
export interface Section {
  title: string;
  lines: readonly string[];
}

const width = 72;

/** The document: its name, what there is to say of it at once, then its sections. */
export function layOut(name: string, facts: readonly string[], sections: readonly Section[]): string {
  const head = [name, ...facts.filter((line) => line !== '')];
  const body = sections
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ title, lines }) => ['', heading(title), ...lines]);
  return `${[...head, ...body].join('\n')}\n`;
}

const heading = (title: string): string => `── ${title} ${'─'.repeat(Math.max(3, width - title.length - 4))}`;

/** `plan        steps 3 tools 4`: names in one column, what they stand for in the next; empty values are left out. */
export function columns(rows: readonly (readonly [string, string | null | undefined])[]): string[] {
  const shown = rows.flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [{ name, value }],
  );
  const longest = Math.max(0, ...shown.map(({ name }) => name.length));
  return shown.map(({ name, value }) => `${name.padEnd(longest)}   ${value}`);
}

/** A text of several lines as it is, every line set in. */
export const setIn = (text: string, by = '  '): string[] => text.split(/\r?\n/).map((line) => `${by}${line}`.trimEnd());
