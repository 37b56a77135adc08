/** Cells of comma- or tab-separated rollouts: the file has texts alone, and rewards, verdicts and metrics are values. */
import { parseExactly } from '../../../shared/json.ts';
import type { Row } from '../rows.ts';

/** Columns that are texts also where they look like a number: `2` may be a whole answer, and 007 an id. */
const texts: ReadonlySet<string> = new Set([
  ...['prompt', 'completion', 'input', 'output', 'messages', 'tools', 'tool_defs'],
  ...['answer', 'solution', 'ground_truth', 'gold', 'target', 'gts'],
  ...['task', 'task_id', 'prompt_id', 'example_id', 'uid', 'request_id', 'model', 'version'],
]);

const number = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

export const valuesOf = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, texts.has(name) ? cell : valueOf(cell)]));

function valueOf(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  const text = cell.trim();
  // A whole number that no double holds is an id: it stays as it stands.
  if (number.test(text))
    return Number.isInteger(Number(text)) && !Number.isSafeInteger(Number(text)) ? cell : Number(text);
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  return text.startsWith('{') ? (parseExactly(text) ?? cell) : cell;
}
