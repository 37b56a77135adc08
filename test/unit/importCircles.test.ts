/** No file needs itself, whatever way its imports go: types and `import()` count too. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files that each of these imports. */
function importsOf(files: readonly string[]): Map<string, readonly string[]> {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const named = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) => path);
      return [file, named.map((path) => join(dirname(file), path)).filter((path) => known.has(path))];
    }),
  );
}

/** A way from a file back to itself; null where there is none. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const way: string[] = [];
  const follow = (file: string): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    way.push(file);
    for (const next of imports.get(file) ?? []) {
      const circle = follow(next);
      if (circle !== null) return circle;
    }
    way.pop();
    done.add(file);
    return null;
  };
  for (const file of imports.keys()) {
    const circle = follow(file);
    if (circle !== null) return circle;
  }
  return null;
}

describe('imports', () => {
  it('go round in no circle', () => {
    const files = globSync('{src,webview,test,scripts}/**/*.ts', { cwd: root });
    const imports = importsOf(files);
    const edges = [...imports.values()].reduce((sum, paths) => sum + paths.length, 0);
    assert.ok(edges > 5000, `${edges} imports of ${files.length} files`);
    assert.equal(circleIn(imports)?.join(' → ') ?? null, null);
  });

  it('that go round are found, by types and import() as well', () => {
    const imports = new Map([
      ['a.ts', ['b.ts', 'd.ts']],
      ['b.ts', ['c.ts']],
      ['c.ts', ['d.ts', 'b.ts']],
      ['d.ts', []],
    ]);
    assert.deepEqual(circleIn(imports), ['b.ts', 'c.ts', 'b.ts']);
  });
});
