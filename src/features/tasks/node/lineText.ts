/**
 * The text of one line of a task file: an object, read as runs read it (comments and a last comma may stand in it), and
 * changed in single fields. All else stays byte for byte: numbers that no double holds, order, escapes, spaces.
 */
import { isUtf8 } from 'node:buffer';
import { getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { isObject } from '../../../shared/experiment/resolve.ts';
import { editText } from '../../../shared/experiment/text/textEdit.ts';
import { isTooDeep, parseOrUndefined } from '../../../shared/json.ts';

/** Begins the text of a line in another encoding: no reader takes it for an object, so that no letter of it is lost by writing it again. */
const foreign = '\uFFFD';

/** A line's bytes as text. */
export const textOfLine = (bytes: Buffer): string => (isUtf8(bytes) ? '' : foreign) + bytes.toString();

/** Whether the line of such a text is in another encoding than UTF-8. */
export const isForeign = (text: string): boolean => text.startsWith(foreign);

/** Null for a line that is no object. */
export function readObject(text: string): Record<string, unknown> | null {
  if (isTooDeep(text)) return null;
  const value = parseOrUndefined(text);
  if (value !== undefined) return isObject(value) ? value : null;
  const root = treeOf(text);
  const read: unknown = root === null ? null : getNodeValue(root);
  return isObject(read) ? read : null;
}

/** Whether a field of the object itself is given twice: which of them counts would be a guess. */
export function hasTwins(text: string): boolean {
  const names = propertiesOf(text).map(({ name }) => String(name.value));
  return new Set(names).size < names.length;
}

/** The object with a field's new value, at its end where it is new; undefined takes the field out. */
export function withField(text: string, name: string, to: unknown): string {
  const properties = propertiesOf(text);
  const own = properties.find((one) => one.name.value === name);
  if (to !== undefined) {
    const json = JSON.stringify(to);
    if (own !== undefined) return replaced(text, own.value.offset, end(own.value), json);
    return inserted(text, properties, `${JSON.stringify(name)}${spacingOf(text, properties).colon}${json}`);
  }
  if (own === undefined) return text;
  const at = properties.indexOf(own);
  const [before, after] = [properties[at - 1], properties[at + 1]];
  const [from, until] = after === undefined ? [before?.value, own.value] : [null, after.name];
  const cut =
    from === null
      ? { from: own.name.offset, to: until.offset, between: text.slice(end(own.value), until.offset) }
      : from === undefined
        ? null
        : { from: end(from), to: end(until), between: text.slice(end(from), own.name.offset) };
  // A comment beside it is kept.
  return cut !== null && /^\s*,\s*$/.test(cut.between)
    ? replaced(text, cut.from, cut.to, '')
    : editText(text, [{ path: [name] }]);
}

interface Property {
  name: Node;
  value: Node;
}

function treeOf(text: string): Node | null {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  return root === undefined || errors.length > 0 ? null : root;
}

function propertiesOf(text: string): Property[] {
  const root = treeOf(text);
  return (root?.type === 'object' ? (root.children ?? []) : []).flatMap(({ children: [name, value] = [] }) =>
    name === undefined || value === undefined ? [] : [{ name, value }],
  );
}

const end = ({ offset, length }: Node): number => offset + length;

const replaced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

function inserted(text: string, properties: readonly Property[], property: string): string {
  const last = properties.at(-1);
  if (last !== undefined) {
    return replaced(text, end(last.value), end(last.value), `${spacingOf(text, properties).comma}${property}`);
  }
  const at = treeOf(text)?.offset ?? 0;
  return replaced(text, at + 1, at + 1, property);
}

/** As the line has it between its first fields. */
function spacingOf(text: string, [first, second]: readonly Property[]): { colon: string; comma: string } {
  const colon = first === undefined ? ':' : text.slice(end(first.name), first.value.offset);
  const comma = first === undefined || second === undefined ? ',' : text.slice(end(first.value), second.name.offset);
  return { colon: /^\s*:\s*$/.test(colon) ? colon : ':', comma: /^\s*,\s*$/.test(comma) ? comma : ',' };
}
