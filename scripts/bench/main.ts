/**
 * `npm run bench`: the budgets, measured in one run, printed as a table and kept in docs/benchmarks.md.
 * `npm run bench -- extension` measures one part and keeps nothing.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { benchEditor } from './editor.ts';
import { benchEmbedded } from './embedded.ts';
import { benchEndpoints } from './endpoints.ts';
import type { Figure } from './figure.ts';
import { benchLoop } from './loop.ts';
import { benchRuns } from './runs.ts';

const benches: [string, () => Promise<Figure[]>][] = [
  ['Embedded endpoint, one thread', benchEmbedded],
  ['Loop', benchLoop],
  ['Endpoint of fixed latency over HTTP: share of the ideal throughput', benchEndpoints],
  ['Run folder', benchRuns],
  ['Extension', benchEditor],
];

const number = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

function verdict({ value, budget, better = 'higher' }: Figure): string {
  if (budget === undefined) return '';
  const kept = better === 'higher' ? value >= budget : value <= budget;
  return `${better === 'higher' ? '≥' : '≤'} ${number(budget)}: ${kept ? 'kept' : '**missed**'}`;
}

function against({ value, reference }: Figure): string {
  return reference === undefined ? '' : `${(value / reference).toFixed(2)} × ${number(reference)}`;
}

const sections: string[] = [];
let missed = 0;
const wanted = process.argv[2]?.toLowerCase() ?? '';
for (const [title, bench] of benches.filter(([name]) => name.toLowerCase().startsWith(wanted))) {
  const figures = await bench();
  const rows = figures.map((figure) => {
    const { name, value, unit, note = '' } = figure;
    if (verdict(figure).includes('missed')) missed += 1;
    return `| ${name} | ${number(value)} ${unit} | ${verdict(figure)} | ${against(figure)} | ${note} |`;
  });
  const table = ['| what | measured | budget | against reference | remarks |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
  sections.push(`## ${title}\n\n${table}`);
  console.log(`${title}\n${rows.join('\n')}\n`);
}
const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`;
const page = `# Benchmarks

Made by \`npm run bench\` on ${machine}; do not edit by hand. Budgets: docs/architecture.md.

${sections.join('\n\n')}
`;
if (wanted === '') await writeFile('docs/benchmarks.md', page);
console.log(missed === 0 ? 'Every budget is kept.' : `${missed} budgets are missed.`);
