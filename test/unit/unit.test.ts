/** The definition of a unit test: it runs in an unbuilt clone, and in one process. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = relative(root, fileURLToPath(import.meta.url));

/** Names that a unit test's text must not contain, with their meaning. */
const barred: [RegExp, string][] = [
  [/^import [^;]*'(?:node:)?child_process'/m, 'starts processes'],
  [/^import [^;]*'esbuild'/m, 'builds, which starts a process'],
  [/^import [^;]*\/built\.ts'/m, 'tests what was built'],
  [/['"`/]dist\//, 'names the folder of what was built'],
];

const isOf = (text: string): string[] => barred.flatMap(([pattern, what]) => (pattern.test(text) ? [what] : []));

/** Why a test file is no unit test: `FILE starts processes`, of it and of what it imports from `test`. */
function why(file: string): string[] {
  const found: string[] = [];
  const seen = new Set([file]);
  for (const one of seen) {
    const text = readFileSync(join(root, one), 'utf8');
    found.push(...isOf(text).map((what) => `${one} ${what}`));
    for (const [, type, from = ''] of text.matchAll(/^import (type )?[^;]*?'(\.[^']+\.ts)';/gm)) {
      const path = join(dirname(one), from);
      if (type === undefined && path.startsWith('test')) seen.add(path);
    }
  }
  return found;
}

describe('unit tests', () => {
  const files = globSync('test/unit/**/*.test.ts', { cwd: root }).filter((file) => file !== here);

  it('need no build and start no process: those that do belong in test/process', () => {
    assert.ok(files.length > 150, `${files.length} files`);
    const others = files.flatMap((file) => why(file).map((reason) => `${file}: ${reason}`));
    assert.deepEqual(others, [], `Move them to test/process, same path:\n${others.join('\n')}\n`);
  });

  it('are told from those of processes by what they and their helpers import', () => {
    assert.deepEqual(isOf("import { spawn } from 'node:child_process';"), ['starts processes']);
    assert.deepEqual(isOf("const dist = new URL('../../dist/', import.meta.url);"), [
      'names the folder of what was built',
    ]);
    assert.deepEqual(isOf("import { spawnedBy } from './mine.ts';"), []);
    const others = globSync('test/process/**/*.test.ts', { cwd: root }).filter((file) => why(file).length > 0);
    assert.ok(others.includes('test/process/rewards/host.test.ts'), 'by openReward.ts, which tests what was built');
    assert.ok(others.includes('test/process/launch/stopJobs.test.ts'), 'by a cluster that starts jobs');
  });
});
