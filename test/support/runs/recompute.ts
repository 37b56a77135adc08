/** The recomputation of journals from their records (`scripts/recompute`), and journals that are not true. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../scripts/recompute', import.meta.url));

export function recompute(...folders: string[]): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('python3', [script, ...folders], { encoding: 'utf8' });
  return { code: status, said: `${stdout}${stderr}` };
}

/** An event, a field in it, and another value. `#` means the first entry of a list. */
export type Untrue = readonly [type: string, field: string, change: (value: number) => unknown];

/** A journal with one value changed in the last event of a type. */
export function changed(journal: string, [type, field, change]: Untrue): string {
  const lines = journal.trimEnd().split('\n');
  const line = lines.findLastIndex((text) => text.includes(`"type":"${type}"`));
  const path = field.replaceAll('#', '0').split('.');
  const last = path.at(-1) ?? '';
  const event: unknown = JSON.parse(lines[line] ?? '');
  let place: unknown = event;
  for (const name of path.slice(0, -1)) place = valueOf(place, name);
  assert.ok(typeof place === 'object' && place !== null, `${type} has no ${field}`);
  const before = valueOf(place, last);
  Object.assign(place, { [last]: change(typeof before === 'number' ? before : NaN) });
  lines[line] = JSON.stringify(event);
  return `${lines.join('\n')}\n`;
}

const valueOf = (place: unknown, name: string): unknown =>
  typeof place === 'object' && place !== null ? Object.getOwnPropertyDescriptor(place, name)?.value : undefined;
