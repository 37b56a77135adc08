/** A preview of an export as a markdown document: its columns, omissions with their reasons, and its first rows. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { inlineMarkdown } from '../../shared/text/markdown.ts';
import { formatOf } from './formats.ts';
import { streamPool, type PoolExport, type StreamedPool } from './exportPool.ts';
import type { LeftOutLine } from './leftOut.ts';
import { count } from '../../shared/text/figures/numbers.ts';

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

export function previewMarkdown(
  { choice, source }: PoolExport,
  { rows, leftOut, warnings, first }: PoolPreview,
): string {
  const { use, rows: forms } = formatOf(choice);
  return [
    l10n.t(
      '# {0} of the {1} pool as {2}',
      rows === 1 ? l10n.t('1 row') : l10n.t('{0} rows', count(rows)),
      choice.pool,
      choice.format,
    ),
    l10n.t('Run {0}: {1}.', source.manifest.id, use),
    ...forms.map(columnTable),
    l10n.t('## Left out'),
    leftOut.length === 0 ? l10n.t('Nothing.') : reasonTable(leftOut),
    ...(warnings.length === 0 ? [] : [l10n.t('## Warnings'), reasonTable(warnings)]),
    rows > first.length ? l10n.t('## The first {0} rows', first.length) : l10n.t('## Rows'),
    ...first.map((row) => `\`\`\`json\n${JSON.stringify(shortened(row), null, 2)}\n\`\`\``),
    rows === 0 ? l10n.t('None.') : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

const reasonTable = (lines: readonly LeftOutLine[]): string =>
  table(
    ['', l10n.t('why'), l10n.t('for example')],
    lines.map(({ count: left, why, examples }) => [count(left), why, examples.join(', ')].map(inlineMarkdown)),
  );

/** A format's columns and their contents; `docs/data.md` has the same tables. */
export const columnTable = (form: z.ZodObject): string =>
  table(
    [l10n.t('column'), l10n.t('type'), ''],
    Object.entries(form.shape).map(([name, type]) => [`\`${name}\``, typeName(type), descriptionOf(type)]),
  );

const descriptionOf = (type: unknown): string => (type instanceof z.ZodType ? (type.description ?? '') : '');

function typeName(type: unknown): string {
  if (type instanceof z.ZodNullable) return l10n.t('{0} or null', typeName(type.unwrap()));
  if (type instanceof z.ZodOptional) return l10n.t('{0}, optional', typeName(type.unwrap()));
  if (type instanceof z.ZodArray) return l10n.t('list of {0}', typeName(type.element));
  if (type instanceof z.ZodTuple) return l10n.t('pair');
  if (type instanceof z.ZodObject) return `{${Object.keys(type.shape).join(', ')}}`;
  if (type instanceof z.ZodNumberFormat) return l10n.t('integer');
  if (type instanceof z.ZodNumber) return l10n.t('number');
  if (type instanceof z.ZodBoolean) return l10n.t('boolean');
  if (type instanceof z.ZodLiteral) return [...type.values].map((value) => `\`${String(value)}\``).join(', ');
  return l10n.t('text');
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
    return rest > 0 ? l10n.t('{0}… {1} more characters', value.slice(0, textShown), count(rest)) : value;
  }
  if (Array.isArray(value)) {
    const rest = value.length - listShown;
    const shown: unknown[] = value.slice(0, listShown).map(shortened);
    return rest > 0 ? [...shown, l10n.t('… {0} more', count(rest))] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
