/** Characters that an id spells out: `Apple_bar__plus_01_dot_59` is `Apple|+01.59`. */
const spelled: readonly [string, string][] = [
  ['_bar_', '|'],
  ['_minus_', '-'],
  ['_plus_', '+'],
  ['_dot_', '.'],
  ['_comma_', ','],
];

/**
 * Names that people see, by id: `apple 2`. Ids of a kind are numbered from the highest down, in ascending order. An id
 * without a place (no `_bar_`) keeps its text and gets a blank at the end, as the official wrapper has it.
 */
export function shownNames(ids: Iterable<string>): Map<string, string> {
  const sorted = [...ids].sort();
  const left = new Map<string, number>();
  for (const id of sorted) {
    const kind = kindOf(id);
    if (kind.numbered) left.set(kind.name, (left.get(kind.name) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  for (const id of sorted) {
    const { name, numbered } = kindOf(id);
    const number = left.get(name) ?? 0;
    names.set(id, numbered ? `${name} ${number}` : `${name} `);
    if (numbered) left.set(name, number - 1);
  }
  return names;
}

function kindOf(id: string): { name: string; numbered: boolean } {
  let text = id;
  for (const [letters, character] of spelled) text = text.replaceAll(letters, character);
  const end = text.indexOf('|');
  if (end < 0) return { name: text, numbered: false };
  return { name: `${text.slice(0, end)}${id.includes('basin') ? 'basin' : ''}`, numbered: true };
}
