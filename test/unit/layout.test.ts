/** The rules of docs/architecture.md, "Rooms", held against every import as it resolves. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const filesOf = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));
const sources = [...filesOf('src'), ...filesOf('webview')];
const known = new Set(sources);
/** Written in AssemblyScript. */
const kernels = 'src/endpoints/embedded/kernels/';

interface Import {
  from: string;
  /** A file of ours, or a package. */
  to: string;
  typeOnly: boolean;
}

const statement = /(?:^|\n)(?:import|export)\s+(type\s)?(?:[^'";]*?from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

function importsOf(file: string): Import[] {
  const text = readFileSync(`${root}${file}`, 'utf8');
  return [...text.matchAll(statement)].map(([, type, early, late]) => {
    const named = early ?? late ?? '';
    const to = named.startsWith('.') ? posix.join(dirname(file), named) : named;
    return { from: file, to, typeOnly: type !== undefined };
  });
}
const imports = sources.filter((file) => file.endsWith('.ts') && !file.startsWith(kernels)).flatMap(importsOf);

/** Rooms that a room may import, beside itself, `shared` and, but for `shared` and `sandbox`, `engine`. */
const below: Record<string, readonly string[]> = {
  shared: [],
  sandbox: [],
  engine: [],
  endpoints: ['sandbox'],
  rewards: ['sandbox'],
  benchmarks: ['sandbox'],
  domains: ['rewards', 'benchmarks', 'sandbox'],
  runs: ['sandbox'],
  launch: ['domains', 'rewards', 'benchmarks', 'runs', 'endpoints', 'sandbox'],
  serve: ['endpoints', 'sandbox'],
};
/** They wire features together. */
const composing = new Set([
  'src/extension.ts',
  'src/cli/handlers.ts',
  'src/cli/commandSpec.ts',
  'src/cli/failure.ts',
  'src/host/commands/register.ts',
]);

/** Features, or a frame, that use another feature beyond its contract. */
const uses: Record<string, readonly string[]> = {
  adapter: ['evaluation'],
  agents: ['compare', 'runner', 'search', 'study'],
  curricula: ['rewards'],
  domains: ['rewards'],
  endpoints: ['doctor'],
  experiment: ['domains', 'adapter'],
  makeTasks: ['tasks'],
  runner: ['study'],
  study: ['report'],
  studyForm: ['study'],
  tasks: ['health', 'reattempt'],
  tokens: ['evaluation'],
  'the frame host': ['health', 'reattempt'],
  'the frame cli': ['report'],
};

const roomOf = (file: string): string => file.split('/')[1] ?? '';
const featureOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1];
const partOf = (file: string): string | undefined =>
  /^src\/features\/[^/]+\/(contract|core|node|cli|host)\b/.exec(file)?.[1];
const told = ({ from, to }: Import): string => `${from} → ${to}`;

describe('The layout of the sources', () => {
  it('knows every file that an import names', () => {
    const missing = imports.filter(({ to }) => /^(src|webview)\//.test(to) && /\.(ts|css)$/.test(to) && !known.has(to));
    assert.deepEqual(missing.map(told), []);
    assert(imports.length > 5000, 'The imports were read.');
  });

  it('has no arrow that points up', () => {
    const up = imports.filter(({ from, to }) => {
      const may = below[roomOf(from)];
      if (!from.startsWith('src/') || may === undefined || !to.startsWith('src/')) return false;
      const room = roomOf(to);
      const method = roomOf(from) !== 'shared' && roomOf(from) !== 'sandbox' ? ['engine'] : [];
      return room !== roomOf(from) && !['shared', ...method, ...may].includes(room);
    });
    assert.deepEqual(up.map(told), []);
  });

  it('lets a feature know another by its contract alone, save for those listed', () => {
    const found: Record<string, Set<string>> = {};
    for (const { from, to } of imports) {
      const used = featureOf(to);
      if (used === undefined || !from.startsWith('src/') || composing.has(from)) continue;
      const user = featureOf(from) ?? `the frame ${roomOf(from)}`;
      if (user === used || partOf(to) === 'contract') continue;
      (found[user] ??= new Set()).add(used);
    }
    const sorted = Object.entries(found).map(([user, used]) => [user, [...used].sort()] as const);
    const listed = Object.entries(uses).map(([user, used]) => [user, [...used].sort()] as const);
    assert.deepEqual(Object.fromEntries(sorted), Object.fromEntries(listed));
  });

  it('has no text that was written in one encoding and read in another', () => {
    const texts = [...sources, ...filesOf('docs'), ...filesOf('l10n'), 'README.md', 'CHANGELOG.md', 'package.nls.json']
      .filter((file) => /\.(ts|css|py|js|md|json)$/.test(file))
      .filter((file) => /[\u0080-\u009f\ufffd]/.test(readFileSync(`${root}${file}`, 'utf8')));
    assert.deepEqual(texts, []);
  });

  it('lists no circle of features', () => {
    const reaches = (from: string, path: readonly string[]): string[] =>
      (uses[from] ?? []).flatMap((to) =>
        path.includes(to) ? [[...path, to].join(' → ')] : reaches(to, [...path, to]),
      );
    assert.deepEqual(
      Object.keys(uses).flatMap((feature) => reaches(feature, [feature])),
      [],
    );
  });

  it('has only the rooms of a feature in each', () => {
    const strange = sources.filter((file) => featureOf(file) !== undefined && partOf(file) === undefined);
    assert.deepEqual(strange, []);
  });

  it('names a page as its feature', () => {
    const features = new Set(sources.flatMap((file) => featureOf(file) ?? []));
    const pages = new Set(sources.filter((file) => /^webview\/[^/]+\/main\.ts$/.test(file)).map(roomOf));
    assert.deepEqual(
      [...pages].filter((page) => !features.has(page)),
      [],
    );
  });

  it('keeps contract and core free of Node and of the editor, also through others', () => {
    const byFile = Map.groupBy(
      imports.filter(({ typeOnly }) => !typeOnly),
      ({ from }) => from,
    );
    const impure = new Map<string, string>();
    const reach = (file: string, seen: Set<string>): string | undefined => {
      if (seen.has(file)) return impure.get(file);
      seen.add(file);
      for (const { to } of byFile.get(file) ?? []) {
        const why = to.startsWith('node:') || to === 'vscode' ? to : reach(to, seen);
        if (why !== undefined) impure.set(file, `${file} → ${why}`);
      }
      return impure.get(file);
    };
    const pure = sources.filter((file) => ['contract', 'core'].includes(partOf(file) ?? ''));
    assert.deepEqual(
      pure.flatMap((file) => reach(file, new Set()) ?? []),
      [],
    );
    assert(pure.length > 20);
  });

  it('has no folder with more than 20 files side by side', () => {
    const counts = Map.groupBy(sources, (file) => dirname(file));
    assert.deepEqual(
      [...counts]
        .filter(([, files]) => files.length > 20)
        .map(([folder, files]) => `${folder}: ${String(files.length)}`),
      [],
    );
  });
});
