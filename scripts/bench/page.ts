/** docs/benchmarks.md: one section a bench, each as it was measured last. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';

const file = 'docs/benchmarks.md';
const head = `# Benchmarks

Made by \`npm run bench\`; do not edit by hand. \`npm run bench -- extension\` measures one section again,
\`npm run bench -- scale "10,000 attempts"\` a part of one. Budgets: docs/architecture.md.
`;

const machine = (): string =>
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`;

export interface Section {
  title: string;
  /** How it was measured, for people. */
  method: string;
  /** Markdown rows, a figure each. */
  rows: readonly string[];
  /** The section's other rows stay as they were. */
  isPart: boolean;
}

const heads = ['| what | measured | budget | against reference | remarks |', '|---|---|---|---|---|'];

/** Puts measured sections into their places; the others stay as they were. @param titles of all sections, in order */
export async function keepSections(measured: readonly Section[], titles: readonly string[]): Promise<void> {
  const [, ...before] = (await readFile(file, 'utf8')).split(/^## /m);
  const texts = new Map(before.map((text) => [text.slice(0, text.indexOf('\n')), text.trimEnd()]));
  for (const { title, method, rows, isPart } of measured) {
    const kept = isPart ? renewed(texts.get(title) ?? '', rows) : rows;
    texts.set(title, `${title}\n\n${method} Measured on ${machine()}.\n\n${[...heads, ...kept].join('\n')}`);
  }
  const sections = titles.flatMap((title) => texts.get(title) ?? []);
  await writeFile(file, [head, ...sections.map((text) => `## ${text}\n`)].join('\n'));
}

/** The rows of a section with some of them measured again. */
function renewed(section: string, rows: readonly string[]): string[] {
  const nameOf = (row: string): string => row.split(' | ')[0] ?? '';
  const fresh = new Map(rows.map((row) => [nameOf(row), row]));
  const before = section.split('\n').filter((line) => line.startsWith('| ') && !heads.includes(line));
  const names = new Set(before.map(nameOf));
  return [...before.map((row) => fresh.get(nameOf(row)) ?? row), ...rows.filter((row) => !names.has(nameOf(row)))];
}
