/** A preview of an export as a markdown document: its columns, omissions with their reasons, and its first rows. */
import * as z from 'zod';
import { inlineMarkdown } from '../../shared/text/markdown.ts';
import { formatOf } from './formats.ts';
import { streamPool, type PoolExport, type StreamedPool } from './exportPool.ts';
import { englishCount, englishPlural } from '../../shared/text/figures/englishFigures.ts';

export interface PoolPreview extends StreamedPool {
  /** The first few. */
  first: Record<string, unknown>[];
}

const firstRows = 3;

/** Goes through the whole pool and writes nothing. @throws as `exportPool` does */
export async function previewPool(options: PoolExport): Promise<PoolPreview> {
  const first: Record<string, unknown>[] = [];
  const streamed = await streamPool(options, async (rows) => {
    for await (const row of rows) if (first.length < firstRows) first.push(row);
  });
  return { ...streamed, first };
}

export function previewMarkdown({ choice, source }: PoolExport, { rows, leftOut, first }: PoolPreview): string {
  const { use, rows: forms } = formatOf(choice);
  return [
    `# ${englishPlural(rows, 'row')} of the ${choice.pool} pool as ${choice.format}`,
    `Run ${source.manifest.id}: ${use}.`,
    ...forms.map(columnTable),
    '## Left out',
    leftOut.length === 0
      ? 'Nothing.'
      : table(
          ['', 'why', 'for example'],
          leftOut.map(({ count, why, examples }) =>
            [englishCount(count), why, examples.join(', ')].map(inlineMarkdown),
          ),
        ),
    rows > first.length ? `## The first ${first.length} rows` : '## Rows',
    ...first.map((row) => `\`\`\`json\n${JSON.stringify(shortened(row), null, 2)}\n\`\`\``),
    rows === 0 ? 'None.' : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A format's columns and their contents; `docs/data.md` has the same tables. */
export const columnTable = (form: z.ZodObject): string =>
  table(
    ['column', 'type', ''],
    Object.entries(form.shape).map(([name, type]) => [`\`${name}\``, typeName(type), descriptionOf(type)]),
  );

const descriptionOf = (type: unknown): string => (type instanceof z.ZodType ? (type.description ?? '') : '');

function typeName(type: unknown): string {
  if (type instanceof z.ZodNullable) return `${typeName(type.unwrap())} or null`;
  if (type instanceof z.ZodOptional) return `${typeName(type.unwrap())}, optional`;
  if (type instanceof z.ZodArray) return `list of ${typeName(type.element)}`;
  if (type instanceof z.ZodTuple) return 'pair';
  if (type instanceof z.ZodObject) return `{${Object.keys(type.shape).join(', ')}}`;
  if (type instanceof z.ZodNumberFormat) return 'integer';
  if (type instanceof z.ZodNumber) return 'number';
  if (type instanceof z.ZodBoolean) return 'boolean';
  if (type instanceof z.ZodLiteral) return [...type.values].map((value) => `\`${String(value)}\``).join(', ');
  return 'text';
}

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|');

const listShown = 12;
const textShown = 1200;

/** Long texts and lists of numbers cut, for reading. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const rest = value.length - textShown;
    return rest > 0 ? `${value.slice(0, textShown)}… ${englishCount(rest)} more characters` : value;
  }
  if (Array.isArray(value)) {
    const rest = value.length - listShown;
    const shown: unknown[] = value.slice(0, listShown).map(shortened);
    return rest > 0 ? [...shown, `… ${englishCount(rest)} more`] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
